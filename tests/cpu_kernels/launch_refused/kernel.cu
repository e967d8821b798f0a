#include <cuda_runtime.h>

__global__ void fill(int* y, int value) { y[0] = value; }

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    fill<<<1, 2048, 0, stream>>>((int*)buffers[0], 1);
    if (cudaGetLastError() == cudaErrorInvalidConfiguration) fill<<<1, 1, 0, stream>>>((int*)buffers[0], 2);
}
