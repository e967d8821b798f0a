"""Trails as the pipeline leaves them, for tests of what comes after it: NumPy did the run, the rest is real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.explain import explain
from gemv_grader.cases import Case, plan
from gemv_grader.cases.slab import Bytes
from gemv_grader.check import check
from gemv_grader.exercise import load_exercise
from gemv_grader.lock import Fill, lock
from gemv_grader.program import Program, splice
from gemv_grader.prose import parse_answers
from gemv_grader.prose.claimed import claimed
from gemv_grader.review import review
from gemv_grader.rubric import load_rubric
from gemv_grader.run import cuda_errors
from gemv_grader.run.outputs import AFTER_CRASH, CaseOutput, Outputs
from gemv_grader.submission import from_bytes
from gemv_grader.trail import Trail
from gemv_grader.words import Evidence

Floats = NDArray[np.float32]
Multiply = Callable[[Floats, Floats], Floats]

# Cases whose sums are exact, so that what NumPy computes is the same everywhere.
EXACT = ("walkthrough", "integers_exact", "many_rows", "heavy_tail")
EXERCISE = load_exercise("03_gemv")
RUBRIC = load_rubric(EXERCISE)
SHORT = EXERCISE.model_copy(update={"cases": tuple(case for case in EXERCISE.cases if case.id in EXACT)})
SEED = 20_240_229
CASES = plan(SHORT, SEED)
RIGHT = "row_A[col] * x[col]"
ANSWERS = "## Explanation\nA\n## Q1\nB\n## Q2\nC\n## Q3\nD\n## Run output\nstatic review only\n"


def honest(case: Case, multiply: Multiply = np.multiply) -> Bytes:
    """The slab as a right float32 program leaves it; ``multiply`` makes the products."""
    slab = case.slab.copy()
    arrays = {buffer.name: buffer.view(slab) for buffer in case.buffers}
    rows = len(arrays["y"]) if case.blocks is None else min(case.blocks, len(arrays["y"]))
    with np.errstate(all="ignore"):
        products = multiply(arrays["A"][:rows], arrays["x"][None, :])
        sums = products.sum(axis=1, dtype=np.float32)
        arrays["y"][:rows] = sums + (arrays["bias"][:rows] if "bias" in arrays else np.float32(0))
    return slab


def by_thread(a: Floats, x: Floats) -> Floats:
    """The products of ``row_A[tid] * x[tid]``: every round takes the columns of the first."""
    columns = np.arange(a.shape[1]) % 256
    return np.asarray(a[:, columns] * x[:, columns])


def handed_in(text: str | bytes, name: str = "ada.cu") -> Trail:
    """A file after everything that needs no compiler."""
    data = text.encode() if isinstance(text, str) else text
    submission = from_bytes(data, Path(name).stem, Path(name))
    trail = Trail(
        submission=submission,
        exercise=SHORT,
        rubric=RUBRIC,
        started_at=datetime(2024, 2, 29, 12, tzinfo=timezone.utc),
        gpu_at_hand=True,
        findings=submission.findings,
    )
    if submission.refusal is not None:
        return trail
    locked = lock(submission, EXERCISE, RUBRIC.lock)
    found = review(locked, EXERCISE, RUBRIC) if isinstance(locked, Fill) and locked.attempted else ()
    return replace(trail, locked=locked, findings=trail.findings + locked.findings + found)


def filled(fill: str) -> Trail:
    """The scaffold with ``fill`` in its blank, after everything that needs no compiler."""
    return handed_in(EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill))


def with_answers(trail: Trail, text: str = ANSWERS) -> Trail:
    """The same with an answers file."""
    answers = parse_answers(text, trail.exercise)
    return replace(trail, answers=answers, claimed=claimed(answers), findings=trail.findings + answers.findings)


def binary_of(program: Program, *errors: tuple[str, int]) -> Binary:
    """What nvcc would make of a program: accepted, or refused with these messages at these offsets in the fill."""
    return Binary(
        ok=not errors,
        code=None if errors else b"cubin",
        tool="nvcc",
        version="13.0.88",
        command=("nvcc", "-std=c++17", "-cubin", "-arch=sm_90", "program.cu", "-o", "out"),
        seconds=0.5,
        cached=False,
        diagnostics=tuple(
            Diagnostic("error", program.fill_line, program.fill_column + offset, message) for message, offset in errors
        ),
        arch="sm_90",
        timed_out=False,
    )


def compiled(trail: Trail, *errors: tuple[str, int]) -> Trail:
    """The same after nvcc."""
    assert isinstance(trail.locked, Fill)
    program = splice(trail.exercise, trail.locked.text)
    binary = binary_of(program, *errors)
    found = explain(binary, trail.locked, program, trail.exercise)
    return replace(trail, binary=binary, findings=trail.findings + found, seed=SEED)


def run(trail: Trail, multiply: Multiply = np.multiply, evidence: Evidence = Evidence.GPU) -> Trail:
    """The same after a run of every case to its end."""
    results = tuple(CaseOutput(case.id, "ran", honest(case, multiply), 0.25) for case in CASES)
    return _checked(trail, Outputs(results, evidence))


def run_until_crash(trail: Trail, crashing: str) -> Trail:
    """The same after a run in which the case ``crashing`` touches memory that is not its own."""
    ids = [case.id for case in CASES]
    results = [CaseOutput(case.id, "ran", honest(case), 0.25) for case in CASES[: ids.index(crashing)]]
    results.append(CaseOutput(crashing, "crashed", detail=cuda_errors.crash(700, "cudaErrorIllegalAddress")))
    skipped = AFTER_CRASH.format(case=crashing)
    results += [CaseOutput(id_, "skipped", detail=skipped) for id_ in ids[len(results) :]]
    return _checked(trail, Outputs(tuple(results), Evidence.GPU))


def _checked(trail: Trail, outputs: Outputs) -> Trail:
    return replace(trail, outputs=outputs, outcomes=check(CASES, outputs), fault=outputs.fault, seed=SEED)
