"""The lesson's exercise on the CPU: what right, wrong, crashing and unsupported fills come to."""

from __future__ import annotations

import pytest
from cpu_toolchain import toolchain

from gemv_grader.build import Binary
from gemv_grader.cases import Case, plan
from gemv_grader.check import check
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.outcome import Outcome
from gemv_grader.program import splice
from gemv_grader.run.cpu.executable import CpuToolchain
from gemv_grader.run.cpu.runner import Options, run_executable
from gemv_grader.run.cpu.trace import tell, walk
from gemv_grader.run.cpu_device import CpuDevice, launch, parameters
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import CaseStatus, Evidence, Text

__all__ = ["toolchain"]

SEED = 20240601
RIGHT = "row_A [ col ] * x [ col ]"
HALF = (
    "__half2float ( __float2half ( x [ col ] ) )"  # on the exercise's list, but the scaffold includes no header for it
)


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise("03_gemv")


@pytest.fixture(scope="module")
def cases(exercise: Exercise) -> tuple[Case, ...]:
    return plan(exercise, SEED)


def some(cases: tuple[Case, ...], *ids: str) -> tuple[Case, ...]:
    return tuple(case for case in cases if case.id in ids)


def build(fill: str, exercise: Exercise, device: CpuDevice) -> Binary:
    binary = device.build(splice(exercise, fill), exercise)
    assert not isinstance(binary, Text), binary
    return binary


def run(
    fill: str, exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...], *, checked: bool = True
) -> tuple[tuple[Outcome, ...], Outputs]:
    device = CpuDevice(toolchain, checked=checked)
    device.prepare(cases)
    outputs = device.run(build(fill, exercise, device), exercise)
    assert isinstance(outputs, Outputs)
    return check(cases, outputs), outputs


@pytest.mark.parametrize("checked", [True, False])
def test_a_right_fill_passes_every_case(
    exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...], checked: bool
) -> None:
    outcomes, outputs = run(RIGHT, exercise, toolchain, cases, checked=checked)
    assert {outcome.status for outcome in outcomes} == {CaseStatus.PASSED}
    assert {outcome.evidence for outcome in outcomes} == {Evidence.EMULATED}
    assert len(outcomes) == len(exercise.cases)
    assert outputs.device["compiler"] == toolchain.compiler.release


def test_accesses_of_the_lesson_coalesce(exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...]) -> None:
    _, outputs = run(RIGHT, exercise, toolchain, some(cases, "walkthrough"))
    (fill_line,) = (n for n, text in enumerate(exercise.scaffold.split("\n"), 1) if "______" in text and "+=" in text)
    patterns = {(p.line, p.array): p for p in outputs.cases[0].patterns}
    for array in ("A", "x"):
        pattern = patterns[fill_line, array]
        assert (pattern.units / pattern.requests, pattern.ideal / pattern.requests) == (4, 4)


@pytest.mark.parametrize(
    "wrong",
    [
        ("row_A [ col ] + x [ col ]", CaseStatus.FAILED, "y[0]: expected"),
        ("row_A [ col ] * x [ col + 1 ]", CaseStatus.FAILED, "reads x[1024]: x has 1024 elements (program.cu:"),
        ("A [ - 1 - col ] * x [ col ]", CaseStatus.FAILED, "block 0, thread 0 reads A[-1]: A has 3072 elements"),
        ("* ( const volatile float * ) 0", CaseStatus.CRASHED, "block 0, thread 0 reads a null pointer (address 0x0)"),
        ("( __trap ( ) , 0.0f )", CaseStatus.CRASHED, "block 0, thread 0 executed __trap() (program.cu:"),
        ("( [ ] { while ( true ) { } } ( ) , 0.0f )", CaseStatus.CRASHED, "did not end and was stopped"),
    ],
)
def test_a_wrong_fill_is_told_why(
    wrong: tuple[str, CaseStatus, str], exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...]
) -> None:
    fill, status, said = wrong
    outcomes, _ = run(fill, exercise, toolchain, some(cases, "walkthrough", "wide"))
    assert outcomes[0].status is status
    assert said in outcomes[0].detail.en
    assert outcomes[1].status in (status, CaseStatus.SKIPPED)


def test_reading_an_absent_array_names_it(exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...]) -> None:
    outcomes, _ = run(f"{RIGHT} + bias [ row ]", exercise, toolchain, some(cases, "walkthrough", "bias_null"))
    assert [outcome.status for outcome in outcomes] == [CaseStatus.FAILED, CaseStatus.CRASHED]
    assert "in this case bias is null" in outcomes[1].detail.en


def test_a_mistake_lies_in_the_fill(exercise: Exercise, toolchain: CpuToolchain) -> None:
    program = splice(exercise, "row_A [ cool ] * x [ col ]")
    binary = CpuDevice(toolchain).build(program, exercise)
    assert isinstance(binary, Binary)
    assert not binary.ok
    error = binary.errors[0]
    assert (error.line, error.column) == (program.fill_line, program.fill_column + len("row_A [ "))


def test_what_the_cpu_cannot_do_is_said(
    exercise: Exercise, toolchain: CpuToolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NVCC", "/nonexistent")
    built = CpuDevice(toolchain).build(splice(exercise, HALF), exercise)
    assert isinstance(built, Text)
    assert "not supported on the CPU" in built.en


@pytest.mark.nvcc
def test_what_only_looks_like_cudas_is_for_nvcc_to_refuse(exercise: Exercise, toolchain: CpuToolchain) -> None:
    built = CpuDevice(toolchain).build(splice(exercise, HALF), exercise)
    assert isinstance(built, Binary)
    assert [error.message for error in built.errors][:1] == ['identifier "__float2half" is undefined']


def test_the_story_of_a_block(exercise: Exercise, toolchain: CpuToolchain, cases: tuple[Case, ...]) -> None:
    (case,) = some(cases, "walkthrough")
    binary = build(RIGHT, exercise, CpuDevice(toolchain))
    assert binary.code is not None
    ran = run_executable(binary.code, parameters(exercise), [launch(case, exercise)], Options(traced=1))
    story = walk(ran.reports[0].events, [buffer.name for buffer in exercise.inputs])
    assert story.threads == 256
    reading = next(r for r in story.readings if (r.thread, r.array) == (5, "A"))
    assert (reading.rounds, reading.first, reading.last) == (4, 1024 + 5, 1024 + 5 + 768)
    A, x, bias = (b.view(case.slab) for b in case.buffers[:3])  # noqa: N806 - the lesson's name
    assert story.partial_sums[5] == float((A[1] * x)[5::256].sum())
    last = story.moves[-1]
    assert (last.action, last.array, last.index) == ("write", "y", 1)
    assert last.value == float((A[1] * x).sum() + bias[1])
    lines = [text.en for text in tell(story, (0, 255))]
    assert any("thread 255: 4 rounds, x[255] to x[1023]" in line for line in lines)
    assert f"  thread 0 writes y[1] = {last.value:.9g} (line {last.line})" in lines
