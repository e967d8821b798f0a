"""The second half of a batch: each distinct program built and run once, and its members graded.

Building starts with the first submission that has a program; those that come while it lasts wait, and all that come
later are graded at once. What became of a program is kept in the folder: a batch that goes on after a crash, or meets
the same program next week, uses that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial

from gemv_grader.batch.course import Course
from gemv_grader.batch.crew import Crew
from gemv_grader.batch.dispatch import Dispatcher, Job
from gemv_grader.batch.folder import Folder
from gemv_grader.batch.means import Means
from gemv_grader.batch.performed import Performed, from_json, performed, to_json
from gemv_grader.batch.tasks import Broken, Graded, Member, Order, judge, perform
from gemv_grader.batch.watch import Watcher
from gemv_grader.execution import Execution
from gemv_grader.program import in_place
from gemv_grader.words import Text

JUDGED_AT_ONCE = 32


@dataclass(frozen=True)
class Setting:
    """What both halves of a batch work with."""

    course: Course
    folder: Folder
    means: Means
    dispatcher: Dispatcher
    watcher: Watcher


@dataclass
class _Program:
    """A distinct program, and who waits for it. ``kept``: its result comes from the folder."""

    order: Order
    waiting: list[Member] = field(default_factory=list)
    result: Performed | None = None
    kept: bool = False


class Programs:
    """Collects members, has their programs performed, and hands over each grade, or why there is none."""

    def __init__(
        self, setting: Setting, settle: Callable[[Member, Graded], None], give_up: Callable[[int, Text], None]
    ) -> None:
        self._setting = setting
        self._settle = settle
        self._give_up = give_up
        self._programs: dict[str, _Program] = {}
        self._is_second_try = False

    def add(self, members: Iterable[Member]) -> None:
        """Take in members. A program not seen before starts being built, unless the folder has its result."""
        ready: list[Member] = []
        for member in members:
            program = self._programs.get(member.digest)
            is_first = program is None
            if program is None:
                program = self._new(member)
            elif member.anew and program.kept:
                self._begin(member.digest, program, anew=True)
            is_done = program.result is not None and program.result.fault is None
            (ready if is_done else program.waiting).append(replace(member, reused=program.kept or not is_first))
        self._judge(ready)

    def finish(self) -> None:
        """Wait until all members are graded; no more will come.

        What the machine failed to perform is tried once more at the end, unless it failed everything.
        """
        self._setting.dispatcher.finish()
        failed = {digest: program for digest, program in self._programs.items() if program.waiting}
        self._is_second_try = True
        for digest, program in failed.items():
            if len(failed) < len(self._programs):
                self._perform(digest, program)
            else:
                self._judge_waiting(program)
        self._setting.dispatcher.finish()

    def _new(self, member: Member) -> _Program:
        part = self._setting.course.part(member.exercise_id)
        program = _Program(Order(part, member.fill, member.may_run, secrets.randbits(64), self._setting.means))
        self._programs[member.digest] = program
        self._begin(member.digest, program, anew=member.anew)
        return program

    def _begin(self, digest: str, program: _Program, *, anew: bool) -> None:
        setting, part = self._setting, program.order.part
        kept = None if anew else setting.folder.result(digest)
        result = None if kept is None else from_json(kept)
        program.kept = result is not None and result.serves(setting.means, part.exercise_sha256)
        program.result = result if program.kept else None
        if not program.kept:
            setting.folder.keep_program(digest, in_place(part.exercise, program.order.fill))
            setting.watcher.found(digest)
            self._perform(digest, program)

    def _perform(self, digest: str, program: _Program) -> None:
        self._setting.dispatcher.add(
            Job(
                items=[program.order],
                start=lambda crew, orders: crew.perform(perform, orders[0]),
                done=partial(self._performed, digest),
                blame=lambda order, why: self._performed(digest, _lost(order, why)),
            )
        )

    def _performed(self, digest: str, result: Performed) -> None:
        program = self._programs[digest]
        program.result = result
        self._setting.watcher.performed(digest, result)
        if result.fault is None:
            self._setting.folder.keep_result(digest, to_json(result))
        if result.fault is None or self._is_second_try:
            self._judge_waiting(program)

    def _judge_waiting(self, program: _Program) -> None:
        waiting, program.waiting = program.waiting, []
        self._judge(waiting)

    def _judge(self, members: Sequence[Member]) -> None:
        for at in range(0, len(members), JUDGED_AT_ONCE):
            some = members[at : at + JUDGED_AT_ONCE]
            self._setting.dispatcher.add(
                Job(
                    items=some,
                    start=self._start_judging,
                    done=partial(self._judged, {member.number: member for member in some}),
                    blame=lambda member, why: self._give_up(member.number, why),
                )
            )

    def _start_judging(self, crew: Crew, members: Sequence[Member]) -> Future[bytes]:
        results = {member.digest: self._programs[member.digest].result for member in members}
        return crew.submit(judge, self._setting.course, self._setting.means, results, members)

    def _judged(self, members: Mapping[int, Member], judged: Iterable[Graded | Broken]) -> None:
        for each in judged:
            if isinstance(each, Broken):
                self._give_up(each.number, each.why)
            else:
                self._settle(members[each.number], each)


def _lost(order: Order, why: Text) -> Performed:
    return performed(Execution(order.seed, fault=why), {}, 0.0, order.means, order.part.exercise_sha256)
