#include <cuda_runtime.h>

constexpr int T = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int k, int n) {
    __shared__ float a[T][T], b[T][T];
    const int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < k; start += T) {
        a[threadIdx.y][threadIdx.x] = row < m && start + threadIdx.x < k ? A[row * k + start + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] = column < n && start + threadIdx.y < k ? B[(start + threadIdx.y) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) C[row * n + column] = sum;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    dim3 grid((sizes[2] + T - 1) / T, (sizes[0] + T - 1) / T);
    matmul<<<grid, dim3(T, T), 0, stream>>>((const float*)buffers[0], (const float*)buffers[1], (float*)buffers[2], sizes[0], sizes[1], sizes[2]);
}
