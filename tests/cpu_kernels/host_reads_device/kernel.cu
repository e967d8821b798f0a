#include <cuda_runtime.h>

__global__ void fill(float* y) { y[threadIdx.x] = 2.0f; }

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    float* y = (float*)buffers[0];
    fill<<<1, 8, 0, stream>>>(y);
    cudaDeviceSynchronize();
    y[0] += 1.0f;
}
