"""The order of the stages, in one place: read, lock, build, run, check, grade; the review beside the build.

A student waits for the compiler and the GPU, so whatever can go on beside them does: the device was opened
before this module was even imported, and what is not needed to start the compiler comes after it. `submit` takes
one file all the way; a batch takes many through the same stages, and each distinct program through `execute` once.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from operator import attrgetter
from pathlib import Path

from gemv_grader.build.explain import explain
from gemv_grader.errors import DataProblem
from gemv_grader.execution import Execution, execute
from gemv_grader.exercise import CaseSpec, Exercise, load_exercise
from gemv_grader.grade import Grade, grade
from gemv_grader.lock import Fill, identify, lock
from gemv_grader.materials import is_document, read_program
from gemv_grader.paths import list_exercises
from gemv_grader.places import lines_in_file
from gemv_grader.program import Program, splice
from gemv_grader.prose import Answers, read_answers
from gemv_grader.rubric import Rubric, load_rubric
from gemv_grader.run.device import Device
from gemv_grader.submission import Submission
from gemv_grader.trail import Trail
from gemv_grader.verdict import has_unjudged_part

CasesOf = Callable[[Exercise], tuple[CaseSpec, ...]]
AnswersFor = Callable[[Exercise], Answers]


@dataclass(frozen=True)
class Request:
    """What to grade and how. ``seed`` None draws a fresh secret; ``exercise_id`` None asks the file itself.

    ``receipt`` is what was handed in beside the answers to support what they say of a run.
    """

    path: Path
    answers: Path | None = None
    exercise_id: str | None = None
    rubric: Path | None = None
    seed: int | None = None
    receipt: bytes | None = None

    @property
    def answers_for(self) -> AnswersFor | None:
        """Reads the answers, if there are any; a notebook or a document brings its own."""
        path = self.answers or (self.path if is_document(self.path.name) else None)
        return None if path is None else partial(read_answers, path)


def submit(request: Request, device: Device) -> Grade:
    """Grade one file. Raises UsageProblem or DataProblem where there is nothing to grade or to grade by."""
    return grade(follow(request, device))


def follow(request: Request, device: Device, cases: CasesOf = attrgetter("cases")) -> Trail:
    """Take one file through every stage that it gets to; ``cases`` chooses what to run."""
    clock = time.monotonic()
    submission = read_program(request.path)
    exercise = choose_exercise(submission, request.exercise_id)
    rubric = load_rubric(exercise, request.rubric)
    exercise = exercise.model_copy(update={"cases": cases(exercise)})
    trail = admit(submission, exercise, rubric, gpu_at_hand=device.is_gpu)
    if not worth_building(trail):
        trail = look_over(trail, request.answers_for, request.receipt)
    else:
        seed = secrets.randbits(64) if request.seed is None else request.seed
        with ThreadPoolExecutor(max_workers=1) as helper:
            looking = helper.submit(look_over, trail, request.answers_for, request.receipt)
            execution = execute(program_of(trail), exercise, device, seed, may_run=not has_unjudged_part(trail))
        trail = conclude(looking.result(), execution)
    return replace(trail, environment=device.facts(), seconds=time.monotonic() - clock)


def admit(submission: Submission, exercise: Exercise, rubric: Rubric, *, gpu_at_hand: bool) -> Trail:
    """All that must come before the compiler: lock what was handed in."""
    started = datetime.now(timezone.utc)
    trail = Trail(submission, exercise, rubric, started, gpu_at_hand, findings=submission.findings)
    if submission.refusal is not None:
        return trail
    locked = lock(submission, exercise, rubric.lock)
    return replace(trail, locked=locked, findings=trail.findings + locked.findings)


def worth_building(trail: Trail) -> bool:
    """Whether a program may compile: accepted by the lock, and no finding that decides already."""
    return isinstance(trail.locked, Fill) and trail.locked.attempted and not trail.errors()


def program_of(trail: Trail) -> Program:
    """The program of a trail that is `worth_building`."""
    assert isinstance(trail.locked, Fill)  # noqa: S101 - worth_building() said so
    return splice(trail.exercise, trail.locked.text)


def look_over(trail: Trail, answers_for: AnswersFor | None, receipt: bytes | None = None) -> Trail:
    """What no compiler waits for: the answers with the receipt beside them, and the static review of a fill."""
    from gemv_grader.prose.claimed import claimed  # noqa: PLC0415
    from gemv_grader.prose.reading import read_all  # noqa: PLC0415
    from gemv_grader.review import review  # noqa: PLC0415

    if answers_for is not None:
        answers = answers_for(trail.exercise)
        readings = read_all(answers, trail.exercise, trail.rubric)
        trail = replace(
            trail,
            answers=answers,
            readings=readings,
            claimed=claimed(answers),
            findings=trail.findings + answers.findings,
        )
    if receipt is not None:
        from gemv_grader.receipt import from_json  # noqa: PLC0415

        read = from_json(receipt)
        trail = replace(trail, receipt=read, receipt_damaged=read is None)
    if isinstance(trail.locked, Fill) and trail.locked.attempted:
        findings = review(trail.locked, trail.exercise, trail.rubric)
        trail = replace(trail, findings=trail.findings + findings)
    return trail


def conclude(trail: Trail, execution: Execution) -> Trail:
    """A trail that was looked over, with what became of its program, all in lines of the student's own file."""
    assert isinstance(trail.locked, Fill)  # noqa: S101 - nothing else has a program
    found, outcomes = trail.findings, execution.outcomes
    if execution.binary is not None:
        found += explain(execution.binary, trail.locked, program_of(trail), trail.exercise)
    if any(outcome.faults or outcome.patterns for outcome in outcomes):
        line_of = lines_in_file(trail.submission, trail.locked, trail.exercise)
        outcomes = tuple(outcome.located(trail.submission.file_name, line_of) for outcome in outcomes)
    return replace(
        trail,
        findings=found,
        binary=execution.binary,
        outputs=execution.outputs,
        outcomes=outcomes,
        unbuilt=execution.unbuilt,
        fault=execution.fault,
        seed=execution.seed,
    )


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
