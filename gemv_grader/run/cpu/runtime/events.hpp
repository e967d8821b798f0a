// A log of what the threads of one block did, kept for sampled blocks only. Coalescing is counted from it, and
// `trace` prints it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "memory.hpp"

namespace simt {

enum class Event : uint8_t { READ, WRITE, ATOMIC, COLLECTIVE, BARRIER, END };

struct Entry {
    uint64_t address;  // of an access; for a collective the lane's own value
    uint64_t offset;   // of an access in its array
    uint64_t value;    // read, or written, or the collective's result
    const Array* array;
    Place place;
    uint32_t size;
    uint16_t thread;
    Event event;
    uint8_t detail;  // which collective
    uint8_t source;  // lane that a shuffle reads
};

class Log {
public:
    static constexpr size_t MOST = 1 << 18;

    bool reserve() {
        void* memory = mmap(nullptr, MOST * sizeof(Entry), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        entries_ = memory == MAP_FAILED ? nullptr : static_cast<Entry*>(memory);
        return entries_ != nullptr;
    }
    void clear() { count_ = 0, full_ = false; }

    // Index of the entry, whose value may be completed later; MOST when the log is full.
    size_t add(const Entry& entry) {
        if (count_ == MOST) {
            full_ = true;
            return MOST;
        }
        entries_[count_] = entry;
        return count_++;
    }
    void complete(size_t index, uint64_t value) {
        if (index < count_) entries_[index].value = value;
    }

    const Entry* begin() const { return entries_; }
    const Entry* end() const { return entries_ + count_; }
    bool full() const { return full_; }

private:
    Entry* entries_ = nullptr;
    size_t count_ = 0;
    bool full_ = false;
};

}  // namespace simt
