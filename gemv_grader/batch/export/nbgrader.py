"""nbgrader's ``grades.csv``, with commas in names quoted, which nbgrader itself leaves out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from gemv_grader.batch.export.exported import Exported, Options, withheld
from gemv_grader.batch.export.mark import Mark
from gemv_grader.batch.sheet import guarded

_COLUMNS = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
    "late_submission_penalty", "score", "max_score",
)  # fmt: skip


def export(marks: Iterable[Mark], options: Options) -> Exported:
    """One row for each student. What is not known, such as the due date, stays empty."""
    exported = Exported()
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for mark in marks:
        reason = withheld(mark, options)
        if reason is not None:
            exported.left.append((mark.who, reason))
            continue
        writer.writerow([guarded(str(value)) for value in _row(mark)])
        exported.done += 1
    exported.files[""] = stream.getvalue().encode("utf-8", "replace")
    return exported


def _row(mark: Mark) -> tuple[object, ...]:
    last, _, first = (part.strip() for part in mark.name.partition(","))
    if not first and mark.name.isascii():
        first, _, last = mark.name.rpartition(" ")
    student = mark.ids.get("student_id") or mark.ids.get("login") or mark.key
    submitted = mark.student.get("submitted_at") or ""
    who = (mark.grade["exercise"], "", submitted, student, last, first, mark.ids.get("email", ""))
    return (*who, mark.points, 0.0, mark.points, mark.possible)
