#include <cuda_runtime.h>

__global__ void compute(const float* x, float* y, int* z) {
    if (threadIdx.x) return;
    const float third = x[0] / 3.0f;
    y[0] = __fadd_ru(1.0f, 0x1p-30f), y[1] = __fadd_rd(1.0f, 0x1p-30f), y[2] = __fmul_rz(third, 3.0f);
    y[3] = fmaf(third, 3.0f, -1.0f), y[4] = __fmul_rn(0x1p-100f, 0x1p-40f), y[5] = __fdividef(1.0f, 4.0f);
    y[6] = rsqrtf(16.0f), y[7] = __saturatef(7.0f), y[8] = __int_as_float(0x40490fdb), y[9] = __fmaf_ru(third, 3.0f, 0x1p-40f);
    y[10] = __uint2float_rz(0xffffffffu), y[11] = __double2float_ru(1.0 + 0x1p-40), y[12] = min(2.0f, 3.5f), y[13] = max(-1.0f, NAN);
    z[0] = __float2int_rn(2.5f), z[1] = __float2int_rz(-2.7f), z[2] = __float2int_ru(2.1f), z[3] = __float2int_rd(3e10f);
    z[4] = __popc(0xf0f0u), z[5] = __clz(1), z[6] = __ffs(8), z[7] = __brev(1u) >> 31, z[8] = __float_as_int(1.0f);
    z[9] = __mulhi(1 << 30, 8), z[10] = min(3u, 5), z[11] = __umul24(0x1000001u, 3u), z[12] = __float2int_rn(NAN);
    z[13] = __funnelshift_l(0x80000000u, 1u, 1), z[14] = warpSize, z[15] = abs(-4);
}

extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    compute<<<1, 32, 0, stream>>>((const float*)buffers[0], (float*)buffers[1], (int*)buffers[2]);
}
