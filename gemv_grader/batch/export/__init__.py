"""Exports: the grades of a class in the files that platforms and tools read. Nothing is graded here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from gemv_grader.batch.export import canvas, check50, gradescope, junit, moodle, nbgrader
from gemv_grader.batch.export.exported import Exported, Options
from gemv_grader.batch.export.mark import Mark, mark_of
from gemv_grader.batch.sheet import read_sheet
from gemv_grader.batch.store import GradeStore, Record
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

__all__ = ["TARGETS", "Exported", "Options", "Target", "export"]

Target = Literal["canvas", "moodle", "gradescope", "nbgrader", "junit", "check50"]
TARGETS: tuple[Target, ...] = get_args(Target)

_GRADEBOOKS = {"canvas": canvas.export, "moodle": moodle.export}
_REPORTS = {
    "gradescope": gradescope.export,
    "nbgrader": nbgrader.export,
    "junit": junit.export,
    "check50": check50.export,
}


def export(grades: Path, target: Target, gradebook: Path | None, options: Options) -> Exported:
    """The grades stored in the folder ``grades``, for ``target``.

    Raises UsageProblem where there are no grades, or the gradebook is missing or not of this platform.
    """
    store = GradeStore(grades)
    marks, unreadable = _marks(list(store))
    unreadable += [(key, DAMAGED) for key in store.damaged()]
    if not marks:
        raise UsageProblem(NO_GRADES.format(path=grades))
    if target in _GRADEBOOKS:
        if gradebook is None:
            raise UsageProblem(NO_GRADEBOOK.format(target=target))
        exported = _GRADEBOOKS[target](read_sheet(gradebook), marks, options)
    else:
        exported = _REPORTS[target](marks, options)
    exported.left += unreadable
    if len({(mark.grade["rubric_sha256"], mark.grade["tool_version"]) for mark in marks}) > 1:
        exported.notes.append(MIXED)
    return exported


def _marks(records: list[Record]) -> tuple[list[Mark], list[tuple[str, Text]]]:
    marks, unreadable = [], []
    for record in records:
        try:
            marks.append(mark_of(record))
        except (LookupError, TypeError, ValueError):  # noqa: PERF203 - one odd file costs no other
            unreadable.append((record.key, DAMAGED))
    return marks, unreadable


NO_GRADES = Text(
    zh="{path} 里没有成绩。请先运行 gemv-grade batch。",
    en="There are no grades in {path}. Run `gemv-grade batch` first.",
)
NO_GRADEBOOK = Text(
    zh="{target} 需要平台导出的成绩文件：--gradebook FILE。",
    en="{target} needs the file that the platform exported: --gradebook FILE.",
)
DAMAGED = Text(zh="成绩文件损坏，请重新评分", en="the file of this grade is damaged; grade it again")
MIXED = Text(
    zh="这些成绩不是用同一份评分标准、同一版本评的；重新评分可统一",
    en="these grades rest on different rubrics or versions; grade the stale ones again to make them one",
)
