"""Compiles programs: the device half, which holds a student's fill, and the host half, which does not."""

from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.cache import BuildCache
from gemv_grader.build.device_half import build
from gemv_grader.build.explain import explain
from gemv_grader.build.host_half import build_host_half
from gemv_grader.build.nvcc import Nvcc, find_nvcc
from gemv_grader.build.toolchain import Toolchain

__all__ = [
    "Binary",
    "BuildCache",
    "Diagnostic",
    "Nvcc",
    "Toolchain",
    "build",
    "build_host_half",
    "explain",
    "find_nvcc",
]
