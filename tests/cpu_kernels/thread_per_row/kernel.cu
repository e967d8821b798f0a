#include <cuda_runtime.h>

__global__ void gemv(const float* A, const float* x, float* y, int m, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m) return;
    float sum = 0.0f;
    for (int column = 0; column < n; ++column) sum += A[row * n + column] * x[column];
    y[row] = sum;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    gemv<<<(sizes[0] + 63) / 64, 64, 0, stream>>>((const float*)buffers[0], (const float*)buffers[1], (float*)buffers[2], sizes[0], sizes[1]);
}
