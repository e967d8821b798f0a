#include <cuda_runtime.h>

__global__ void half(const float* x, float* y) {
    __shared__ float s[64];
    if (threadIdx.x < 32) s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    half<<<2, 64, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
