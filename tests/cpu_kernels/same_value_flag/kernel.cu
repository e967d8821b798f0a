#include <cuda_runtime.h>

__global__ void any(const int* x, int* y) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (x[blockIdx.x * blockDim.x + threadIdx.x] % 7 == 0) found = 1;
    __syncthreads();
    if (found) y[0] = 1;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    any<<<16, 64, 0, stream>>>((const int*)buffers[0], (int*)buffers[1]);
}
