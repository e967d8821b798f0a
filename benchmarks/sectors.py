"""Sectors per request of global loads: as the CPU runtime counts them, and as the GPU's own profiler does.

    python benchmarks/sectors.py

Needs a GPU, nvcc, ncu (with the right to read hardware counters) and a C++ compiler. Two kernels: the lesson's, one
block for each row, and one thread for each row, which the lesson warns against.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gemv_grader.cases.slab import lay_out
from gemv_grader.exercise import load_exercise
from gemv_grader.mutants import load_mutants
from gemv_grader.program import splice
from gemv_grader.run.cpu.compiler import Compiler, find_compiler
from gemv_grader.run.cpu.executable import CpuToolchain, build_executable
from gemv_grader.run.cpu.runner import Launch, Options, Parameter, run_executable
from gemv_grader.words import Text

ROWS, COLUMNS = 512, 1024
BUFFERS = {"A": (ROWS, COLUMNS), "x": (COLUMNS,), "bias": (ROWS,), "y": (ROWS,)}
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"

THREAD_PER_ROW = """
#include <cuda_runtime.h>
__global__ void gemv(const float* A, const float* x, const float* bias, float* y, int M, int N) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
    for (int col = 0; col < N; ++col) sum += A[row * N + col] * x[col];
    y[row] = sum + bias[row];
}
extern "C" void harness_launch(void* const* b, const int* sizes, int, cudaStream_t stream) {
    gemv<<<(sizes[0] + 127) / 128, 128, 0, stream>>>(
        (const float*)b[0], (const float*)b[1], (const float*)b[2], (float*)b[3], sizes[0], sizes[1]);
}
"""
MAIN = """
int main() {
    void* buffers[4];
    const long counts[4] = {%s};
    for (int i = 0; i < 4; ++i) {
        if (cudaMalloc(&buffers[i], counts[i] * 4) != cudaSuccess) return 1;
        cudaMemset(buffers[i], 0, counts[i] * 4);
    }
    const int sizes[2] = {%d, %d};
    harness_launch(buffers, sizes, 0, nullptr);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def main() -> None:
    """Print both figures for both kernels, and by how much they differ."""
    exercise = load_exercise("03_gemv")
    right = load_mutants(exercise).right[0].fill
    lesson = splice(exercise, right).source + exercise.harness
    for name, source in (("block per row", lesson), ("thread per row", THREAD_PER_ROW)):
        counted, measured = count_on_cpu(source), measure_on_gpu(source)
        difference = abs(counted - measured) / measured
        print(f"{name:<16} counted {counted:6.2f}   measured {measured:6.2f}   differ by {difference:.1%}")


def count_on_cpu(source: str) -> float:
    """Sectors per request of all global loads, every block counted."""
    compiler = find_compiler()
    if not isinstance(compiler, Compiler):
        sys.exit(compiler.en)
    binary = build_executable(source, CpuToolchain(compiler), checked=True)
    if isinstance(binary, Text) or binary.code is None:
        sys.exit(f"the kernel does not build for the CPU: {binary}")
    buffers, size = lay_out(BUFFERS)
    launch = Launch(
        "sectors", np.zeros(size, dtype=np.uint8), tuple((b.offset, b.size) for b in buffers), (ROWS, COLUMNS)
    )
    parameters = [Parameter(name, "output" if name == "y" else "input") for name in BUFFERS]
    ran = run_executable(binary.code, parameters, [launch], Options(sample_blocks=ROWS))
    loads = [p for p in ran.reports[0].patterns if p.memory == "global" and p.action == "read"]
    return sum(p.units for p in loads) / sum(p.requests for p in loads)


def measure_on_gpu(source: str) -> float:
    """The same from the hardware counters."""
    counts = ", ".join(str(int(np.prod(shape))) for shape in BUFFERS.values())
    with tempfile.TemporaryDirectory(prefix="gemv-grade-bench-") as folder:
        program = Path(folder) / "kernel.cu"
        program.write_text(source + MAIN % (counts, ROWS, COLUMNS), encoding="utf-8")
        run(("nvcc", "-std=c++17", "-arch=native", str(program), "-o", f"{folder}/kernel"))
        output = run(
            ("ncu", "--clock-control", "none", "--csv", "--metrics", f"{REQUESTS},{SECTORS}", f"{folder}/kernel")
        )
    table = output[output.index('"ID"') :]
    values = {
        row["Metric Name"]: float(row["Metric Value"].replace(",", "")) for row in csv.DictReader(io.StringIO(table))
    }
    return values[SECTORS] / values[REQUESTS]


def run(command: Sequence[str]) -> str:
    """The command's output. Exits if it fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{' '.join(command)}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


if __name__ == "__main__":
    main()
