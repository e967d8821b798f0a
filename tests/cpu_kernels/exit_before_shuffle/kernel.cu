#include <cuda_runtime.h>

__global__ void neighbours(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float right = __shfl_down_sync(0xffffffff, x[i], 1);
    y[i] = i + 1 < n ? right : 0.0f;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    neighbours<<<1, 32, 0, stream>>>((const float*)buffers[0], (float*)buffers[1], sizes[0]);
}
