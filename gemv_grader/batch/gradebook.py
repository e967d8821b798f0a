"""``gradebook.csv``: a row for each student, in the order of the keys, for people and for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping

from gemv_grader.batch.sheet import guarded
from gemv_grader.batch.store import Record
from gemv_grader.report.plain import printable
from gemv_grader.standing import ItemStanding, Standing

Row = Mapping[str, str]
"""The cells of one student by column."""

_FIRST = ("key", "name")
_MIDDLE = (
    "exercise", "verdict", "evidence", "possible", "total", "earned", "confirmed", "suggested", "pending", "passed",
)  # fmt: skip
_POINTS = ("possible", "total", "earned", "confirmed", "suggested", "pending", "passed")
_LAST = ("reason", "late", "submitted_at", "program", "same_program", "rubric", "tool")
_SHORT = 12  # characters of a digest that tell programs apart


def row(record: Record, stands: Standing) -> Row:
    """The cells of one student. Raises KeyError for a grade that lacks what every grade has."""
    grade, student, note = record.grade, record.student, record.grade.get("batch", {})
    return {
        "key": record.key,
        "name": student.get("name", ""),
        **{f"id:{kind}": value for kind, value in student.get("ids", {}).items()},
        **{name: _said(grade[name]) for name in ("exercise", "verdict", "evidence")},
        **{name: _said(getattr(stands, name)) for name in _POINTS},
        **{f"item:{item.id}": _points(item) for item in stands.items},
        **{f"veto:{veto.id}": veto.state for veto in stands.vetoes if veto.state != "cleared"},
        "reason": grade["reasons"][0] if grade["reasons"] else "",
        "late": _said(student.get("late", False)),
        "submitted_at": student.get("submitted_at") or "",
        "program": (note.get("program_sha256") or "")[:_SHORT],
        "rubric": grade["rubric_sha256"][:_SHORT],
        "tool": grade["tool_version"],
    }


def write(rows: Iterable[Row]) -> bytes:
    """The whole file. Cells that a spreadsheet would take for a formula are guarded."""
    ordered = sorted(rows, key=lambda cells: cells["key"])
    shared = Counter(cells["program"] for cells in ordered if cells["program"])
    columns = _columns(ordered)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    for cells in ordered:
        full = {**cells, "same_program": str(shared[cells["program"]] or "")}
        writer.writerow([guarded(printable(full.get(column, ""))) for column in columns])
    return text.getvalue().encode("utf-8-sig", "replace")  # with the mark by which Excel knows UTF-8


def _columns(rows: Iterable[Row]) -> list[str]:
    found = dict.fromkeys(column for cells in rows for column in cells)
    ids, items, vetoes = ([c for c in found if c.startswith(kind)] for kind in ("id:", "item:", "veto:"))
    return [*_FIRST, *sorted(ids), *_MIDDLE, *items, *sorted(vetoes), *_LAST]


def _points(item: ItemStanding) -> str:
    """What an item has brought so far, or what it waits for."""
    return item.state if item.state in ("pending", "to_confirm") else _said(item.counts)


def _said(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)
