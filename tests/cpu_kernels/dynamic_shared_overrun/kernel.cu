#include <cuda_runtime.h>

namespace {

extern __shared__ float s[];

__global__ void shift(const float* x, float* y) {
    s[threadIdx.x + 1] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = threadIdx.x ? s[threadIdx.x] : 0.0f;
}

}  // namespace

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    shift<<<1, 32, 32 * sizeof(float), stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
