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
        local_sum += row_A[col] * x[col];  // TODO: 第 col 列对点积的贡献 / what column col adds to the dot product
    }

    float sum = block_reduce_sum<BLOCK_SIZE>(local_sum);

    // 一行一个结果，由 0 号线程写出。 / One result per row, written by thread 0.
    if (tid == 0) {
        y[row] = sum + (bias ? bias[row] : 0.0f);
    }
}

