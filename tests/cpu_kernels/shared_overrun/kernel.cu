#include <cuda_runtime.h>

__global__ void over(const float* x, float* y) {
    __shared__ float a[32];
    __shared__ float b[32], c[32];
    a[threadIdx.x] = b[threadIdx.x] = c[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = a[threadIdx.x + 1];
    y[threadIdx.x] += b[(int)threadIdx.x - 1];
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    over<<<1, 32, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
