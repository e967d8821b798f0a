"""The order of the stages, in one place: read, lock, build, run, check, grade; the review beside the build.

A student waits for the compiler and the GPU, so whatever can go on beside them does: the device was opened
before this module was even imported, and what is not needed to start the compiler comes after it.
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
from gemv_grader.errors import DataProblem, GraderFault
from gemv_grader.exercise import CaseSpec, Exercise, list_exercises, load_exercise
from gemv_grader.grade import Grade, grade
from gemv_grader.lock import Fill, identify, lock
from gemv_grader.outcome import Outcome
from gemv_grader.places import lines_in_file
from gemv_grader.program import splice
from gemv_grader.rubric import load_rubric
from gemv_grader.run.device import Device
from gemv_grader.run.outputs import Outputs
from gemv_grader.submission import Submission, read_submission
from gemv_grader.trail import Trail
from gemv_grader.verdict import has_unjudged_part
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
    seed: int | None = None


def submit(request: Request, device: Device) -> Grade:
    """Grade one file. Raises UsageProblem or DataProblem where there is nothing to grade or to grade by."""
    return grade(follow(request, device))


def follow(request: Request, device: Device, cases: CasesOf = attrgetter("cases")) -> Trail:
    """Take one file through every stage that it gets to; ``cases`` chooses what to run."""
    clock = time.monotonic()
    trail = admit(request, device)
    trail = replace(trail, exercise=trail.exercise.model_copy(update={"cases": cases(trail.exercise)}))
    trail = execute(trail, request, device) if worth_building(trail) else look_over(trail, request)
    return replace(trail, environment=device.facts(), seconds=time.monotonic() - clock)


def admit(request: Request, device: Device) -> Trail:
    """All that must come before the compiler: read the file, choose its exercise and rubric, and lock it."""
    started = datetime.now(timezone.utc)
    submission = read_submission(request.path)
    exercise = choose_exercise(submission, request.exercise_id)
    rubric = load_rubric(exercise, request.rubric)
    trail = Trail(submission, exercise, rubric, started, device.is_gpu, findings=submission.findings)
    if submission.refusal is not None:
        return trail
    locked = lock(submission, exercise, rubric.lock)
    return replace(trail, locked=locked, findings=trail.findings + locked.findings)


def worth_building(trail: Trail) -> bool:
    """Whether a program may compile: accepted by the lock, and no finding that decides already."""
    return isinstance(trail.locked, Fill) and trail.locked.attempted and not trail.errors()


def execute(trail: Trail, request: Request, device: Device) -> Trail:
    """Build the program and meanwhile read the rest; run and check its cases. A fault ends up in the trail."""
    fill = trail.locked
    assert isinstance(fill, Fill)  # noqa: S101 - worth_building() said so
    seed = secrets.randbits(64) if request.seed is None else request.seed
    program = splice(trail.exercise, fill.text)
    try:
        # The compiler is waited for in this thread, where an interrupt from the keyboard ends it at once.
        with ThreadPoolExecutor(max_workers=1) as helper:
            looking = helper.submit(look_over, trail, request)
            preparing = helper.submit(_prepare, trail.exercise, seed, device)
            binary = device.build(program, trail.exercise)
            cases = preparing.result()
    except GraderFault as fault:
        return replace(looking.result(), seed=seed, fault=fault.text)
    trail = replace(looking.result(), seed=seed)
    if isinstance(binary, Text):
        return replace(trail, unbuilt=binary)
    findings = explain(binary, fill, program, trail.exercise)
    trail = replace(trail, binary=binary, findings=trail.findings + findings)
    if not (binary.ok and device.can_run) or has_unjudged_part(trail):
        return trail
    try:
        outputs = device.run(binary, trail.exercise)
    except GraderFault as fault:
        return replace(trail, fault=fault.text)
    if isinstance(outputs, Text):
        return replace(trail, unbuilt=outputs)
    # What the machine failed to run says nothing about the program.
    outcomes = _check(cases, outputs, trail) if outputs.fault is None else ()
    return replace(trail, outputs=outputs, outcomes=outcomes, fault=outputs.fault)


def look_over(trail: Trail, request: Request) -> Trail:
    """What no compiler waits for: the answers, and the static review of a fill."""
    from gemv_grader.prose import read_answers  # noqa: PLC0415
    from gemv_grader.prose.reading import read_all  # noqa: PLC0415
    from gemv_grader.review import review  # noqa: PLC0415

    if request.answers is not None:
        answers = read_answers(request.answers, trail.exercise)
        readings = read_all(answers, trail.exercise, trail.rubric)
        trail = replace(trail, answers=answers, readings=readings, findings=trail.findings + answers.findings)
    if isinstance(trail.locked, Fill) and trail.locked.attempted:
        findings = review(trail.locked, trail.exercise, trail.rubric)
        trail = replace(trail, findings=trail.findings + findings)
    return trail


# NumPy takes a tenth of a second to import: it comes in while the compiler runs, and not at all if nothing will.
def _prepare(exercise: Exercise, seed: int, device: Device) -> tuple[Case, ...]:
    if not device.can_run:
        return ()
    from gemv_grader.cases import plan  # noqa: PLC0415

    cases = plan(exercise, seed)
    device.prepare(cases)
    return cases


def _check(cases: tuple[Case, ...], outputs: Outputs, trail: Trail) -> tuple[Outcome, ...]:
    from gemv_grader.check import check  # noqa: PLC0415

    assert isinstance(trail.locked, Fill)  # noqa: S101 - nothing else was run
    outcomes = check(cases, outputs)
    if not any(outcome.faults or outcome.patterns for outcome in outcomes):
        return outcomes
    line_of = lines_in_file(trail.submission, trail.locked, trail.exercise)
    return tuple(outcome.located(trail.submission.file_name, line_of) for outcome in outcomes)


def choose_exercise(submission: Submission, exercise_id: str | None) -> Exercise:
    """The exercise asked for, or of those that load the one whose scaffold the submission resembles most."""
    if exercise_id is not None:
        return load_exercise(exercise_id)
    loaded = [_load(name) for name in list_exercises()]
    exercises = [exercise for exercise in loaded if isinstance(exercise, Exercise)]
    if not exercises:
        for problem in loaded:
            if isinstance(problem, DataProblem):
                raise problem
    return identify(submission, exercises)


def _load(exercise_id: str) -> Exercise | DataProblem:
    try:
        return load_exercise(exercise_id)
    except DataProblem as problem:
        return problem
