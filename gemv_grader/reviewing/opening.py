"""Opens a folder of grades for review."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import NO_GRADES
from gemv_grader.batch.store import Record
from gemv_grader.errors import UsageProblem
from gemv_grader.reviewing.book import MarkBook
from gemv_grader.words import Text


def open_grades(path: Path) -> tuple[MarkBook, Mapping[str, Record], tuple[Text, ...]]:
    """The grades in ``path`` by key, and the book that keeps what is decided about them.

    Grades whose marks cannot be read are left out; the third part says which. Raises UsageProblem if there are none.
    """
    folder = Folder(path)
    records = {record.key: record for record in folder.store if "score" in record.grade}
    if not records:
        raise UsageProblem(NO_GRADES.format(path=path))
    damage = tuple(record.marks.damage for record in records.values() if record.marks.damage is not None)
    return MarkBook(folder), {k: record for k, record in records.items() if record.marks.damage is None}, damage


def user_name() -> str:
    """Who is at this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in this container
        return f"uid {os.getuid()}"


def now() -> str:
    """The time, as marks hold it."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
