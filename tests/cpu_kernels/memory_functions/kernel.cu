#include <cuda_runtime.h>
#include <cstring>

__global__ void copy(const float* x, float* y) {
    __shared__ float s[8];
    float local[4];
    if (threadIdx.x == 0) {
        memset(s, 0, sizeof s);
        std::memcpy(local, x, sizeof local);
        memcpy(s + 2, local, sizeof local);
        memcpy(y, s, sizeof s);
        memcpy(y, x, 9 * sizeof(float));
    }
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    copy<<<1, 32, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
