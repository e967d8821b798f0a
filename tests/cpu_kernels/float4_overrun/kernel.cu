#include <cuda_runtime.h>

__global__ void sums(const float* x, float* y, int n) {
    for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        y[i / 4] = v.x + v.y;
    }
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    sums<<<1, 2, 0, stream>>>((const float*)buffers[0], (float*)buffers[1], sizes[0]);
}
