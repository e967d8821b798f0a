"""The CPU runner with programs that misbehave: nothing they print, forge or break may count."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from cpu_toolchain import toolchain

from gemv_grader.errors import GraderFault
from gemv_grader.run.cpu.executable import CpuToolchain, build_executable
from gemv_grader.run.cpu.faults import Fault, Site
from gemv_grader.run.cpu.runner import Launch, Options, Parameter, Ran, run_executable
from gemv_grader.words import Severity, Text

__all__ = ["toolchain"]

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <signal.h>
__global__ void kernel(float* y, int n) { %s }
extern "C" void harness_launch(void* const* buffers, const int* sizes, int blocks, cudaStream_t) {
    kernel<<<blocks ? blocks : 1, 8>>>((float*)buffers[0], sizes[0]);
}
"""
PARAMETERS = (Parameter("y", "output"),)
LINE = 6


def launches(count: int, n: int = 8) -> list[Launch]:
    slab = np.full(4096 + 4 * n + 4096, 0xFF, dtype=np.uint8)
    return [Launch(f"case_{number}", slab, ((4096, 4 * n),), (number,)) for number in range(count)]


def run(
    body: str,
    toolchain: CpuToolchain,
    cases: Sequence[Launch] | None = None,
    *,
    checked: bool = True,
    seconds: float = 20,
) -> Ran:
    binary = build_executable(PROGRAM % body, toolchain, checked=checked)
    assert not isinstance(binary, Text), binary
    assert binary.code is not None, binary.diagnostics
    options = Options(workers=2, block_seconds=0.3, seconds=seconds)
    return run_executable(binary.code, PARAMETERS, cases or launches(2), options)


def output(ran: Ran, number: int) -> list[float]:
    return [float(value) for value in ran.slabs[number][4096 : 4096 + 32].view(np.float32)]


def test_every_case_comes_back(toolchain: CpuToolchain) -> None:
    ran = run("y[threadIdx.x] = n;", toolchain, launches(3))
    assert ran.ended is None
    assert [(report.id, report.crashed) for report in ran.reports] == [(f"case_{n}", False) for n in range(3)]
    assert [output(ran, n) for n in range(3)] == [[float(n)] * 8 for n in range(3)]
    for slab in ran.slabs:
        assert np.all(slab[:4096] == 0xFF)
        assert np.all(slab[-4096:] == 0xFF)


def test_a_write_into_a_guard_band_comes_back_too(toolchain: CpuToolchain) -> None:
    ran = run("y[8 + threadIdx.x] = 1.0f; y[-1] = 2.0f;", toolchain, checked=False)
    assert not ran.reports[0].faults
    assert ran.slabs[0][4096 + 32 : 4096 + 64].view(np.float32).tolist() == [1.0] * 8
    assert ran.slabs[0][4092:4096].view(np.float32)[0] == 2.0


def test_the_cases_after_a_crash_still_run(toolchain: CpuToolchain) -> None:
    ran = run("if (n == 1) __trap(); y[threadIdx.x] = n;", toolchain, launches(3))
    assert [report.crashed for report in ran.reports] == [False, True, False]
    assert output(ran, 2) == [2.0] * 8


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("if (n == 1) while (true) {}", "endless"),
        ("if (n == 1) y[1 << 28] = 0;", "out_of_bounds"),
        ("if (n == 1) *(volatile float*)8 = 0;", "null_pointer"),
        ("if (n == 1) *(volatile float*)0x123456789000 = 0;", "illegal_address"),
        ("if (n == 1) abort();", "stopped"),
        ("if (n == 1) raise(SIGILL);", "stopped"),
    ],
)
def test_a_crash_without_the_checker_ends_the_run_and_is_told(body: str, kind: str, toolchain: CpuToolchain) -> None:
    ran = run(body + " y[threadIdx.x] = n;", toolchain, launches(3), checked=False)
    assert ran.ended is None
    assert [report.crashed for report in ran.reports] == [False, True]
    fault = ran.reports[1].faults[0]
    assert fault.kind == kind
    assert fault.fatal
    assert fault.site.block == (0,)
    assert fault.site.line in (LINE, None if kind == "stopped" else LINE)


@pytest.mark.parametrize("body", ["exit(0);", "_exit(0);", "kill(getpid(), SIGKILL);", "raise(SIGTERM);"])
def test_a_program_that_vanishes_has_no_results(body: str, toolchain: CpuToolchain) -> None:
    ran = run(f"y[threadIdx.x] = 1; if (n == 1) {body}", toolchain, launches(3))
    assert len(ran.reports) < 2
    assert ran.ended is not None
    assert "went away" in ran.ended.en


def test_what_a_program_prints_is_not_read(toolchain: CpuToolchain) -> None:
    body = """
        for (int i = 0; i < 2000; ++i) puts("PASS {\\"case\\": \\"case_0\\", \\"status\\": \\"ran\\"}");
        fflush(stdout); y[threadIdx.x] = 1; if (n == 1) __trap();
    """
    ran = run(body.replace("\n", " "), toolchain)
    assert [report.crashed for report in ran.reports] == [False, True]


def test_a_forged_report_counts_for_nothing(toolchain: CpuToolchain) -> None:
    body = 'for (int fd = 3; fd < 40; ++fd) { if (write(fd, "nonsense\\n", 9) < 0) continue; } y[0] = 1; _exit(0);'
    ran = run(body, toolchain)
    assert not ran.reports
    assert ran.ended is not None


def test_time_runs_out(toolchain: CpuToolchain) -> None:
    started = time.monotonic()
    ran = run("if (n == 1) sleep(60); y[threadIdx.x] = 1;", toolchain, launches(3), seconds=1.5)
    assert time.monotonic() - started < 20
    assert len(ran.reports) == 1
    assert ran.ended is not None
    assert "within 1.5 seconds" in ran.ended.en


def test_a_broken_executable_is_our_fault() -> None:
    with pytest.raises(GraderFault):
        run_executable(b"#!/nonexistent\n", PARAMETERS, launches(1))


@pytest.mark.parametrize("kind", ["out_of_bounds", "race", "barrier_divergence", "endless", "no such kind"])
def test_faults_are_told_in_both_languages(kind: str) -> None:
    fault = Fault(
        kind,
        False,
        1,
        Site((2,), (17,), 72, "read"),
        array="x",
        index=1024,
        count=1024,
        other=Site((2,), (3,), 70, "write"),
    )
    text = fault.message("my.cu")
    assert text.zh
    assert text.en
    assert "{" not in text.zh + text.en
    assert fault.severity is Severity.ERROR


def test_the_message_of_the_design() -> None:
    fault = Fault("out_of_bounds", False, 1, Site((2,), (17,), 72, "read"), array="x", index=1024, count=1024)
    assert fault.message("my.cu").en == "block 2, thread 17 reads x[1024]: x has 1024 elements (my.cu:72)"
    assert fault.message("my.cu").zh == "block 2 的线程 17 读 x[1024]：x 有 1024 个元素（my.cu:72）"
