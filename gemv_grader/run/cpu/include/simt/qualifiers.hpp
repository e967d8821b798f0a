// CUDA's keywords as C++ attributes.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))

// One block runs on one worker at a time, so memory shared by a block is memory private to a worker. At block scope
// `thread_local` alone implies static storage.
#define __shared__ thread_local

// Parts two variables of shared memory; rewrite.py puts it before each.
#define SIMT_FENCE(number) __attribute__((used)) thread_local char simt_fence_##number[128];

// Before version 16 clang leaves its own copies of objects to the C library, unannounced.
#ifdef __clang__
#if __has_feature(thread_sanitizer)
asm(".set memcpy, simt_memcpy\n.set memmove, simt_memmove\n.set memset, simt_memset");
#endif
#endif

// Programs ask this to tell the device pass from the host pass. There is one pass here, for a GPU of this level.
#define __CUDA_ARCH__ 800
#define __CUDACC__ 1
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
