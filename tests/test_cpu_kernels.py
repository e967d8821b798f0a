"""Every kernel under ``cpu_kernels``: right results, its faults found and told, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from cpu_kernels import Kernel, load_kernels
from cpu_toolchain import toolchain

from gemv_grader.run.cpu.executable import CpuToolchain, build_executable
from gemv_grader.run.cpu.report import CaseReport
from gemv_grader.run.cpu.runner import Options, run_executable
from gemv_grader.words import Severity, Text

__all__ = ["toolchain"]

KERNELS = load_kernels()
SOUND = [kernel for kernel in KERNELS if not kernel.expected["faults"]]


def run(kernel: Kernel, toolchain: CpuToolchain, *, checked: bool) -> CaseReport:
    """Build and run it, and see that its results are right where they are defined."""
    binary = build_executable(kernel.source, toolchain, checked=checked)
    assert not isinstance(binary, Text), binary
    assert binary.code is not None, binary.diagnostics
    launch = kernel.launch()
    ran = run_executable(
        binary.code, kernel.parameters, [launch], Options(workers=kernel.expected.get("workers", 2), block_seconds=0.3)
    )
    assert ran.ended is None, ran.ended
    for name, values in kernel.results().items():
        np.testing.assert_array_equal(kernel.view(launch, ran.slabs[0], name), values, err_msg=name)
    return ran.reports[0]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_kernel_with_the_checker(kernel: Kernel, toolchain: CpuToolchain) -> None:
    report = run(kernel, toolchain, checked=True)
    said = [
        ("warning: " if fault.severity is Severity.WARNING else "") + fault.message("kernel.cu", kernel.absent).en
        for fault in report.faults
    ]
    assert said == kernel.expected["faults"]
    assert report.crashed == kernel.expected.get("crashed", False)
    for wanted in kernel.expected.get("patterns", []):
        (pattern,) = (p for p in report.patterns if (p.line, p.array) == (wanted["line"], wanted["array"]))
        assert pattern.units / pattern.requests == wanted["units"]
        assert pattern.ideal / pattern.requests == wanted["ideal"]


@pytest.mark.parametrize("kernel", SOUND, ids=lambda kernel: kernel.name)
def test_sound_kernel_without_the_checker(kernel: Kernel, toolchain: CpuToolchain) -> None:
    report = run(kernel, toolchain, checked=False)
    assert not report.faults
    assert not report.crashed
