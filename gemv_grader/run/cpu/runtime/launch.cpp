// Runs a launch on the workers, and watches that no block runs for ever.
//
// A block that exceeds its processor time is first asked to stop: instrumented accesses and synchronising calls look
// at a flag. One that makes none (`while (true) {}`) is found by a signal, whose handler sees where it is; its stack
// cannot be trusted to go on, so the process ends with that case.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "session.hpp"

namespace simt {

namespace {

constexpr unsigned MOST_WORKERS = 64;
constexpr long TICK_NANOSECONDS = 20'000'000;
constexpr double GRACE_SECONDS = 0.2;

double seconds_of(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Pool {
public:
    void start(unsigned count);
    void run(Launch& launch);
    void crashed() { crashed_ = true, sem_post(&finished_); }

private:
    struct Member {
        Worker worker;
        pthread_t thread;
        clockid_t clock;
        // The block it was in when last looked at, and its processor time when that block was first seen.
        uint32_t watched = 0;
        double since = 0;
    };
    static void* enter(void* member);
    void watch();

    Member* members_ = nullptr;
    unsigned count_ = 0;
    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
    Launch* launch_ = nullptr;
    sem_t finished_;
    std::atomic<bool> crashed_{false};
};

Pool pool;

void Pool::start(unsigned count) {
    count_ = count;
    members_ = new Member[count];
    sem_init(&finished_, 0, 0);
    for (unsigned i = 0; i < count; ++i) {
        if (pthread_create(&members_[i].thread, nullptr, enter, &members_[i]) != 0) session.give_up("cannot start a worker thread");
        pthread_getcpuclockid(members_[i].thread, &members_[i].clock);
    }
}

void* Pool::enter(void* argument) {
    Worker& self = static_cast<Member*>(argument)->worker;
    static thread_local char signal_stack[64 * 1024];
    stack_t stack{};
    stack.ss_sp = signal_stack, stack.ss_size = sizeof signal_stack;
    sigaltstack(&stack, nullptr);
    if (!self.start(session.checked)) session.give_up("no address space for a worker");

    uint32_t served = 0;
    for (;;) {
        pthread_mutex_lock(&pool.lock_);
        while (!pool.launch_ || pool.launch_->number == served) pthread_cond_wait(&pool.changed_, &pool.lock_);
        Launch& launch = *pool.launch_;
        pthread_mutex_unlock(&pool.lock_);
        served = launch.number;
        self.run(launch);
        sem_post(&pool.finished_);
    }
}

void Pool::run(Launch& launch) {
    for (unsigned i = 0; i < count_; ++i) members_[i].worker.stop = false;
    pthread_mutex_lock(&lock_);
    launch_ = &launch;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&lock_);
    for (unsigned done = 0; done < count_;) {
        timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_NANOSECONDS;
        if (until.tv_nsec >= 1'000'000'000) until.tv_nsec -= 1'000'000'000, ++until.tv_sec;
        if (sem_timedwait(&finished_, &until) == 0) {
            ++done;
        } else if (errno == ETIMEDOUT) {
            watch();
        }
        if (crashed_) session.end_crashed();
    }
    launch_ = nullptr;
}

void Pool::watch() {
    for (unsigned i = 0; i < count_; ++i) {
        Member& member = members_[i];
        const uint32_t block = __atomic_load_n(&member.worker.blocks_run, __ATOMIC_RELAXED);
        const double now = seconds_of(member.clock);
        if (block != member.watched) {
            member.watched = block, member.since = now;
        } else if (__atomic_load_n(&member.worker.launch, __ATOMIC_RELAXED)) {
            const double spent = now - member.since;
            if (spent > session.block_seconds) member.worker.stop = true, member.worker.attention = true;
            if (spent > session.block_seconds + GRACE_SECONDS) pthread_kill(member.thread, SIGUSR1);
        }
    }
}

bool refuse(const char* format, unsigned value) {
    Fault found;
    found.kind = Kind::LAUNCH_CONFIGURATION;
    snprintf(found.text, sizeof found.text, format, value);
    session.faults.add(found);
    session.last_error = 9;  // cudaErrorInvalidConfiguration
    return false;
}

// The limits of all GPUs since compute capability 3.0.
bool acceptable(const unsigned grid[3], const unsigned block[3], size_t shared_bytes) {
    for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned most_blocks = axis == 0 ? 0x7fffffff : 65535, most_threads = axis == 2 ? 64 : 1024;
        if (grid[axis] == 0 || block[axis] == 0) return refuse("an empty grid or block (dimension %u is 0)", axis);
        if (grid[axis] > most_blocks) return refuse("%u blocks in one dimension", grid[axis]);
        if (block[axis] > most_threads) return refuse("%u threads in one dimension", block[axis]);
    }
    const unsigned threads = block[0] * block[1] * block[2];
    if (threads > Worker::MOST_THREADS) return refuse("%u threads in a block", threads);
    if (shared_bytes > session.most_shared) return refuse("%u bytes of shared memory", static_cast<unsigned>(shared_bytes));
    return true;
}

}  // namespace

void start_workers(unsigned count) { pool.start(count < MOST_WORKERS ? count : MOST_WORKERS); }
void note_crash() { pool.crashed(); }

}  // namespace simt

void simt_launch(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, void (*body)(void*),
                 void* closure) noexcept {
    using namespace simt;
    static uint32_t launches = 0;
    if (worker) {
        Fault found = worker->fault(Kind::UNSUPPORTED);
        found.fatal = true;
        snprintf(found.text, sizeof found.text, "a launch from device code");
        worker->report(found);
    }
    if (!acceptable(grid, block, shared_bytes)) return;
    Launch launch;
    launch.grid = {grid[0], grid[1], grid[2]}, launch.block = {block[0], block[1], block[2]};
    launch.shared_bytes = shared_bytes;
    launch.body = body, launch.closure = closure;
    launch.number = ++launches;
    launch.blocks = uint64_t{grid[0]} * grid[1] * grid[2];
    launch.threads = block[0] * block[1] * block[2];
    launch.traced = session.traced;
    // Spread over the grid, so that rows of every alignment are among them.
    if (session.sample_blocks) launch.sample_every = (launch.blocks + session.sample_blocks - 1) / session.sample_blocks;
    image.dynamic->bytes = shared_bytes;
    pool.run(launch);
    session.note_launch(launch);
    if (launch.last != NO_BLOCK) session.last_error = 719;  // cudaErrorLaunchFailure
}
