"""The compiler for tests that run programs on the CPU, with one build cache for all of a test run's processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gemv_grader.build.cache import BuildCache
from gemv_grader.run.cpu.compiler import find_compiler
from gemv_grader.run.cpu.executable import CpuToolchain
from gemv_grader.words import Text


@pytest.fixture(scope="session")
def toolchain(tmp_path_factory: pytest.TempPathFactory) -> CpuToolchain:
    """Skips the test where no compiler is."""
    compiler = find_compiler()
    if isinstance(compiler, Text):
        pytest.skip(compiler.en)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return CpuToolchain(compiler, BuildCache(Path(shared) / "cpu-builds"))
