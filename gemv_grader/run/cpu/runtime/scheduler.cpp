// Which thread of a block runs next, and how a block begins and ends.
#include <string.h>

#include "session.hpp"
#include "worker.hpp"

namespace simt {

__thread Worker* worker;

namespace {

unsigned first_of(unsigned bits) { return static_cast<unsigned>(__builtin_ctz(bits)); }

}  // namespace

bool Worker::start(bool checked) {
    worker = this;
    shared = image.shared_base();
    for (unsigned i = 0; i < MOST_THREADS; ++i) threads_[i].number = static_cast<uint16_t>(i);
    for (unsigned w = 0; w < MOST_THREADS / 32; ++w) warps_[w].threads = &threads_[32 * w];
    if (checked) {
        const size_t bytes = (image.shared_bytes / 4 + 2) * sizeof(Cell);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED || !own_log_.reserve()) return false;
        shared_cells = static_cast<Cell*>(memory);
    }
    return stacks_.reserve(MOST_THREADS);
}

void Worker::run(Launch& work) {
    launch = &work;
    open_stacks(work.threads);
    for (;;) {
        const uint64_t number = work.next.fetch_add(1, std::memory_order_relaxed);
        if (number >= work.blocks || number > work.last.load(std::memory_order_relaxed)) break;
        begin_block(number);
        running = &own_stack_;
        switch_in_warp().make();
        end_block();
    }
    launch = nullptr;
}

void Worker::open_stacks(unsigned threads) {
    for (; opened_ < threads; ++opened_) {
        if (!stacks_.open(opened_)) session.give_up("no memory for the stacks of a block");
        threads_[opened_].stack = prepare_stack(stacks_.low(opened_), stacks_.top(opened_), enter_thread);
    }
    if (memcmp(&shape_, &launch->block, sizeof shape_) != 0) {
        shape_ = launch->block;
        for (unsigned i = 0; i < threads; ++i) threads_[i].index = launch->thread_at(i);
    }
}

void Worker::begin_block(uint64_t number) {
    block_number = number, block = launch->block_at(number);
    ++blocks_run;
    block_epoch = ++clock;
    const bool logged = number == launch->traced || (launch->sample_every && number % launch->sample_every == 0);
    log = shared_cells && logged ? &own_log_ : nullptr;
    attention = log || stop;

    live_ = launch->threads;
    gathered_ = agreeing_ = 0, elsewhere_ = nullptr;
    abandoned_ = false;
    const unsigned warps = (live_ + 31) / 32;
    for (unsigned w = 0; w < warps; ++w) {
        const unsigned lanes = live_ - 32 * w;
        warps_[w].ready = warps_[w].live = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        warps_[w].groups = 0;
    }
    ready_warps_ = warps == 32 ? ~0u : (1u << warps) - 1;
    warp_ = &warps_[0];
}

void Worker::end_block() {
    if (abandoned_) {
        open = OpenWrite();
        for (unsigned i = 0; i < launch->threads; ++i) {
            if (threads_[i].idle) continue;
            threads_[i].idle = true;
            threads_[i].stack = prepare_stack(stacks_.low(i), stacks_.top(i), enter_thread);
        }
    }
    if (log) {
        session.take_log(*this, *log);
        log->clear();
        log = nullptr;
    }
}

// A thread's stack lives on from block to block: it waits in the switch below until the next one begins.
void Worker::enter_thread() {
    Worker& self = *worker;
    for (;;) {
        self.running->idle = false;
        self.launch->body(self.launch->closure);
        self.end_thread().make();
    }
}

Switch Worker::end_thread() {
    attend({});
    Thread& me = *running;
    Warp& warp = *warp_;
    if (log) log->add({0, 0, 0, nullptr, {}, 0, me.number, Event::END, 0, 0});
    warp.live &= ~me.bit();
    --live_;
    for (unsigned g = 0; g < warp.groups;) {
        Group& group = warp.group[g];
        if (group.kind() != Collective::ACTIVE && group.arrived == (group.mask() & warp.live)) {
            const Group done = warp.take(group);
            finish(warp, done);
            wake(warp, done.arrived);
        } else {
            ++g;
        }
    }
    if (live_ && gathered_ == live_) release_barrier();
    me.idle = true;
    return switch_to_next();
}

void Worker::abandon_block() {
    abandoned_ = true;
    Thread& never_resumed = *running;
    running = &own_stack_;
    switch_stack(&never_resumed, &own_stack_);
    __builtin_unreachable();
}

// Go on with another thread of this warp; there must be one.
inline Switch Worker::switch_in_warp() {
    Thread* const me = running;
    const unsigned ready = warp_->ready;
    warp_->ready = ready & (ready - 1);
    running = warp_->threads + first_of(ready);
    return {me, running};
}

