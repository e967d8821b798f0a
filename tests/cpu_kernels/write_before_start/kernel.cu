#include <cuda_runtime.h>

__global__ void shift(const float* x, float* y) {
    y[(int)threadIdx.x - 1] = x[threadIdx.x];
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    shift<<<1, dim3(4, 4), 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
