#include <cuda_runtime.h>

__global__ void collect(int* y) {
    const int lane = threadIdx.x;
    const unsigned all = 0xffffffff;
    int equal;
    y[lane] = __ballot_sync(all, lane % 2);
    y[32 + lane] = __match_any_sync(all, lane / 8);
    y[64 + lane] = __shfl_up_sync(all, lane, 1, 8);
    y[96 + lane] = __shfl_sync(all, lane, 3, 4);
    y[128 + lane] = __reduce_add_sync(all, lane) + __reduce_max_sync(all, -lane);
    y[160 + lane] = __all_sync(all, lane >= 0) + 2 * __any_sync(all, lane == 7) + 4 * __any_sync(all, lane > 31);
    y[192 + lane] = __match_all_sync(all, 5, &equal) == all && equal;
    if (lane < 10) {
        y[224 + lane] = __shfl_down_sync(0x3ff, lane, 1) + __popc(__activemask());
    } else {
        y[224 + lane] = __shfl_xor_sync(0xfffffc00, lane, 0) + __popc(__activemask());
    }
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    collect<<<1, 32, 0, stream>>>((int*)buffers[0]);
}
