#include <cuda_runtime.h>

__global__ void votes(const int* x, int* y) {
    int count = __syncthreads_count(x[threadIdx.x] > 50);
    int all = __syncthreads_and(x[threadIdx.x] >= 0), none = !__syncthreads_or(x[threadIdx.x] > 1000);
    int rounds = 0;
    while (__syncthreads_or(rounds < x[threadIdx.x])) ++rounds;
    if (threadIdx.x == 0) y[0] = count, y[1] = all, y[2] = none, y[3] = rounds;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    votes<<<1, 100, 0, stream>>>((const int*)buffers[0], (int*)buffers[1]);
}
