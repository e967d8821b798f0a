"""A key corrected in students.csv takes along what is stored under the old one: the grade, and a person's marks.

Without that the student would be in the gradebook twice, and a person's decisions would stay with the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.intake.model import Student
from gemv_grader.batch.ledger import Line
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

Move = tuple[str, str]
"""The old key and the new one."""


def follow_keys(folder: Folder, ledger: Mapping[str, Line], students: Sequence[Student]) -> tuple[Move, ...]:
    """Move the grades of students who have another key now.

    Raises UsageProblem, before anything is moved, where a new key still belongs to another student, and OSError.
    """
    moves = _moves(ledger, students)
    vacated = {old for old, _ in moves}
    for old, new in moves:
        if new in vacated or folder.store.folder(new).exists():
            raise UsageProblem(TAKEN.format(old=old, new=new, path=folder.path))
    for old, new in moves:
        folder.store.folder(old).rename(folder.store.folder(new))
    return moves


def _moves(ledger: Mapping[str, Line], students: Sequence[Student]) -> tuple[Move, ...]:
    keys: dict[str, set[str]] = {}
    for line in ledger.values():
        if line.found_as:
            keys.setdefault(line.found_as, set()).add(line.key)
    stored = ((student, keys.get(student.found_as, set())) for student in students)
    return tuple((min(of), student.key) for student, of in stored if len(of) == 1 and student.key not in of)


TAKEN = Text(
    zh="students.csv 把 {old} 的 key 改成了 {new}，但 {path} 里 {new} 是别人的成绩。请换一个 key。",
    en="students.csv changes the key {old} to {new}, but in {path} {new} is somebody else's grade. Choose another key.",
)
