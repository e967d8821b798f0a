// One worker runs one block at a time on one operating-system thread; its CUDA threads are fibers on it.
//
// A thread runs until it has to wait: at a barrier for its block, in a collective for lanes of its warp. Then the
// worker switches straight to the next thread that can run, first in the same warp, whose stacks are in the cache.
#pragma once

#include <atomic>

#include "../include/simt/abi.hpp"
#include "events.hpp"
#include "memory.hpp"
#include "stack.hpp"

namespace simt {

struct Launch {
    uint3 grid{}, block{};
    size_t shared_bytes = 0;
    void (*body)(void*) = nullptr;
    void* closure = nullptr;

    uint32_t number = 0;  // counts launches
    uint64_t blocks = 0;
    unsigned threads = 0;       // of a block
    uint64_t sample_every = 0;  // log every n-th block; 0: none
    uint64_t traced = NO_BLOCK;
    std::atomic<uint64_t> next{0};         // block to hand out
    std::atomic<uint64_t> last{NO_BLOCK};  // lowest block with a fatal fault: later ones need not run
    std::atomic<bool> fenced{false};       // some thread used __threadfence

    uint3 block_at(uint64_t n) const {
        return {static_cast<unsigned>(n % grid.x), static_cast<unsigned>(n / grid.x % grid.y),
                static_cast<unsigned>(n / grid.x / grid.y)};
    }
    uint3 thread_at(unsigned n) const { return {n % block.x, n / block.x % block.y, n / block.x / block.y}; }
    static unsigned rank(uint3 extent) { return extent.z > 1 ? 3 : extent.y > 1 ? 2 : 1; }
};

struct alignas(64) Thread : Resumable {
    uint64_t value = 0;   // its own, in a collective
    unsigned source = 0;  // the lane it reads
    Collective kind{};
    int line = 0;         // of the call it waits in
    uint3 index{};
    uint16_t number = 0;
    bool idle = true;  // between two blocks

    unsigned lane() const { return number % 32u; }
    unsigned bit() const { return 1u << lane(); }
};

// Lanes that wait in the same collective. For __activemask the mask holds the line: its lanes are those that come.
struct Group {
    uint64_t key;  // kind and mask
    unsigned arrived;

    static uint64_t key_of(Collective kind, unsigned mask) { return uint64_t{static_cast<unsigned>(kind)} << 32 | mask; }
    Collective kind() const { return static_cast<Collective>(key >> 32); }
    unsigned mask() const { return static_cast<unsigned>(key); }
};

struct Warp {
    unsigned ready = 0, live = 0;
    unsigned groups = 0;
    uint32_t epoch = 0;  // clock of the last __syncwarp
    Thread* threads = nullptr;
    Group group[32];

    Group& join(uint64_t key);
    Group take(Group& from) {
        const Group taken = from;
        from = group[--groups];
        return taken;
    }
};

// Who stops and who goes on; none if the running thread just goes on.
struct Switch {
    Thread* from;
    Thread* to;

    explicit operator bool() const { return from != nullptr; }
    // In tail position: then a waiting thread's stack holds no frame of ours.
    uint64_t make() const { return switch_stack(from, to); }
};

class Worker {
public:
    static constexpr unsigned MOST_THREADS = 1024;

    bool start(bool checked);
    void run(Launch& launch);  // blocks until there are none left

    // Called on a thread's stack when it comes to a call that may wait: they record what it came for and say who goes
    // on meanwhile. The quick ones serve threads that are neither the first nor the last to come, with nothing
    // special about them; where they do not apply they change nothing, and give none.
    Switch join_barrier_quickly(int line);
    Switch join_collective_quickly(Collective kind, unsigned mask, uint64_t value, unsigned source, int line);
    Switch join_barrier(int predicate, int line);
    Switch join_collective(Collective kind, unsigned mask, uint64_t value, unsigned source, int line);
    Switch join_active(int line);
    // And when it goes on.
    int agreement(Vote kind) const;
    void note_barrier();
    void note_collective();

    // Tell a fault; one that is fatal abandons the block, and the call does not return.
    void report(const Fault& fault);
    Fault fault(Kind kind, const Thread& thread) const;
    Fault fault(Kind kind) const { return fault(kind, *running); }

    // Complete what the checker left open, and obey `stop`.
    void attend(Place place) {
        if (attention.load(std::memory_order_relaxed)) attend_now(place);
    }
    Party party(uintptr_t pc) const;

    bool in_thread() const { return running && running != &own_stack_; }
    const Stacks& stacks() const { return stacks_; }

    Thread* running = nullptr;
    Launch* launch = nullptr;
    uint3 block{};
    uint64_t block_number = 0;

    // For the checker. `attention` is set when an access must not take the short way: a write is open, a log is
    // kept, or the launch is to stop.
    std::atomic<bool> attention{false}, stop{false};
    Log* log = nullptr;
    char* shared = nullptr;
    Cell* shared_cells = nullptr;
    uint32_t blocks_run = 0;
    uint32_t clock = 0, block_epoch = 0;  // see Party

    // A write that the checker was told of; it has happened when the worker looks again.
    struct OpenWrite {
        Cell* cells = nullptr;
        char* address = nullptr;
        unsigned size = 0;
        size_t entry = 0;    // in the log
        bool raced = false;  // with another write: harmless if both wrote the same
        Fault race;
    } open;

private:
    static void enter_thread();
    void open_stacks(unsigned threads);
    void begin_block(uint64_t number);
    void end_block();
    Switch end_thread();
    [[noreturn]] void abandon_block();

    Switch switch_to_next();
    Switch switch_in_warp();
    bool find_ready_warp();
    void wake(Warp& warp, unsigned lanes);
    void release_barrier();
    void finish(Warp& warp, const Group& group);
    void shuffle(Warp& warp, const Group& group);
    bool release_active(Warp& warp);
    void report_deadlock();
    void attend_now(Place place);
    void refuse_mask(unsigned mask);

    Stacks stacks_;
    Log own_log_;
    Thread own_stack_;  // of the worker itself, which hands out blocks
    Thread threads_[MOST_THREADS];
    unsigned opened_ = 0;  // stacks that exist so far
    uint3 shape_{};        // block dimensions that the threads' indices stand for
    Warp warps_[MOST_THREADS / 32];
    Warp* warp_ = warps_;       // that of the running thread
    unsigned ready_warps_ = 0;  // those in which a thread may be ready
    unsigned live_ = 0;
    bool abandoned_ = false;

    // Threads gather at a barrier; `passed_` and `agreed_` are what the last one gave.
    unsigned gathered_ = 0, agreeing_ = 0, passed_ = 0, agreed_ = 0;
    Thread* first_there_ = nullptr;
    Thread* elsewhere_ = nullptr;  // waits at a barrier of another line
};

// The worker of this operating-system thread; null where host code runs.
extern __thread Worker* worker;

}  // namespace simt
