"""The work of a verification: the programs that wait performed on GPUs, and their members graded again.

A program is taken from its file only as a student's would be: through the lock, and if it is the one it is said to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gemv_grader.batch import looked
from gemv_grader.batch.course import Course, Part, load_course
from gemv_grader.batch.dispatch import Dispatcher
from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import STAMP, Line, stamp
from gemv_grader.batch.opening import Hands
from gemv_grader.batch.programs import Programs, Setting
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source
from gemv_grader.batch.tasks import Graded, Member
from gemv_grader.lock import Fill, lock
from gemv_grader.pipeline import program_of
from gemv_grader.program import splice
from gemv_grader.submission import from_bytes
from gemv_grader.verdict import UNJUDGED
from gemv_grader.words import Lang, Text, Verdict


def settle(
    ledger: Mapping[str, Line], sources: Mapping[str, Source], hands: Hands, lang: Lang, saver: Saver
) -> dict[str, str]:
    """Grade what waits for a GPU, and save it; returns the keys of what could not be settled, and why.

    Raises UsageProblem where there is no GPU.
    """
    course = load_course(tuple(sources.values()), lang)
    pending = [line for line in ledger.values() if line.waits_for_gpu]
    settling = _Settling(pending, course, sources, saver)
    means = hands.means()
    with hands.crew(means) as crew:
        setting = Setting(course, saver.folder, crew.means, Dispatcher(crew), saver.watcher)
        programs = Programs(setting, settling.settle, settling.give_up)
        programs.add(settling.members())
        programs.finish()
    saver.flush()
    return settling.unsettled


class _Settling:
    """The grades that wait, numbered by their order."""

    def __init__(self, pending: Sequence[Line], course: Course, sources: Mapping[str, Source], saver: Saver) -> None:
        self.unsettled: dict[str, str] = {}
        self._pending = pending
        self._course = course
        self._sources = sources
        self._saver = saver

    def members(self) -> Iterator[Member]:
        """A member for each grade whose program and trail are there."""
        fills: dict[str, Fill | None] = {}
        for number, line in enumerate(self._pending):
            part = self._course.part(line.exercise)
            if line.program not in fills:
                fills[line.program] = _locked(self._saver.folder, line.program, part)
            fill, state = fills[line.program], self._state(line.key)
            trail = looked.from_json(state, part, gpu_at_hand=True)
            if fill is None or trail is None or program_of(trail).digest != line.program:
                self.give_up(number, LOST)
                continue
            may_run = all(finding.id not in UNJUDGED for finding in fill.findings)
            yield Member(number, line.exercise, line.program, fill.text, may_run, anew=False, state=state)

    def _state(self, key: str) -> bytes:
        record = self._saver.folder.store.get(key)
        state = "" if record is None else record.grade[STAMP].get("looked", "")
        return str(state).encode()

    def settle(self, member: Member, graded: Graded) -> None:
        """Save a new grade; one that the machine spoiled is none, and the old one goes on waiting."""
        line, grade = self._pending[member.number], graded.grade
        record = self._saver.folder.store.get(line.key)
        if grade["verdict"] == Verdict.GRADER_FAULT.value or record is None:
            self.unsettled[line.key] = grade["reasons"][0]
            return
        document = stamp(grade, self._sources[line.exercise], line.files, member)
        self._saver.save(line.key, document, record.student)

    def give_up(self, number: int, why: Text) -> None:
        """Leave a grade as it is."""
        self.unsettled[self._pending[number].key] = why.say(self._course.lang)


def _locked(folder: Folder, digest: str, part: Part) -> Fill | None:
    """The fill of a program in the folder, if its file is that program."""
    source = folder.program(digest)
    if source is None:
        return None
    locked = lock(from_bytes(source, digest), part.exercise)
    if isinstance(locked, Fill) and splice(part.exercise, locked.text).digest == digest:
        return locked
    return None


LOST = Text(
    zh="文件夹里缺少它的程序或审查记录，或已被改动；请用原来的提交再运行 gemv-grade batch … --rerun ID",
    en="its program or the record of its review is missing from the folder, or was changed; run "
    "`gemv-grade batch … --rerun ID` on the submissions",
)
