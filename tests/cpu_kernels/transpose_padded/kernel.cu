#include <cuda_runtime.h>

__global__ void transpose(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (row + j < rows && column < columns) tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * columns + column];
    }
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (row + j < columns && column < rows) y[(row + j) * rows + column] = tile[threadIdx.x][threadIdx.y + j];
    }
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    dim3 grid((sizes[1] + 31) / 32, (sizes[0] + 31) / 32);
    transpose<<<grid, dim3(32, 8), 0, stream>>>((const float*)buffers[0], (float*)buffers[1], sizes[0], sizes[1]);
}
