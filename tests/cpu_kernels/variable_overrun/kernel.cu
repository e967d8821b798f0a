#include <cuda_runtime.h>

__device__ float table[4];

__global__ void fill() { table[threadIdx.x] = threadIdx.x; }

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    fill<<<1, 5, 0, stream>>>();
}
