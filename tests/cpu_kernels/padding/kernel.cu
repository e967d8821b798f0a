#include <cuda_runtime.h>

struct Pair {
    char letter;
    double value;
};
struct Long {
    float values[70];
    char mark;
};

__global__ void shuffle(const float* x, float* y) {
    __shared__ Pair pairs[32];
    __shared__ Long longs[2];
    pairs[threadIdx.x].letter = threadIdx.x;
    pairs[threadIdx.x].value = x[threadIdx.x];
    for (int i = threadIdx.x; i < 70; i += 32) longs[0].values[i] = i;
    if (threadIdx.x == 0) longs[0].mark = 7;
    __syncthreads();
    Pair other = pairs[31 - threadIdx.x];
    if (threadIdx.x == 0) longs[1] = longs[0];
    __syncthreads();
    y[threadIdx.x] = other.value + other.letter + longs[1].values[threadIdx.x + 30] + longs[1].mark;
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    shuffle<<<1, 32, 0, stream>>>((const float*)buffers[0], (float*)buffers[1]);
}
