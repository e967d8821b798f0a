"""The order of the stages, in one place: read, lock, review, build, run, check, grade.

The device is opened first: a GPU runner needs about a second to start, and does so while everything else
goes on.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.build.explain import explain
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import CaseSpec, Exercise, list_exercises, load_exercise
from gemv_grader.grade import Grade, grade
from gemv_grader.lock import Fill, Rejection, identify, lock
from gemv_grader.outcome import Outcome
from gemv_grader.program import splice
from gemv_grader.prose import read_answers
from gemv_grader.review import review
from gemv_grader.rubric import load_rubric
from gemv_grader.run.device import Choice, Device, open_device
from gemv_grader.run.outputs import Outputs
from gemv_grader.submission import Submission, read_submission
from gemv_grader.trail import Trail
from gemv_grader.verdict import has_unknown_call
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case

CasesOf = Callable[[Exercise], tuple[CaseSpec, ...]]


@dataclass(frozen=True)
class Request:
    """What to grade and how. ``seed`` None draws a fresh secret; ``exercise_id`` None asks the file itself."""

    path: Path
    answers: Path | None = None
    exercise_id: str | None = None
    rubric: Path | None = None
    device: Choice = "auto"
    seed: int | None = None


def submit(request: Request) -> Grade:
    """Grade one file. Raises UsageProblem or DataProblem where there is nothing to grade or to grade by."""
    return grade(follow(request))


def follow(request: Request, cases: CasesOf = attrgetter("cases")) -> Trail:
    """Take one file through every stage that it gets to; ``cases`` chooses what to run."""
    started, clock = datetime.now(timezone.utc), time.monotonic()
    with open_device(request.device) as device:
        trail = examine(request, device, started)
        exercise = trail.exercise.model_copy(update={"cases": cases(trail.exercise)})
        trail = replace(trail, exercise=exercise)
        if worth_running(trail):
            trail = execute(trail, device, secrets.randbits(64) if request.seed is None else request.seed)
        trail = replace(trail, environment=device.facts())
    return replace(trail, seconds=time.monotonic() - clock)


def examine(request: Request, device: Device, started: datetime) -> Trail:
    """Everything that needs no compiler: read, lock, review, and the answers."""
    submission = read_submission(request.path)
    exercise = choose_exercise(submission, request.exercise_id)
    rubric = load_rubric(exercise, request.rubric)
    trail = Trail(
        submission=submission,
        exercise=exercise,
        rubric=rubric,
        started_at=started,
        gpu_at_hand=device.is_gpu,
        findings=submission.findings,
        answers=read_answers(request.answers, exercise) if request.answers else None,
    )
    if trail.answers is not None:
        trail = replace(trail, findings=trail.findings + trail.answers.findings)
    if submission.refusal is not None:
        return trail
    locked = lock(submission, exercise, rubric.lock)
    trail = replace(trail, locked=locked, findings=trail.findings + locked.findings)
    if isinstance(locked, Rejection) or not locked.attempted:
        return trail
    return replace(trail, findings=trail.findings + review(locked, exercise, rubric))


def worth_running(trail: Trail) -> bool:
    """Whether a program may compile: accepted by the lock, and no finding that decides already."""
    return isinstance(trail.locked, Fill) and trail.locked.attempted and not trail.errors()


def execute(trail: Trail, device: Device, seed: int) -> Trail:
    """Build the program, make the cases meanwhile, run and check them. A fault ends up in the trail."""
    fill = trail.locked
    assert isinstance(fill, Fill)  # noqa: S101 - worth_running() said so
    trail = replace(trail, seed=seed)
    program = splice(trail.exercise, fill.text)
    try:
        with ThreadPoolExecutor(max_workers=1) as builder:
            building = builder.submit(device.build, program, trail.exercise)
            cases = _cases(trail.exercise, seed) if device.can_run else ()
            device.prepare(cases)
            binary = building.result()
        if isinstance(binary, Text):
            return replace(trail, unbuilt=binary)
        findings = explain(binary, fill, program, trail.exercise)
        trail = replace(trail, binary=binary, findings=trail.findings + findings)
        if not (binary.ok and device.can_run) or has_unknown_call(trail):
            return trail
        outputs = device.run(binary, trail.exercise)
        outcomes = _check(cases, outputs)
    except GraderFault as fault:
        return replace(trail, fault=fault.text)
    return replace(trail, outputs=outputs, outcomes=outcomes, fault=outputs.fault)


# NumPy takes a tenth of a second to import: it comes in while the compiler runs, and not at all if nothing will.


def _cases(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    from gemv_grader.cases import plan  # noqa: PLC0415

    return plan(exercise, seed)


def _check(cases: tuple[Case, ...], outputs: Outputs) -> tuple[Outcome, ...]:
    from gemv_grader.check import check  # noqa: PLC0415

    return check(cases, outputs)


def choose_exercise(submission: Submission, exercise_id: str | None) -> Exercise:
    """The exercise asked for, or the one whose scaffold the submission resembles most."""
    if exercise_id is not None:
        return load_exercise(exercise_id)
    return identify(submission, [load_exercise(name) for name in list_exercises()])
