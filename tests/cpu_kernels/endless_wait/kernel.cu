#include <cuda_runtime.h>

__global__ void wait(float* y) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    while (flag == 0) {
    }
    y[threadIdx.x] = 1.0f;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    wait<<<1, 16, 0, stream>>>((float*)buffers[0]);
}
