#include <cuda_runtime.h>

__device__ float table[4] = {1, 2, 3, 4};

__global__ void choose(const float* x, float* y, int n, int flag) {
    __shared__ float s[32];
    __shared__ float total;
    const int lane = threadIdx.x & 31;
    if (threadIdx.x < 8) s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float value = threadIdx.x < 8 ? s[lane] : 0.0f;
    for (int i = 0; i < n; ++i) {
        if (flag) value += total + s[31];
        if (i < 8) value += s[i & 31];
        value += table[i & 3];
    }
    y[threadIdx.x] = value + (flag ? s[20] : 0.0f);
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    choose<<<1, 64, 0, stream>>>((const float*)buffers[0], (float*)buffers[1], sizes[0], sizes[1]);
}
