"""What a batch has to do: which papers to grade, and whether grades that stand may stay beside the new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.intake.model import Entry
from gemv_grader.batch.ledger import Basis, Line, digest_of
from gemv_grader.batch.means import Means
from gemv_grader.batch.paper import Paper, read_paper
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source
from gemv_grader.batch.watch import Watcher
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

Json = dict[str, Any]


@dataclass(frozen=True)
class Rerun:
    """Which grades to make again although nothing was handed in anew."""

    failed: bool = False
    stale: bool = False
    keys: frozenset[str] = frozenset()


def parse_rerun(words: Sequence[str]) -> Rerun:
    """``failed``, ``stale`` and keys of students, as the command line has them."""
    keys = frozenset(words) - {"failed", "stale"}
    return Rerun("failed" in words, "stale" in words, keys)


class Plan:
    """Decides on each entry of an intake against what the folder holds.

    With ``means``, grades by another release of a compiler at hand are out of date, too.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        ledger: Mapping[str, Line],
        sources: Mapping[str, Source],
        rerun: Rerun,
        means: Means | None = None,
    ) -> None:
        self._entries = entries
        self._ledger = ledger
        self._sources = sources
        self._rerun = rerun
        self._means = means

    def check(self) -> None:
        """Raise UsageProblem for a key that nobody has, and where grades made by other means would be mixed."""
        known = {student.key for entry in self._entries for student in entry.students}
        if unknown := self._rerun.keys - known:
            raise UsageProblem(NO_SUCH_KEY.format(keys=", ".join(sorted(unknown))))
        if not self._rerun.stale:
            refuse_mixture(self._ledger.values(), self._sources)

    def papers(self, folder: Folder, saver: Saver, watcher: Watcher) -> Iterator[Paper]:
        """Every paper to grade, read. Where a grade stands, what is stored of its student is brought up to date.

        Raises OSError if the disk does not take that.
        """
        for number, entry in enumerate(self._entries):
            paper = read_paper(number, entry)
            lines = [self._ledger.get(student.key) for student in entry.students]
            if self._is_due(paper, lines) or any(student.key in self._rerun.keys for student in entry.students):
                yield replace(paper, anew=any(student.key in self._rerun.keys for student in entry.students))
                continue
            standing = [line for line in lines if line is not None]
            for student, line in zip(entry.students, standing, strict=True):
                if digest_of(told := entry.student_json(student)) != line.student_digest:
                    _tell_anew(folder, saver, student.key, told)
            watcher.stands(len(standing))

    def stale(self) -> frozenset[str]:
        """The keys of grades that were made by other means than are at hand now."""
        return frozenset(key for key, line in self._ledger.items() if self._is_stale(line))

    def _is_due(self, paper: Paper, lines: Sequence[Line | None]) -> bool:
        for line in lines:
            if line is None or line.files != paper.digests or paper.trouble is not None:
                return True
            if (self._rerun.failed and line.is_fault) or (self._rerun.stale and self._is_stale(line)):
                return True
        return not lines

    def _is_stale(self, line: Line) -> bool:
        means = self._means
        could_do_better = means is not None and means.evidence.covers(line.evidence) and means.has_other(*line.compiler)
        return could_do_better or difference(line, self._sources) is not None


def refuse_mixture(lines: Iterable[Line], sources: Mapping[str, Source]) -> None:
    """Raise UsageProblem if any of these grades was made by another exercise, rubric or version than ours."""
    found = Counter(reason for line in lines if (reason := difference(line, sources)) is not None)
    if found:
        differences = [DIFFERENCE.format(reason=reason, count=count) for reason, count in found.items()]
        text = Text("\n".join(each.zh for each in differences), "\n".join(each.en for each in differences))
        raise UsageProblem(MIXED.format(differences=text))


def difference(line: Line, sources: Mapping[str, Source]) -> Text | None:
    """What the grade was made by that is not what we would make it by now."""
    source = sources.get(line.exercise)
    if source is None:
        return OTHER_EXERCISE.format(exercise=line.exercise)
    ours = Basis(source.exercise_sha256, source.rubric_sha256)
    if line.basis.tool_version != ours.tool_version:
        return OTHER_TOOL.format(theirs=line.basis.tool_version, ours=ours.tool_version)
    if line.basis.exercise_sha256 != ours.exercise_sha256:
        return OTHER_CASES.format(exercise=line.exercise)
    if line.basis.rubric_sha256 != ours.rubric_sha256:
        return OTHER_RUBRIC.format(theirs=line.basis.rubric_sha256[:12], ours=ours.rubric_sha256[:12])
    return None


def _tell_anew(folder: Folder, saver: Saver, key: str, student: Json) -> None:
    """Store what the intake now says of a student whose grade stands."""
    if (record := folder.store.get(key)) is not None:
        saver.save(key, record.grade, student)


NO_SUCH_KEY = Text(
    zh="没有这个学生：{keys}。--rerun 后写 failed、stale 或学生文件夹的名字（成绩表 gradebook.csv 的 key 列）。",
    en="There is no such student: {keys}. After --rerun write failed, stale, or the name of a student's folder "
    "(the column key of gradebook.csv).",
)
MIXED = Text(
    zh="文件夹里已有的成绩和现在的评分依据不同，不会混在一起：\n{differences}\n"
    "用 gemv-grade batch … --rerun stale 全部按现在的依据重评，或换一个 --out。",
    en="The folder holds grades that were made by other means than those at hand; they are not mixed:\n{differences}\n"
    "Grade them again with `gemv-grade batch … --rerun stale`, or choose another --out.",
)
DIFFERENCE = Text(zh="  {count} 份：{reason}", en="  {count}: {reason}")
OTHER_EXERCISE = Text(zh="练习 {exercise} 不在这次的范围里", en="exercise {exercise}, which is not graded here")
OTHER_TOOL = Text(zh="由 gemv-grade {theirs} 评出，现在是 {ours}", en="by gemv-grade {theirs}; this is {ours}")
OTHER_CASES = Text(zh="练习 {exercise} 的文件已改动", en="by other files of exercise {exercise}")
OTHER_RUBRIC = Text(zh="评分标准不同（{theirs}…，现在是 {ours}…）", en="by another rubric ({theirs}…; now {ours}…)")
