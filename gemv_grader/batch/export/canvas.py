"""Fills Canvas's exported gradebook: one assignment's column, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from gemv_grader.batch.classlist import ClassList, class_rows, column_kinds
from gemv_grader.batch.export.exported import Exported, Options, unfit
from gemv_grader.batch.export.gradebook import Book, filled, number
from gemv_grader.batch.export.mark import Mark, feedback
from gemv_grader.batch.sheet import Sheet
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

_ASSIGNMENT = re.compile(r"(?P<title>.*) \((?P<id>\d+)\)", re.DOTALL)
_EXCUSED = "EX"


def export(sheet: Sheet, marks: Sequence[Mark], options: Options) -> Exported:
    """The gradebook with the marks. Raises UsageProblem if it is no such file or its column is not clear."""
    header = sheet.values(0)
    if not {"ID", "Section"} <= set(header):
        raise UsageProblem(NOT_CANVAS.format(path=sheet.path))
    column = _column(header, marks, options.column)
    first = _first_student(sheet, header.index("ID"))
    maxima = (number(_cell(sheet, row, column)) for row in range(1, first))
    maximum = next((value for value in maxima if value), None)
    possible = max((mark.possible for mark in marks), default=0.0)
    if maximum is not None and maximum != possible and not options.scale:
        raise unfit(f"{possible:g}", f"{maximum:g}")
    titles = ["Canvas ID" if title == "ID" else title for title in header]
    people = [row for row in class_rows(sheet, 0, column_kinds(titles)) if row.number >= first]
    book = Book(
        sheet=sheet,
        people=ClassList(people),
        grade=column,
        feedback=None,
        maximum=lambda _row: maximum,
        closed=lambda row: EXCUSED if _cell(sheet, row, column) == _EXCUSED else None,
        grouped={},
    )
    return filled(book, marks, options, partial(feedback, lang=options.lang))


def _column(header: Sequence[str], marks: Iterable[Mark], wanted: str | None) -> int:
    """The assignment's column: the one asked for, the only one, or the one named like the exercise."""
    assignments = {at: match for at, title in enumerate(header) if (match := _ASSIGNMENT.fullmatch(title))}
    if wanted is not None:
        fits = [at for at, match in assignments.items() if wanted in (match.group(), match["title"], match["id"])]
    elif len(assignments) == 1:
        fits = list(assignments)
    else:
        exercises = {str(mark.grade["exercise"]).casefold() for mark in marks}
        fits = [at for at, match in assignments.items() if any(name in match["title"].casefold() for name in exercises)]
    if len(fits) == 1:
        return fits[0]
    columns = "\n".join(f"  {match.group()}" for match in assignments.values())
    raise UsageProblem(WHICH.format(columns=columns))


def _first_student(sheet: Sheet, id_column: int) -> int:
    """The first row with an id: those above it hold the points possible and the posting policy."""
    rows = range(1, len(sheet.rows))
    return next((row for row in rows if _cell(sheet, row, id_column)), len(sheet.rows))


def _cell(sheet: Sheet, row: int, column: int) -> str:
    cells = sheet.rows[row]
    return cells[column].value.strip() if column < len(cells) else ""


NOT_CANVAS = Text(
    zh="{path} 不是 Canvas 成绩册（缺少 ID、Section 列）。请在 Canvas 的“成绩”页导出 CSV，不要改动表头。",
    en="{path} is no Canvas gradebook: it has no columns ID and Section. "
    "Export the CSV on Canvas's Grades page and leave its header as it is.",
)
WHICH = Text(
    zh="不清楚填哪一项作业。请用 --column 写明其中一个：\n{columns}",
    en="Which assignment to fill is not clear. Name one of these with --column:\n{columns}",
)
EXCUSED = Text(zh="在 Canvas 里已免交（EX），没有改动", en="is excused (EX) on Canvas; not touched")
