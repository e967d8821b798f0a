"""The class as one plain table: the ``gradebook.csv`` that `batch` writes, made anew from the grades."""

from __future__ import annotations

from collections.abc import Iterable

from gemv_grader.batch import gradebook
from gemv_grader.batch.export.exported import Exported, Options
from gemv_grader.batch.export.mark import Mark
from gemv_grader.batch.store import Record


def export(marks: Iterable[Mark], options: Options) -> Exported:
    """One file with everybody, graded finally or not: what is open is said in its cells."""
    del options
    rows = [gradebook.row(Record(mark.key, dict(mark.grade), dict(mark.student)), mark.stands) for mark in marks]
    return Exported({"": gradebook.write(rows)}, len(rows))
