"""The second half of a batch: each distinct program built and run once, and its members graded.

Building starts with the first submission that has a program; its members are graded when all submissions are known,
so that each grade can say how many share it. What became of a program is kept in the folder: a batch that goes on
after a crash, or meets the same program next week, uses that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from gemv_grader.batch.course import Course
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
    """A distinct program and who has it. ``kept``: its result comes from the folder."""

    order: Order
    members: list[Member] = field(default_factory=list)
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
        self._elsewhere: Mapping[str, int] | None = None
        self._is_second_try = False

    def add(self, member: Member) -> None:
        """Take in a member; a program not seen before starts being built, unless the folder has its result."""
        program = self._programs.get(member.digest)
        if program is None:
            part = self._setting.course.part(member.exercise_id)
            order = Order(part, member.fill, member.may_run, secrets.randbits(64), self._setting.means)
            program = _Program(order)
            self._programs[member.digest] = program
            self._begin(member.digest, program, anew=member.anew)
        elif member.anew and program.kept:
            self._begin(member.digest, program, anew=True)
        program.members.append(member)

    def settle(self, elsewhere: Mapping[str, int]) -> None:
        """Grade all members; no more will come. ``elsewhere`` counts those of before, by program.

        What the machine failed to perform is tried once more at the end, unless it failed everything.
        """
        self._elsewhere = elsewhere
        for digest, program in self._programs.items():
            self._judge_if_ready(digest, program)
        self._setting.dispatcher.finish()
        failed = {digest: program for digest, program in self._programs.items() if program.members}
        self._is_second_try = True
        for digest, program in failed.items():
            if len(failed) < len(self._programs):
                self._perform(digest, program)
            else:
                self._judge_if_ready(digest, program)
        self._setting.dispatcher.finish()

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
                blame=lambda order, why: self._performed(digest, self._lost(order, why)),
            )
        )

    def _lost(self, order: Order, why: Text) -> Performed:
        return performed(Execution(order.seed, fault=why), {}, 0.0, order.means, order.part.exercise_sha256)

    def _performed(self, digest: str, result: Performed) -> None:
        program = self._programs[digest]
        program.result = result
        self._setting.watcher.performed(digest, result)
        if result.fault is None:
            self._setting.folder.keep_result(digest, to_json(result))
        self._judge_if_ready(digest, program)

    def _judge_if_ready(self, digest: str, program: _Program) -> None:
        setting, result = self._setting, program.result
        if self._elsewhere is None or result is None or (result.fault is not None and not self._is_second_try):
            return
        members, program.members = program.members, []
        shared_with = len(members) + self._elsewhere.get(digest, 0) - 1
        by_number = {member.number: member for member in members}
        task = partial(judge, gpu_at_hand=setting.means.is_gpu or result.means.is_gpu)
        for at in range(0, len(members), JUDGED_AT_ONCE):
            setting.dispatcher.add(
                Job(
                    items=members[at : at + JUDGED_AT_ONCE],
                    start=lambda crew, items: crew.submit(task, setting.course, result, items, shared_with),
                    done=partial(self._judged, by_number),
                    blame=lambda member, why: self._give_up(member.number, why),
                )
            )

    def _judged(self, members: Mapping[int, Member], judged: list[Graded | Broken]) -> None:
        for each in judged:
            if isinstance(each, Broken):
                self._give_up(each.number, each.why)
            else:
                self._settle(members[each.number], each)
