// The functions of abi.hpp that a program calls, where they are more than a word to the worker.
#include "../include/simt/abi.hpp"

#include <stdio.h>
#include <string.h>

#include "checker.hpp"
#include "session.hpp"

namespace {

unsigned along(uint3 v, simt::Axis axis) { return axis == simt::X ? v.x : axis == simt::Y ? v.y : v.z; }

[[noreturn]] void stop_thread(simt::Kind kind, const char* text, int line) {
    using simt::session;
    simt::Fault found;
    if (simt::worker) found = simt::worker->fault(kind);
    found.kind = kind, found.fatal = true, found.place.line = line;
    snprintf(found.text, sizeof found.text, "%s", text);
    if (simt::worker) simt::worker->report(found);
    session.faults.add(found);
    session.end_crashed();
}

}  // namespace

extern "C" {

unsigned simt_thread_index(simt::Axis axis) noexcept { return along(simt::worker->running->index, axis); }
unsigned simt_block_index(simt::Axis axis) noexcept { return along(simt::worker->block, axis); }
unsigned simt_block_dim(simt::Axis axis) noexcept { return along(simt::worker->launch->block, axis); }
unsigned simt_grid_dim(simt::Axis axis) noexcept { return along(simt::worker->launch->grid, axis); }
unsigned simt_lane() noexcept { return simt::worker->running->number % 32u; }

namespace {

// What is not quick, out of line: the quick functions then need no stack frame and end in a jump to the switch.
[[gnu::noinline]] void barrier_slowly(int predicate, int line) {
    if (const simt::Switch next = simt::worker->join_barrier(predicate, line)) next.make();
    if (simt::worker->log) simt::worker->note_barrier();
}

[[gnu::noinline]] uint64_t collective_slowly(simt::Collective kind, unsigned mask, uint64_t value, unsigned source, int line) {
    if (const simt::Switch next = simt::worker->join_collective(kind, mask, value, source, line)) next.make();
    if (simt::worker->log) simt::worker->note_collective();
    return simt::worker->running->result;
}

}  // namespace

void simt_barrier(int line) noexcept {
    const simt::Switch next = simt::worker->join_barrier_quickly(line);
    if (!next) return barrier_slowly(0, line);
    next.make();
}

int simt_barrier_vote(simt::Vote kind, int predicate, int line) noexcept {
    barrier_slowly(predicate, line);
    return simt::worker->agreement(kind);
}

uint64_t simt_collective(simt::Collective kind, unsigned mask, uint64_t value, unsigned source, int line) noexcept {
    const simt::Switch next = simt::worker->join_collective_quickly(kind, mask, value, source, line);
    return next ? next.make() : collective_slowly(kind, mask, value, source, line);
}

unsigned simt_active(int line) noexcept {
    if (const simt::Switch next = simt::worker->join_active(line)) next.make();
    if (simt::worker->log) simt::worker->note_collective();
    return static_cast<unsigned>(simt::worker->running->result);
}

void simt_fence(int line) noexcept {
    simt::worker->attend({0, line});
    simt::worker->launch->fenced = true;
}

void simt_trap(int line) noexcept { stop_thread(simt::Kind::TRAP, "", line); }
void __assert_fail(const char* expression, const char*, unsigned line, const char*) noexcept {
    stop_thread(simt::Kind::ASSERTION, expression, static_cast<int>(line));
}

void* simt_dynamic_shared() noexcept { return simt_dynamic_memory; }

void* simt_allocate(size_t bytes) noexcept {
    static unsigned count = 0;
    char name[32];
    snprintf(name, sizeof name, "cudaMalloc %u", ++count);
    simt::Array* array = simt::global_memory.add(strdup(name), bytes, 0, simt::Role::ALLOCATED, simt::session.checked);
    return array ? array->base : nullptr;
}

bool simt_release(void* address) noexcept {
    if (!address) return true;
    simt::Array* array = simt::global_memory.allocated_at(address);
    if (array) simt::global_memory.remove(array);
    return array != nullptr;
}

void simt_copy(void* to, const void* from, size_t bytes) noexcept {
    memmove(to, from, bytes);
    simt::mark_written(to, bytes);
}
void simt_fill(void* to, int byte, size_t bytes) noexcept {
    memset(to, byte, bytes);
    simt::mark_written(to, bytes);
}

int simt_take_error(bool clear) noexcept {
    const int error = simt::session.last_error;
    if (clear && error != 719) simt::session.last_error = 0;  // a failed launch stays failed
    return error;
}
void simt_allow_shared(size_t bytes) noexcept {
    if (bytes <= 227 * 1024) simt::session.most_shared = bytes > 48 * 1024 ? bytes : 48 * 1024;
}

}  // extern "C"
