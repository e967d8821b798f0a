"""Real programs on a real GPU: right, wrong, hanging and crashing ones, and no process left behind."""

from __future__ import annotations

import os

import pytest
from survivors import survivors

from gemv_grader.build import BuildCache, Nvcc, Toolchain, build, build_host_half, find_nvcc
from gemv_grader.cases import plan
from gemv_grader.check import check
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.outcome import Outcome
from gemv_grader.program import splice
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import CaseStatus, Evidence

SEED = 20240601


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise("03_gemv")


@pytest.fixture(scope="module")
def toolchain(tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    nvcc = find_nvcc()
    assert isinstance(nvcc, Nvcc)
    return Toolchain(nvcc, BuildCache(tmp_path_factory.mktemp("cache")))


def run_on_gpu(fill: str, exercise: Exercise, toolchain: Toolchain) -> tuple[Outputs, tuple[Outcome, ...]]:
    cases = plan(exercise, SEED)
    with GpuRunner() as runner:
        runner.upload(cases)
        binary = build(splice(exercise, fill), exercise, toolchain, runner.arch())
        assert binary.code is not None, binary.diagnostics
        outputs = runner.run(binary.code, build_host_half(exercise, toolchain), exercise)
    return outputs, check(cases, outputs)


@pytest.mark.gpu
@pytest.mark.nvcc
def test_a_right_fill_passes_every_case(exercise: Exercise, toolchain: Toolchain) -> None:
    outputs, outcomes = run_on_gpu("row_A[col] * x[col]", exercise, toolchain)
    assert outputs.fault is None
    assert {outcome.status for outcome in outcomes} == {CaseStatus.PASSED}, outcomes
    assert outputs.evidence is Evidence.GPU
    assert outputs.device["arch"].startswith("sm_")
    assert all(output.milliseconds for output in outputs.cases)
    assert not survivors()


@pytest.mark.gpu
@pytest.mark.nvcc
@pytest.mark.parametrize("fill", ["row_A[col] + x[col]", "row_A[tid] * x[tid]", "1.0f", "0"])
def test_a_wrong_fill_fails(exercise: Exercise, toolchain: Toolchain, fill: str) -> None:
    outputs, outcomes = run_on_gpu(fill, exercise, toolchain)
    assert outputs.fault is None
    assert {outcome.status for outcome in outcomes} <= {CaseStatus.FAILED, CaseStatus.PASSED}
    assert CaseStatus.FAILED in {outcome.status for outcome in outcomes}


@pytest.mark.gpu
@pytest.mark.nvcc
@pytest.mark.parametrize(
    ("fill", "said"),
    [
        ("[]{ while (clock64() >= 0) {} return 0.0f; }()", "loop"),
        ("(__trap(), 0.0f)", "abnormally"),
        ("*(const volatile float*)0", "not its own"),
        ("x[(long long)1 << 40]", "not its own"),
        ("*(const float*)((const char*)x + 1)", "misaligned"),
        ("bias[row] + row_A[col] * x[col]", "not its own"),
    ],
)
def test_a_crash_ends_its_run_and_hurts_no_other(
    exercise: Exercise, toolchain: Toolchain, fill: str, said: str
) -> None:
    limits = exercise.limits.model_copy(update={"case_seconds": 2.0})
    outputs, outcomes = run_on_gpu(fill, exercise.model_copy(update={"limits": limits}), toolchain)
    found = [outcome.status for outcome in outcomes]
    at = found.index(CaseStatus.CRASHED)
    assert said in outcomes[at].detail.en
    assert set(found[at + 1 :]) <= {CaseStatus.SKIPPED}
    assert outputs.fault is None
    assert not survivors()
    _, after = run_on_gpu("row_A[col] * x[col]", exercise, toolchain)
    assert {outcome.status for outcome in after} == {CaseStatus.PASSED}


@pytest.mark.gpu
def test_too_little_memory_is_a_fault(exercise: Exercise) -> None:
    size = 1 << 40
    fd = os.memfd_create("huge")
    os.truncate(fd, size)
    with GpuRunner() as runner:
        runner._link.send({"slab": size}, [fd])
        outputs = runner.run(b"", b"", exercise)
    os.close(fd)
    assert outputs.fault is not None
    assert "out of memory" in outputs.fault.en
