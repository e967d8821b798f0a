// Where a thread stands in its block and grid, and how the threads of a block wait for each other.
//
// Synchronising functions take their line as a default argument: the compiler may copy a call into several places,
// so an address would not tell whether two threads wait at the same barrier.
#pragma once

#include "vector_types.hpp"

namespace simt {

__attribute__((always_inline)) inline uint3 thread_index() {
    return {simt_thread_index(X), simt_thread_index(Y), simt_thread_index(Z)};
}
__attribute__((always_inline)) inline uint3 block_index() {
    return {simt_block_index(X), simt_block_index(Y), simt_block_index(Z)};
}
__attribute__((always_inline)) inline dim3 block_dim() {
    return {simt_block_dim(X), simt_block_dim(Y), simt_block_dim(Z)};
}
__attribute__((always_inline)) inline dim3 grid_dim() {
    return {simt_grid_dim(X), simt_grid_dim(Y), simt_grid_dim(Z)};
}

// What `extern __shared__ T name[];` becomes: `T* const name = simt::dynamic_shared();`.
struct DynamicShared {
    template <class T>
    operator T*() const { return static_cast<T*>(simt_dynamic_shared()); }
};
inline DynamicShared dynamic_shared() { return {}; }

}  // namespace simt

// Macros, so that the members have CUDA's own types and cost a register.
#define threadIdx (::simt::thread_index())
#define blockIdx (::simt::block_index())
#define blockDim (::simt::block_dim())
#define gridDim (::simt::grid_dim())

constexpr int warpSize = 32;

inline void __syncthreads(int line = __builtin_LINE()) { simt_barrier(line); }
inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return simt_barrier_vote(simt::Vote::COUNT, predicate, line);
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return simt_barrier_vote(simt::Vote::AND, predicate, line);
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return simt_barrier_vote(simt::Vote::OR, predicate, line);
}

inline void __threadfence(int line = __builtin_LINE()) { simt_fence(line); }
inline void __threadfence_system(int line = __builtin_LINE()) { simt_fence(line); }
inline void __threadfence_block() {}

[[noreturn]] inline void __trap(int line = __builtin_LINE()) { simt_trap(line); }
