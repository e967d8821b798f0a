// 练习 03：GEMV 与行级并行        Exercise 03: GEMV, one block per row
//
// 只填一处空：gemv_kernel 里累加局部点积的那个表达式。其余代码请保持原样。
// Fill one blank: the expression in gemv_kernel that adds to the partial dot product. Leave the rest as it is.
//
// 仅编译检查 / compile only:   nvcc -std=c++17 -c 03_gemv.cu -o 03_gemv.o
// 评分 / grade:                gemv-grade submit 03_gemv.cu --answers answers.md
#include <cuda_runtime.h>

namespace {

// 一个 warp 内的求和：每一步把后一半 lane 的值加到前一半上，五步之后 lane 0 拿到 32 个值的和。
// Sum over one warp: each step adds the upper half of the lanes to the lower half; after five, lane 0 holds all 32.
template<int BLOCK_SIZE>
__device__ __forceinline__ float warp_reduce_sum(float val) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
        val += __shfl_down_sync(0xffffffff, val, offset);
    }
    return val;
}

// 整个 block 的求和：各 warp 先各自求和，再由第一个 warp 汇总。只有 0 号线程的返回值有意义。
// Sum over the block: every warp sums its own, then the first warp sums those. Only thread 0's result means anything.
template<int BLOCK_SIZE>
__device__ __forceinline__ float block_reduce_sum(float val) {
    constexpr int NUM_WARPS = (BLOCK_SIZE + 31) / 32;
    __shared__ float smem[NUM_WARPS];

    int lane = threadIdx.x & 31;  // 在 warp 内的位置 / position in the warp
    int warp = threadIdx.x >> 5;  // 第几个 warp / which warp

    val = warp_reduce_sum<BLOCK_SIZE>(val);

    if (lane == 0) {
        smem[warp] = val;
    }
    __syncthreads();

    // 没有对应 warp 的 lane 补 0，不影响和。 / Lanes without a warp of their own add zero.
    val = (threadIdx.x < NUM_WARPS) ? smem[lane] : 0.0f;
    if (warp == 0) {
        val = warp_reduce_sum<BLOCK_SIZE>(val);
    }

    __syncthreads();
    return val;
}

// y = A * x + bias，float32
//   A     [M, N]，行优先：第 row 行从 A + row * N 开始，连续 N 个
//   x     [N]
//   bias  [M]，可以是 nullptr，此时按 0 处理
//   y     [M]
// 每个 block 算 y 的一个元素；block 内的线程分担这一行的各列。
//
//   A     [M, N], row-major: row `row` starts at A + row * N and takes N consecutive elements
//   x     [N]
//   bias  [M], or nullptr, which counts as zero
//   y     [M]
// Each block computes one element of y; the threads of the block share the columns of that row.
template<int BLOCK_SIZE>
__global__ void gemv_kernel(
    const float* __restrict__ A,
    const float* __restrict__ x,
    const float* __restrict__ bias,
    float* __restrict__ y,
    int M,
    int N
) {
    int row = blockIdx.x;
    int tid = threadIdx.x;
    // 启动的 block 可能多于行数：多出的 block 没有行可算。 / More blocks than rows may be launched: the rest leave.
    if (row >= M) return;

    const float* row_A = A + row * N;
    float local_sum = 0.0f;

    // 线程 tid 负责第 tid、tid + BLOCK_SIZE、tid + 2 * BLOCK_SIZE …… 列；N 不必是 BLOCK_SIZE 的倍数。
    // Thread tid takes columns tid, tid + BLOCK_SIZE, tid + 2 * BLOCK_SIZE ...; N need not be a multiple of BLOCK_SIZE.
    for (int col = tid; col < N; col += BLOCK_SIZE) {
        local_sum += [&]{ float y = row_A[col]; y *= x[col]; return y; }();  // TODO: 第 col 列对点积的贡献 / what column col adds to the dot product
    }

    float sum = block_reduce_sum<BLOCK_SIZE>(local_sum);

    // 一行一个结果，由 0 号线程写出。 / One result per row, written by thread 0.
    if (tid == 0) {
        y[row] = sum + (bias ? bias[row] : 0.0f);
    }
}

} // namespace

// 启动 M 个 block，每个 256 线程。 / Launches M blocks of 256 threads.
void launch_gemv(
    const float* A,
    const float* x,
    const float* bias,
    float* y,
    int M,
    int N,
    cudaStream_t stream
) {
    constexpr int BLOCK_SIZE = 256;
    gemv_kernel<BLOCK_SIZE><<<M, BLOCK_SIZE, 0, stream>>>(
        A, x, bias, y, M, N
    );
}
