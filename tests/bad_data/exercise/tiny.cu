#include <cuda_runtime.h>

__global__ void scale_kernel(const float* x, const float* shift, float* y, int N) {
    int i = blockIdx.x;
    if (i >= N) return;
    y[i] = ______;
}

void launch_scale(const float* x, const float* shift, float* y, int N, cudaStream_t stream) {
    scale_kernel<<<N, 1, 0, stream>>>(x, shift, y, N);
}