Switch Worker::switch_to_next() {
    Thread* const me = running;
    if (!warp_->ready && !find_ready_warp()) {
        running = &own_stack_;
        return {me, &own_stack_};
    }
    const Switch next = switch_in_warp();
    return running == me ? Switch{nullptr, nullptr} : next;
}

// Make `warp_` one with a thread that can run; false when the block has ended.
bool Worker::find_ready_warp() {
    while (!warp_->ready) {
        if (warp_->groups && release_active(*warp_)) break;
        ready_warps_ &= ~(1u << (warp_ - warps_));
        if (!ready_warps_) {
            if (live_) report_deadlock();
            return false;
        }
        warp_ = &warps_[first_of(ready_warps_)];
    }
    return true;
}

void Worker::wake(Warp& warp, unsigned lanes) {
    if (!lanes) return;
    warp.ready |= lanes;
    ready_warps_ |= 1u << (&warp - warps_);
}

// Every live thread waits for something that will not come: name one that waits, and one it waits for.
void Worker::report_deadlock() {
    for (unsigned w = 0; w < MOST_THREADS / 32; ++w) {
        if (!warps_[w].live || !warps_[w].groups) continue;
        const Group& group = warps_[w].group[0];
        const Thread& waiter = threads_[32 * w + first_of(group.arrived)];
        const unsigned missing = group.mask() & warps_[w].live & ~group.arrived;
        Fault found = fault(Kind::DEADLOCK, waiter);
        found.fatal = true;
        found.place.line = waiter.line;
        found.mask = group.mask();
        const Thread& missed = threads_[32 * w + first_of(missing)];
        found.has_other = true;
        found.other_thread = missed.index, found.other_block = block;
        found.other_place.line = missed.line;
        report(found);
    }
    session.give_up("a block stands still, and nothing in it waits");
}

inline Switch Worker::join_barrier_quickly(int line) {
    if (!warp_->ready || gathered_ == 0 || gathered_ + 1 == live_ || line != first_there_->line ||
        attention.load(std::memory_order_relaxed)) {
        return {nullptr, nullptr};
    }
    ++gathered_;
    running->line = line;
    return switch_in_warp();
}

Switch Worker::join_barrier(int predicate, int line) {
    attend({0, line});
    Thread& me = *running;
    me.line = line;
    if (gathered_ == 0) {
        first_there_ = &me;
    } else if (line != first_there_->line && !elsewhere_) {
        elsewhere_ = &me;
    }
    ++gathered_;
    agreeing_ += predicate != 0;
    if (gathered_ < live_) return switch_to_next();
    release_barrier();
    warp_->ready &= ~me.bit();  // the last to come just goes on
    return {nullptr, nullptr};
}

void Worker::note_barrier() {
    log->add({0, 0, 0, nullptr, {0, running->line}, 0, running->number, Event::BARRIER, 0, 0});
}

int Worker::agreement(Vote kind) const {
    switch (kind) {
        case Vote::AND: return agreed_ == passed_;
        case Vote::OR: return agreed_ != 0;
        case Vote::COUNT: break;
    }
    return static_cast<int>(agreed_);
}

void Worker::release_barrier() {
    passed_ = gathered_, agreed_ = agreeing_;
    gathered_ = agreeing_ = 0;
    block_epoch = ++clock;
    const unsigned warps = (launch->threads + 31) / 32;
    for (unsigned w = 0; w < warps; ++w) wake(warps_[w], warps_[w].live);

    if (elsewhere_) {
        Fault found = fault(Kind::BARRIER_DIVERGENCE, *first_there_);
        found.place.line = first_there_->line;
        found.has_other = true;
        found.other_thread = elsewhere_->index, found.other_block = block;
        found.other_place.line = elsewhere_->line;
        elsewhere_ = nullptr;
        report(found);
    } else if (passed_ < launch->threads) {
        Fault found = fault(Kind::BARRIER_AFTER_EXIT, *first_there_);
        found.place.line = first_there_->line;
        found.threads = launch->threads - passed_, found.of_threads = launch->threads;
        report(found);
    }
}

Fault Worker::fault(Kind kind, const Thread& thread) const {
    Fault found;
    found.kind = kind;
    found.block_number = block_number, found.block = block, found.thread = thread.index;
    found.thread_number = thread.number;
    found.block_rank = Launch::rank(launch->grid), found.thread_rank = Launch::rank(launch->block);
    return found;
}

void Worker::report(const Fault& found) {
    session.faults.add(found);
    if (!found.fatal) return;
    uint64_t last = launch->last;
    while (found.block_number < last && !launch->last.compare_exchange_weak(last, found.block_number)) {
    }
    abandon_block();
}

}  // namespace simt
