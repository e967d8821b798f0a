"""What workers do: plain functions of values that can be sent to another process, or to another machine.

Whatever a submission makes go wrong stays with that submission: it comes back as `Broken`, and the rest go on.
"""

from __future__ import annotations

import faulthandler
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from gemv_grader.batch import looked
from gemv_grader.batch.course import Course, Part
from gemv_grader.batch.intake.choose import NOTHING
from gemv_grader.batch.lane import InTurn, Lane
from gemv_grader.batch.means import Means
from gemv_grader.batch.paper import Content, Paper
from gemv_grader.batch.performed import Performed, performed
from gemv_grader.errors import GradeError, UsageProblem
from gemv_grader.execution import Execution, execute
from gemv_grader.exercise import Exercise
from gemv_grader.grade import grade
from gemv_grader.materials import program_of
from gemv_grader.pipeline import admit, conclude, look_over, worth_building
from gemv_grader.pipeline import program_of as program_in
from gemv_grader.program import splice
from gemv_grader.prose import Answers, answers_in
from gemv_grader.report.json_report import as_dict
from gemv_grader.run.device import Choice, open_device
from gemv_grader.run.machine import machine_facts
from gemv_grader.submission import Submission
from gemv_grader.trail import Trail
from gemv_grader.verdict import has_unjudged_part
from gemv_grader.words import Finding, Severity, Text

Json = dict[str, Any]
_T = TypeVar("_T")

MOST_SECONDS = 60
"""For everything but building and running one submission, which takes milliseconds: a worker that is stuck ends."""


@dataclass(frozen=True)
class Graded:
    """A submission whose grade needs no program built."""

    number: int
    grade: Json


@dataclass(frozen=True)
class Member:
    """A submission that waits for its program: the one with this ``digest``, shared by all that have it.

    ``state`` is its trail as `looked` writes it. ``reused``: the program was built and run for somebody else.
    """

    number: int
    exercise_id: str
    digest: str
    fill: str
    may_run: bool
    anew: bool
    state: bytes
    reused: bool = False


@dataclass(frozen=True)
class Broken:
    """A submission that the grader could not cope with."""

    number: int
    why: Text


@dataclass(frozen=True)
class Order:
    """A program to build by these ``means`` and, if it ``may_run``, to run on cases drawn from ``seed``."""

    part: Part
    fill: str
    may_run: bool
    seed: int
    means: Means


def screen(course: Course, means: Means, papers: Sequence[Paper]) -> list[Graded | Member | Broken]:
    """Read, lock and review each paper."""
    with _watchdog():
        return [_guarded(paper.number, partial(_screen, course, means, paper)) for paper in papers]


def perform(order: Order, choice: Choice, lane: Lane | None) -> Performed:
    """Build, run and check one program. What fails of ours is the result's fault."""
    if lane is not None and lane.gpu is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = lane.gpu
    clock = time.monotonic()
    part, seed = order.part, order.seed
    try:
        with open_device(choice) as device:
            inner = device if lane is None else InTurn(device, lane)
            execution = execute(splice(part.exercise, order.fill), part.exercise, inner, seed, may_run=order.may_run)
            facts = device.facts()
    except GradeError as error:
        facts, execution = machine_facts(), Execution(seed, fault=error.text)
    return performed(execution, facts, time.monotonic() - clock, order.means, part.exercise_sha256)


def judge(
    course: Course, means: Means, results: Mapping[str, Performed], members: Sequence[Member]
) -> list[Graded | Broken]:
    """Grade members whose programs came to these ``results``, by digest."""
    with _watchdog():
        return [
            _guarded(member.number, partial(_judge, course, means, results[member.digest], member))
            for member in members
        ]


def grade_of_fault(course: Course, paper: Paper, why: Text) -> Json:
    """The grade of a submission that could not be graded: the grader's fault, never a zero. Looks into nothing."""
    path = Path(paper.program.name) if paper.program else None
    trail = Trail(
        submission=Submission(path, paper.student, "", "unknown", ""),
        exercise=course.parts[0].exercise,
        rubric=course.parts[0].rubric,
        started_at=datetime.now(timezone.utc),
        gpu_at_hand=True,
        fault=why,
        environment=machine_facts(),
    )
    return as_dict(grade(trail), course.lang)


def _screen(course: Course, means: Means, paper: Paper) -> Graded | Member:
    clock = time.monotonic()
    submission = _submission(paper)
    part = course.part_of(submission)
    trail = admit(submission, part.exercise, part.rubric, gpu_at_hand=means.is_gpu)
    answers_for = partial(_answers, paper.answers) if paper.answers else None
    trail = look_over(trail, answers_for, paper.receipt.data if paper.receipt else None)
    trail = replace(trail, seconds=time.monotonic() - clock)
    if not worth_building(trail):
        return Graded(paper.number, as_dict(grade(replace(trail, environment=machine_facts())), course.lang))
    assert trail.fill is not None  # noqa: S101 - worth_building() said so
    return Member(
        number=paper.number,
        exercise_id=part.exercise.id,
        digest=program_in(trail).digest,
        fill=trail.fill.text,
        may_run=not has_unjudged_part(trail),
        anew=paper.anew,
        state=looked.to_json(trail, with_text=means.is_emulated),
    )


def _judge(course: Course, means: Means, result: Performed, member: Member) -> Graded:
    gpu_at_hand = means.is_gpu or result.means.is_gpu
    trail = looked.from_json(member.state, course.part(member.exercise_id), gpu_at_hand=gpu_at_hand)
    if trail is None:
        raise ValueError("what was kept of this submission is damaged")
    trail = conclude(trail, result.execution)
    trail = replace(trail, environment=result.environment, seconds=trail.seconds + result.seconds)
    document = as_dict(grade(trail), course.lang)
    if document["build"] is not None:
        document["build"]["reused"] = member.reused
    return Graded(member.number, document)


def _submission(paper: Paper) -> Submission:
    program = paper.program
    if program is None:
        return Submission(None, paper.student, "", "none", "", refusal=NO_PROGRAM.format(why=paper.why_none or NOTHING))
    path = Path(program.name)
    if program.damage is not None:
        return Submission(path, paper.student, "", "none", "", refusal=program.damage)
    return program_of(program.name, program.data, paper.student, path)


def _answers(content: Content, exercise: Exercise) -> Answers:
    if content.damage is None:
        try:
            return answers_in(content.name, content.data, exercise)
        except UsageProblem as problem:
            return Answers({}, (Finding("answers_unread", Severity.WARNING, problem.text),))
    return Answers({}, (Finding("answers_unread", Severity.WARNING, content.damage),))


def _guarded(number: int, work: Callable[[], _T]) -> _T | Broken:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - a fault of ours must cost no other submission its grade
        return Broken(number, BROKE.format(error=f"{type(error).__name__}: {error}"))


@contextmanager
def _watchdog() -> Iterator[None]:
    """End this process if it gets stuck, even in code that is not Python's; only in a worker that does one task."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - of a device
        faulthandler.dump_traceback_later(MOST_SECONDS, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


NO_PROGRAM = Text(
    zh="没有可评的程序：{why}。",
    en="There is no program to grade: {why}.",
)
BROKE = Text(
    zh="评分器处理这份提交时出错（不是学生的错，不记零分）：{error}",
    en="The grader failed on this submission (not the student's fault, never a zero): {error}",
)
