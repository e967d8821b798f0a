"""The folder of grades: ``<key>/grade.json`` and ``<key>/student.json``, and a person's ``marks.json``, per student.

A grade is there entirely or not at all: both files are written beside their final place and renamed into it, the
student first, so a ``grade.json`` that can be read is the sign of a finished grade. What a power failure leaves
half-written cannot be read, and is graded again; who writes many grades can have them on the disk together (`sync`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemv_grader import marks
from gemv_grader.batch.files import replace_file
from gemv_grader.batch.names import RESERVED_KEYS
from gemv_grader.errors import DataProblem
from gemv_grader.marks import NO_MARKS, Marks

Json = dict[str, Any]

GRADE, STUDENT = "grade.json", "student.json"

# A key names a folder on any file system: no separators, no reserved characters, no leading or trailing dot.
_KEY = re.compile(r"(?![.\s])[^\x00-\x1f\x7f/\\:*?\"<>|]{1,200}(?<![.\s])")


@dataclass(frozen=True)
class Record:
    """What is stored of one student: whose it is, the grade as `json_report.as_dict` gives it, people's marks."""

    key: str
    grade: Json
    student: Json
    marks: Marks = NO_MARKS


class GradeStore:
    """Grades by the student's key. Several threads may write, each another key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def folder(self, key: str) -> Path:
        """The folder of one student. Raises ValueError for a key that is no plain folder name."""
        if not is_key(key):
            raise ValueError(f"not a key: {key!r}")
        return self.path / key

    def put(self, key: str, grade: Json, student: Json, *, durable: bool = True) -> None:
        """Store one grade, in place of an earlier one, and if ``durable`` wait until it is on the disk.

        Raises OSError if the disk does not take it.
        """
        folder = self.folder(key)
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / STUDENT, _encoded(student))
        replace_file(folder / GRADE, _encoded(grade), durable=durable)

    def get(self, key: str) -> Record | None:
        """The record of one student; None if there is none or it is damaged, so that it is graded again."""
        folder = self.folder(key)
        grade, student = _load(folder / GRADE), _load(folder / STUDENT)
        return None if grade is None or student is None else Record(key, grade, student, self.marks(key))

    def marks(self, key: str) -> Marks:
        """What people decided about one student's grade."""
        return marks.load_marks(self.folder(key) / marks.FILE)

    def put_marks(self, key: str, decided: Marks) -> None:
        """Store what people decided, and wait until it is on the disk.

        Raises OSError if the disk does not take it, and DataProblem where it would replace marks that cannot be read.
        """
        if (damage := self.marks(key).damage) is not None:
            raise DataProblem(damage)
        replace_file(self.folder(key) / marks.FILE, marks.to_json(decided), durable=True)

    def keys(self) -> tuple[str, ...]:
        """The keys that have a grade, sound or damaged, in order."""
        if not self.path.is_dir():
            return ()
        with os.scandir(self.path) as entries:
            folders = [entry.name for entry in entries if is_key(entry.name) and entry.is_dir()]
        return tuple(sorted(name for name in folders if (self.path / name / GRADE).exists()))

    def __iter__(self) -> Iterator[Record]:
        """Every sound record, in the order of the keys."""
        return (record for key in self.keys() if (record := self.get(key)) is not None)

    def damaged(self) -> tuple[str, ...]:
        """The keys whose files cannot be read: a disk that was full, an edit gone wrong."""
        return tuple(key for key in self.keys() if self.get(key) is None)


def is_key(key: str) -> bool:
    """Whether ``key`` can name a student's folder."""
    return _KEY.fullmatch(key) is not None and key.casefold() not in RESERVED_KEYS


def _encoded(document: Json) -> bytes:
    from pydantic_core import to_json  # noqa: PLC0415 - only for writing; with an indent ten times as fast as json

    try:
        return to_json(document, indent=2, inf_nan_mode="strings") + b"\n"
    except ValueError:
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape


def _load(path: Path) -> Json | None:
    try:
        document = _decoded(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return document if isinstance(document, dict) else None


def _decoded(data: bytes) -> Any:
    from pydantic_core import from_json  # noqa: PLC0415 - only for reading; twice as fast as json

    try:
        return from_json(data)
    except ValueError:
        return json.loads(data)  # which takes the escape of a lone surrogate
