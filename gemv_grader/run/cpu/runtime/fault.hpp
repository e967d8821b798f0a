// What went wrong in a program: where, in which thread, and with which array.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../include/simt/vector_types.hpp"
#include "spinlock.hpp"

namespace simt {

enum class Kind : uint8_t {
    OUT_OF_BOUNDS, NULL_POINTER, WILD_POINTER, MISALIGNED, UNINITIALISED, WRITE_TO_INPUT, RACE, HOST_ACCESS,
    BARRIER_DIVERGENCE, BARRIER_AFTER_EXIT, SHUFFLE_SOURCE, MASK_WITHOUT_CALLER, DEADLOCK,
    TRAP, ASSERTION, ENDLESS, LAUNCH_CONFIGURATION, UNSUPPORTED,
    ILLEGAL_ADDRESS, STACK_OVERFLOW, DIVISION_BY_ZERO, STOPPED
};

enum class Action : uint8_t { NONE, READ, WRITE, ATOMIC };

constexpr uint64_t NO_BLOCK = ~uint64_t{0};

// A position in the program: a code address, or for synchronising calls the line they were given.
struct Place {
    uintptr_t pc = 0;
    int line = 0;
    bool operator==(const Place& other) const { return pc == other.pc && line == other.line; }
};

struct Fault {
    Kind kind;
    Action action = Action::NONE;
    bool fatal = false;  // ends the launch, as an illegal address does on a GPU; after other faults it runs on
    Place place;

    uint64_t block_number = NO_BLOCK;
    uint3 block{}, thread{};
    unsigned thread_number = 0;
    unsigned block_rank = 1, thread_rank = 1;  // how many of the indices count

    const char* array = nullptr;
    int64_t index = 0;   // in elements; negative, or not below `count`, when out of bounds
    uint64_t count = 0;
    uintptr_t address = 0;
    unsigned size = 0;

    // The second thread of a race or of a wait.
    bool has_other = false;
    Action other_action = Action::NONE;
    Place other_place;
    uint3 other_block{}, other_thread{};

    unsigned threads = 0, of_threads = 0;  // how many are concerned
    unsigned mask = 0, lane = 0;
    char text[120] = "";
    uint64_t times = 1;

    bool comes_before(const Fault& other) const {
        return block_number != other.block_number ? block_number < other.block_number : thread_number < other.thread_number;
    }
    bool same_finding(const Fault& other) const {
        return kind == other.kind && action == other.action && place == other.place && array == other.array;
    }
};

// The findings of one case: each once, with how often it was seen. Of several threads the first is told, in the order
// of blocks: which worker was faster, or who ran first after a barrier, makes no difference.
class Faults {
public:
    static constexpr unsigned MOST = 32;

    void clear() { count_ = 0, total_ = 0; }

    void add(const Fault& fault) {
        Guard guard(lock_);
        ++total_;
        for (unsigned i = 0; i < count_; ++i) {
            Fault& known = list_[i];
            if (!known.same_finding(fault)) continue;
            const uint64_t times = known.times + 1;
            if (fault.comes_before(known)) known = fault;
            known.times = times;
            return;
        }
        if (count_ < MOST) list_[count_++] = fault;
    }

    bool any(Kind kind) const {
        for (const Fault& fault : *this) {
            if (fault.kind == kind) return true;
        }
        return false;
    }

    const Fault* begin() const { return list_; }
    const Fault* end() const { return list_ + count_; }
    uint64_t total() const { return total_; }

private:
    Spinlock lock_;
    Fault list_[MOST];
    unsigned count_ = 0;
    uint64_t total_ = 0;
};

}  // namespace simt
