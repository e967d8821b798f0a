#include <cuda_runtime.h>

__global__ void accumulate(const float* x, float* y) {
    y[threadIdx.x] += x[threadIdx.x];
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    accumulate<<<1, 64, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
