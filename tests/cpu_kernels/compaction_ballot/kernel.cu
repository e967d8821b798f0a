#include <cuda_runtime.h>

__device__ int claim(int* counter) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    return base + __popc(active & ((1u << lane) - 1));
}

__global__ void compact(const int* x, int* y, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) y[claim(count)] = x[i];
    if (i < n && __ballot_sync(__activemask(), x[i] % 3 == 1) == 0 && x[i] > 1000000) y[0] = -1;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    cudaMemset(buffers[2], 0, sizeof(int));
    compact<<<1, 128, 0, stream>>>((const int*)buffers[0], (int*)buffers[1], (int*)buffers[2], sizes[0]);
}
