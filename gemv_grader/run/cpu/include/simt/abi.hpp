// The boundary between a program and the runtime: what compiled device and host code may call.
//
// The runtime is compiled once, without instrumentation; a program is compiled with it. So whatever has to look at
// memory or at other threads crosses this boundary as a call.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace simt {

enum Axis : unsigned { X, Y, Z };

// What the lanes named by a mask do together. Signed and unsigned minima differ; sums and bit operations do not.
enum class Collective : unsigned {
    SHUFFLE, SYNC, BALLOT, ANY, ALL, MATCH_ANY, MATCH_ALL,
    ADD, MIN_SIGNED, MAX_SIGNED, MIN_UNSIGNED, MAX_UNSIGNED, AND, OR, XOR,
    ACTIVE  // __activemask
};

enum class Vote : unsigned { COUNT, AND, OR };

enum class Rounding : unsigned { NEAREST, ZERO, UP, DOWN };

}  // namespace simt

extern "C" {

// Position of the calling thread. They are constant for a thread, and a thread never leaves its stack, so the
// compiler may keep the answers: hence `const`.
__attribute__((const)) unsigned simt_thread_index(simt::Axis axis) noexcept;
__attribute__((const)) unsigned simt_block_index(simt::Axis axis) noexcept;
__attribute__((const)) unsigned simt_block_dim(simt::Axis axis) noexcept;
__attribute__((const)) unsigned simt_grid_dim(simt::Axis axis) noexcept;
__attribute__((const)) unsigned simt_lane() noexcept;

// Wait until all threads of the block are here. The vote says how many, whether all or any, had a true `predicate`.
void simt_barrier(int line) noexcept;
int simt_barrier_vote(simt::Vote kind, int predicate, int line) noexcept;

// Wait until all live lanes in `mask` are here with the same `kind` and `mask`; returns this lane's result.
// `source` is the lane a shuffle reads, counted in the warp.
uint64_t simt_collective(simt::Collective kind, unsigned mask, uint64_t value, unsigned source, int line) noexcept;

unsigned simt_active(int line) noexcept;  // __activemask

void simt_fence(int line) noexcept;
[[noreturn]] void simt_trap(int line) noexcept;
void* simt_dynamic_shared() noexcept;

// Run `body(closure)` once per thread of the grid; returns when all are done.
void simt_launch(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, void (*body)(void*),
                 void* closure) noexcept;

// Arithmetic with a directed rounding, which compilers cannot express.
float simt_round_float(char operation, float a, float b, float c, simt::Rounding rounding) noexcept;
double simt_round_double(char operation, double a, double b, double c, simt::Rounding rounding) noexcept;

// Device memory of the program's own, besides the arrays that the grader passes.
void* simt_allocate(size_t bytes) noexcept;
bool simt_release(void* address) noexcept;
// What a program's calls of the C library's functions become: the compiler does not instrument the library.
void* simt_memcpy(void* to, const void* from, size_t bytes) noexcept;
void* simt_memmove(void* to, const void* from, size_t bytes) noexcept;
void* simt_memset(void* to, int byte, size_t bytes) noexcept;
void* simt_malloc(size_t bytes) noexcept;
void simt_free(void* address) noexcept;

// What the host runtime's copies do: the memory counts as written afterwards.
void simt_copy(void* to, const void* from, size_t bytes) noexcept;
void simt_fill(void* to, int byte, size_t bytes) noexcept;
int simt_take_error(bool clear) noexcept;
void simt_allow_shared(size_t bytes) noexcept;

}  // extern "C"
