"""The roster: who should have handed in, under which name and ids."""

from __future__ import annotations

from pathlib import Path

from gemv_grader.batch.classlist import ClassList, class_rows, column_kinds
from gemv_grader.batch.sheet import read_sheet
from gemv_grader.errors import DataProblem
from gemv_grader.words import Text

_HEADER_ROWS = 5  # offices put titles above the header


def read_roster(path: Path) -> ClassList:
    """The people in a roster. Raises UsageProblem if it cannot be read, DataProblem if no column is known."""
    sheet = read_sheet(path)
    for header in range(min(_HEADER_ROWS, len(sheet.rows))):
        titles = sheet.values(header)
        if titles[:2] == ["Student", "ID"]:  # Canvas's gradebook serves as a roster, too
            titles[1] = "Canvas ID"
        kinds = column_kinds(titles)
        if {"name", "last", "student_id", "login", "email", "github", "canvas_id"} & set(kinds):
            return ClassList(row for row in class_rows(sheet, header, kinds) if not _is_points_row(row.name))
    first = ", ".join(sheet.values(0))
    raise DataProblem(NO_COLUMNS.format(path=path, header=first))


def _is_points_row(name: str) -> bool:
    return name.casefold() in ("points possible", "manual posting", "muted", "student, test")


NO_COLUMNS = Text(
    zh="{path}:1: 认不出任何一列（{header}）。请给名单加上表头，例如：姓名,学号,邮箱",
    en="{path}:1: none of its columns is known ({header}). Give the roster a header such as: name,student id,email",
)
