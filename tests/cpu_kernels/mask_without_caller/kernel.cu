#include <cuda_runtime.h>

__global__ void masked(float* y) {
    y[threadIdx.x] = __shfl_sync(0x0000ffff, (float)threadIdx.x, 0);
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    masked<<<1, 32, 0, stream>>>((float*)buffers[0]);
}
