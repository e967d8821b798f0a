#include <cuda_runtime.h>

__global__ void gemv(const float* A, const float* x, const float* bias, float* y, int M, int N) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
    for (int col = 0; col < N; ++col) sum += A[row * N + col] * x[col];
    y[row] = sum + (bias ? bias[row] : 0.0f);
}

void launch_gemv(const float* A, const float* x, const float* bias, float* y, int M, int N, cudaStream_t stream) {
    gemv<<<(M + 255) / 256, 256, 0, stream>>>(A, x, bias, y, M, N);
}
