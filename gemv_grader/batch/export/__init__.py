"""Exports: the grades of a class in the files that platforms and tools read. Nothing is graded here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from gemv_grader.batch.export import canvas, check50, gradescope, junit, moodle, nbgrader, table
from gemv_grader.batch.export.exported import Exported, Options
from gemv_grader.batch.export.mark import Mark, mark_of
from gemv_grader.batch.sheet import read_sheet
from gemv_grader.batch.store import GradeStore
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

__all__ = ["TARGETS", "Exported", "Options", "Target", "export"]

Target = Literal["canvas", "moodle", "gradescope", "nbgrader", "junit", "check50", "csv"]
TARGETS: tuple[Target, ...] = get_args(Target)

_GRADEBOOKS = {"canvas": canvas.export, "moodle": moodle.export}
_REPORTS = {
    "gradescope": gradescope.export,
    "nbgrader": nbgrader.export,
    "junit": junit.export,
    "check50": check50.export,
    "csv": table.export,
}
# Parts of a grade that no gradebook shows: thousands of grades are held at once while rows are matched.
_UNSHOWN = frozenset({"cases", "findings", "build", "environment", "fill", "answers", "batch"})


def export(grades: Path, target: Target, gradebook: Path | None, options: Options) -> Exported:
    """The grades stored in the folder ``grades``, for ``target``.

    Raises UsageProblem where there are no grades, or the gradebook is missing or not of this platform.
    """
    stored = _Stored(GradeStore(grades))
    if target in _GRADEBOOKS:
        if gradebook is None:
            raise UsageProblem(NO_GRADEBOOK.format(target=target))
        marks = [_slim(mark) for mark in stored]
        _require_any(stored, grades)
        exported = _GRADEBOOKS[target](read_sheet(gradebook), marks, options)
    else:
        exported = _REPORTS[target](stored, options)
        _require_any(stored, grades)
    exported.left += [(key, DAMAGED) for key in stored.damaged]
    if len(stored.bases) > 1:
        exported.notes.append(MIXED)
    return exported


def _require_any(stored: _Stored, grades: Path) -> None:
    if not stored.bases:
        raise UsageProblem(NO_GRADES.format(path=grades))


class _Stored:
    """The marks of a folder of grades, read one after another; what is damaged, and what the grades rest on."""

    def __init__(self, store: GradeStore) -> None:
        self.damaged: list[str] = []
        self.bases: set[tuple[object, object]] = set()
        self._store = store

    def __iter__(self) -> Iterator[Mark]:
        for key in self._store.keys():  # noqa: SIM118 - a store is no dict
            try:
                record = self._store.get(key)
                mark = mark_of(record) if record else None
                base = (mark.grade["rubric_sha256"], mark.grade["tool_version"]) if mark else None
            except (LookupError, TypeError, ValueError):
                mark = base = None
            if mark is None or base is None:
                self.damaged.append(key)
            else:
                self.bases.add(base)
                yield mark


def _slim(mark: Mark) -> Mark:
    return replace(mark, grade={name: part for name, part in mark.grade.items() if name not in _UNSHOWN})


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
