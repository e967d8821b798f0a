"""The values of intake: files of an export, whose they are, and what a person has to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gemv_grader.errors import GradeError
from gemv_grader.words import Text

Ignored = tuple[str, Text]
"""The path of something left aside, and why."""


class DamagedMaterial(GradeError):
    """A file inside an archive cannot be unpacked: the student's archive is broken, not the machine."""


@dataclass(frozen=True)
class Material:
    """One file of an export. ``name`` is its path inside the export, with ``/`` and readable characters."""

    name: str
    size: int
    reader: Callable[[int], bytes] = field(repr=False, compare=False)

    def read(self, limit: int) -> bytes:
        """The content, of a file over ``limit`` bytes the first ``limit + 1``.

        Raises DamagedMaterial where the archive is at fault, OSError where the machine is.
        """
        return self.reader(limit)


@dataclass(frozen=True)
class Person:
    """A student as a layout names them. ``found_as`` is the part of its naming that stays from download to download."""

    found_as: str
    name: str
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Handed:
    """A file with the name its student gave it; ``order`` sorts files of one name, the newest last."""

    name: str
    material: Material
    order: str = ""


@dataclass(frozen=True)
class Claim:
    """What a layout says of some files: whose they are, and which attempt. A later ``attempt`` sorts behind."""

    people: tuple[Person, ...]
    files: tuple[Handed, ...]
    attempt: str = ""
    submitted_at: str | None = None
    late: bool = False
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Student:
    """A student of the class. ``key`` is unique, the same in every run, and names a folder on any file system."""

    key: str
    name: str
    ids: Mapping[str, str]
    found_as: str = ""


@dataclass(frozen=True)
class Entry:
    """One submission: its students (several for a group), its files, and what to say about them.

    ``why_none`` says why there is no program. ``unread``: there may well be one, in
    what a person has yet to choose from or to unpack.
    """

    students: tuple[Student, ...]
    program: Material | None
    answers: Material | None
    attempt: str
    submitted_at: str | None
    late: bool
    layout: str
    notes: tuple[Text, ...] = ()
    receipt: Material | None = None
    why_none: Text | None = None
    unread: bool = False

    def student_json(self, student: Student) -> dict[str, Any]:
        """What is stored beside the grade of ``student``."""
        return {
            "schema": 1,
            "key": student.key,
            "name": student.name,
            "found_as": student.found_as,
            "ids": dict(student.ids),
            "group": [other.key for other in self.students if other != student],
            "layout": self.layout,
            "program": self.program.name if self.program else None,
            "answers": self.answers.name if self.answers else None,
            "receipt": self.receipt.name if self.receipt else None,
            "attempt": self.attempt,
            "submitted_at": self.submitted_at,
            "late": self.late,
            "unread": self.unread,
            "notes": [{"zh": note.zh, "en": note.en} for note in self.notes],
        }


CollisionKind = Literal[
    "same_name",
    "same_id",
    "same_row",
    "several_rows",
    "several_programs",
    "several_answers",
    "changed_id",
    "no_such_file",
]


@dataclass(frozen=True)
class Collision:
    """Something that a person must decide or at least see; nothing was merged."""

    kind: CollisionKind
    keys: tuple[str, ...]
    text: Text


@dataclass(frozen=True)
class Intake:
    """Who was found where, what was ignored, what collides, and who of the roster is missing."""

    layout: str
    entries: tuple[Entry, ...]
    ignored: tuple[Ignored, ...]
    collisions: tuple[Collision, ...]
    missing: tuple[Student, ...]

    @property
    def students(self) -> tuple[Student, ...]:
        """Everyone found, in the order of the entries."""
        return tuple(student for entry in self.entries for student in entry.students)

    @property
    def is_clear(self) -> bool:
        """Whether nothing needs a person: each has a program, nobody is missing, nothing collides."""
        return not (self.collisions or self.missing or any(entry.program is None for entry in self.entries))
