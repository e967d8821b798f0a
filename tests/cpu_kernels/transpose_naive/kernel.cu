#include <cuda_runtime.h>

__global__ void transpose(const float* x, float* y, int n) {
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    y[column * n + row] = x[row * n + column];
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    transpose<<<dim3(sizes[0] / 32, sizes[0] / 8), dim3(32, 8)>>>((const float*)buffers[0], (float*)buffers[1], sizes[0]);
}
