"""students.csv: who is who, and under which key. Intake writes it, a TA may correct it, the next intake follows it.

A row is known by ``found_as``, the export's own naming. ``key``, ``name`` and the ids may be corrected; ids that the
export itself states are verified, not replaced. ``program`` and ``answers`` name the file to take where intake cannot
tell. Further columns and rows are kept.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gemv_grader.batch.classlist import ID_KINDS, SUBMISSION_KINDS
from gemv_grader.batch.files import replace_file
from gemv_grader.batch.intake.choose import Wishes
from gemv_grader.batch.intake.model import Student
from gemv_grader.batch.sheet import guarded, read_sheet, unguarded
from gemv_grader.batch.store import is_key
from gemv_grader.errors import DataProblem
from gemv_grader.words import Text

_IDS = tuple(kind for kind in ID_KINDS if kind not in SUBMISSION_KINDS)
_OWN = ("key", "name", *_IDS, "found_as", "program", "answers")


@dataclass(frozen=True)
class KnownStudent:
    """A row of an earlier students.csv; ``extra`` holds columns that are a person's own."""

    key: str
    name: str
    ids: Mapping[str, str]
    found_as: str
    wishes: Wishes
    extra: Mapping[str, str] = field(default_factory=dict)


def read_students(path: Path | None) -> dict[str, KnownStudent]:
    """The rows by ``found_as``; none if there is no file. Raises DataProblem with line and mend for a bad row."""
    if path is None or not path.exists():
        return {}
    sheet = read_sheet(path)
    header = [title.strip().lower() for title in sheet.values(0)]
    if absent := {"key", "found_as"} - set(header):
        raise DataProblem(NO_COLUMN.format(path=path, column=", ".join(sorted(absent))))
    known: dict[str, KnownStudent] = {}
    numbers: dict[str, int] = {}
    for number in range(1, len(sheet.rows)):
        cells = dict(zip(header, (unguarded(value).strip() for value in sheet.values(number)), strict=False))
        if not any(cells.values()):
            continue
        student = _known(cells)
        if not is_key(student.key):
            raise DataProblem(BAD_KEY.format(path=path, line=sheet.line(number), key=student.key))
        first = numbers.setdefault(student.key.casefold(), number)
        if first != number or student.found_as in known:
            raise DataProblem(TWICE.format(path=path, line=sheet.line(number), key=student.key, found=student.found_as))
        known[student.found_as] = student
    return known


def write_students(path: Path, students: Sequence[Student], earlier: Mapping[str, KnownStudent]) -> None:
    """Write the students, with what a person added to ``earlier`` rows, and the earlier rows of those not here now."""
    rows = [KnownStudent(each.key, each.name, each.ids, each.found_as, Wishes()) for each in students]
    here = {row.found_as: row for row in rows}
    absent = {found_as: student for found_as, student in earlier.items() if found_as not in here}
    extra = list(dict.fromkeys(column for student in earlier.values() for column in student.extra))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([*_OWN, *extra])
    for found_as, student in (here | absent).items():
        old = earlier.get(found_as, student)
        values = {**student.ids, "key": student.key, "name": student.name, "found_as": found_as,
                  "program": old.wishes.program, "answers": old.wishes.answers, **old.extra}  # fmt: skip
        writer.writerow([guarded(values.get(column, "")) for column in (*_OWN, *extra)])
    mark = "\ufeff" if _has_mark(path) else ""
    replace_file(path, (mark + stream.getvalue()).encode("utf-8", "replace"))


def _known(cells: Mapping[str, str]) -> KnownStudent:
    ids = {kind: cells[kind] for kind in ID_KINDS if cells.get(kind)}
    extra = {column: value for column, value in cells.items() if column and column not in _OWN}
    wishes = Wishes(cells.get("program", ""), cells.get("answers", ""))
    return KnownStudent(cells["key"], cells.get("name", ""), ids, cells.get("found_as", ""), wishes, extra)


def _has_mark(path: Path) -> bool:
    """Whether the file began with a byte order mark, for which Excel looks."""
    try:
        with path.open("rb") as file:
            return file.read(3) == b"\xef\xbb\xbf"
    except FileNotFoundError:
        return False


NO_COLUMN = Text(
    zh="{path}:1: 缺少列 {column}。请删掉这个文件让 intake 重写，或补上表头。",
    en="{path}:1: there is no column {column}. Remove the file to have intake write it anew, or mend its header.",
)
BAD_KEY = Text(
    zh="{path}:{line}: key“{key}”不能作文件夹名。请只用字母、数字、汉字、- 和 _。",
    en='{path}:{line}: the key "{key}" cannot name a folder. Use letters, digits, - and _ only.',
)
TWICE = Text(
    zh="{path}:{line}: key“{key}”或 found_as“{found}”前面已经有了。每个学生要有自己的一行和自己的 key。",
    en='{path}:{line}: the key "{key}" or the found_as "{found}" stands above already. '
    "Each student needs a row and a key of their own.",
)
