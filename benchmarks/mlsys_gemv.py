"""The GEMV of lesson 3 for mlsys-lab's software GPU: the nearest it can run (no templates, no early return)."""

from __future__ import annotations

KERNEL = """
__global__ void gemv(float* A, float* x, float* bias, float* y, int M, int N) {
    __shared__ float smem[8];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    float sum = 0.0;
    for (int col = tid; col < N; col += 256) { sum += A[row * N + col] * x[col]; }
    for (int offset = 16; offset >= 1; offset = offset / 2) { sum += __shfl_down_sync(0xffffffff, sum, offset); }
    if (tid % 32 == 0) { smem[(tid - tid % 32) / 32] = sum; }
    __syncthreads();
    float total = 0.0;
    if (tid < 8) { total = smem[tid]; }
    for (int step = 4; step >= 1; step = step / 2) { total += __shfl_down_sync(0xffffffff, total, step); }
    if (tid == 0) { y[row] = total + bias[row]; }
}
"""

SCRIPT = f"""
import json, sys, time
import numpy as np
from mlsys.sim import GPU, CudaProgram

rows, columns = 4, int(sys.argv[1])
rng = np.random.default_rng(1)
A, x, bias = rng.standard_normal((rows, columns)), rng.standard_normal(columns), rng.standard_normal(rows)
gpu = GPU(A.size + x.size + 2 * rows, smem_size=8)
memory = np.concatenate([A.ravel(), x, bias, np.zeros(rows)])
gpu.gmem[0 : memory.size] = memory
places = {{"A": 0, "x": A.size, "bias": A.size + columns, "y": A.size + columns + rows, "M": rows, "N": columns}}
program = CudaProgram({KERNEL!r})
start = time.perf_counter()
program.launch(gpu, "gemv", rows, 256, places)
seconds = time.perf_counter() - start
y = np.array(gpu.gmem[places["y"] : places["y"] + rows])
print(json.dumps({{"seconds_per_thread": seconds / (rows * 256), "right": bool(np.allclose(y, A @ x + bias))}}))
"""
