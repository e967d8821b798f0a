"""Fills grades into the gradebook file that a platform exported: those cells change, every other byte stays.

What `canvas` and `moodle` share: whose row it is, which cells may be touched, how a number is written there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gemv_grader.batch.classlist import SUBMISSION_KINDS, ClassList, Miss, Row
from gemv_grader.batch.export.exported import Exported, Options, withheld
from gemv_grader.batch.export.mark import Mark
from gemv_grader.batch.sheet import Sheet, guarded
from gemv_grader.words import Text

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_EMPTY = frozenset({"", "-", "–"})


@dataclass(frozen=True)
class Book:
    """A gradebook: its rows of people, the column of our grade, that of feedback, and what may not be touched.

    ``maximum`` gives a row's maximum, None where it is not stated. ``closed`` says why a row's grade must stay.
    """

    sheet: Sheet
    people: ClassList
    grade: int
    feedback: int | None
    maximum: Callable[[int], float | None]
    closed: Callable[[int], Text | None]
    grouped: Mapping[str, Sequence[Row]]


def filled(book: Book, marks: Iterable[Mark], options: Options, say: Callable[[Mark], str]) -> Exported:
    """The file with grades, and with the feedback that ``say`` writes where the file has a column for it."""
    filling = _Filling(book, options, say)
    for mark, rows in _matched(book, marks, filling.exported):
        reason = withheld(mark, options)
        if reason is not None:
            filling.exported.left.append((mark.who, reason))
            continue
        for row in rows:
            filling.fill(mark, row.number)
    filling.exported.files[""] = book.sheet.changed(filling.changes)
    return filling.exported


def number(text: str) -> float | None:
    """A number with a decimal point or comma, or None."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def _matched(book: Book, marks: Iterable[Mark], exported: Exported) -> list[tuple[Mark, Sequence[Row]]]:
    """Each mark with its rows. A row that two marks claim belongs to neither."""
    marks = list(marks)
    doubtful = _shared_ids(marks)
    matched: list[tuple[Mark, Sequence[Row]]] = []
    owners: dict[int, list[str]] = {}
    for mark in marks:
        ids = {kind: value for kind, value in mark.ids.items() if (kind, value) not in doubtful}
        found = book.people.find(mark.name, ids, mark.found_as)
        rows = book.grouped.get(mark.name, ()) if isinstance(found, Miss) else [found]
        if isinstance(found, Miss) and not rows:
            exported.left.append((mark.who, _why(found)))
            continue
        matched.append((mark, rows))
        for row in rows:
            owners.setdefault(row.number, []).append(mark.who)
    clear = []
    for mark, rows in matched:
        others = {who for row in rows for who in owners[row.number] if who != mark.who}
        if others:
            exported.left.append((mark.who, CLAIMED.format(others=", ".join(sorted(others)))))
        else:
            clear.append((mark, rows))
    return clear


def _shared_ids(marks: Iterable[Mark]) -> set[tuple[str, str]]:
    seen: dict[tuple[str, str], int] = {}
    for mark in marks:
        for kind, value in mark.ids.items():
            if kind not in SUBMISSION_KINDS:
                seen[kind, value] = seen.get((kind, value), 0) + 1
    return {id_ for id_, count in seen.items() if count > 1}


class _Filling:
    """Collects the changed cells, and who could not be filled in."""

    def __init__(self, book: Book, options: Options, say: Callable[[Mark], str]) -> None:
        self.exported = Exported()
        self.changes: dict[tuple[int, int], str] = {}
        self._book = book
        self._options = options
        self._say = say

    def fill(self, mark: Mark, row: int) -> None:
        """Put a mark into its row, unless the row is closed or has a grade that must stay."""
        book, overwrite = self._book, self._options.overwrite
        reason = book.closed(row)
        points = self._points(mark, row)
        present = _value(book, row, book.grade)
        if reason is None and present not in _EMPTY and number(present) != number(points) and not overwrite:
            reason = KEPT.format(present=present, points=points)
        if reason is not None:
            self.exported.left.append((mark.who, reason))
            return
        self.exported.done += 1
        if number(present) != number(points):
            self.changes[row, book.grade] = points
        if book.feedback is not None and (overwrite or not _value(book, row, book.feedback)):
            self.changes[row, book.feedback] = guarded(self._say(mark))

    def _points(self, mark: Mark, row: int) -> str:
        """The points as this file writes numbers: two decimals, a comma where it has commas."""
        maximum = self._book.maximum(row)
        factor = maximum / mark.possible if self._options.scale and maximum and mark.possible else 1.0
        text = f"{mark.points * factor:.2f}"
        return text.replace(".", ",") if _has_decimal_commas(self._book) else text


def _has_decimal_commas(book: Book) -> bool:
    cells = [cell.value.strip() for cells in book.sheet.rows[:200] for cell in cells]
    commas = sum(bool(re.fullmatch(r"-?\d+,\d{1,5}", cell)) for cell in cells)
    points = sum(bool(re.fullmatch(r"-?\d+\.\d{1,5}", cell)) for cell in cells)
    return commas > points


def _value(book: Book, row: int, column: int) -> str:
    cells = book.sheet.rows[row]
    return cells[column].value.strip() if column < len(cells) else ""


def _why(miss: Miss) -> Text:
    names = ", ".join(row.name or " ".join(row.ids.values()) for row in miss.rows[:3])
    return {"none": NOT_THERE, "several": SEVERAL, "other_name": OTHER_NAME}[miss.why].format(names=names)


NOT_THERE = Text(zh="成绩册里没有这个人", en="is not in the gradebook")
SEVERAL = Text(zh="成绩册里有几行都像：{names}", en="may be any of several rows: {names}")
OTHER_NAME = Text(zh="号码相同的那一行是 {names}", en="the row with this id is {names}")
CLAIMED = Text(zh="和 {others} 对应同一行", en="has the same row as {others}")
KEPT = Text(
    zh="成绩册里已有 {present}，没有改成 {points}；--overwrite 会覆盖",
    en="the gradebook has {present} already, not replaced by {points}; --overwrite does",
)
