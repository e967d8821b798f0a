#include <cuda_runtime.h>

__global__ void wild(float* y) {
    *(float*)(0x123456789abcull + threadIdx.x * 4) = 1.0f;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    wild<<<1, 16, 0, stream>>>((float*)buffers[0]);
}
