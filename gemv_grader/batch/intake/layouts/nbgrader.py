"""nbgrader: ``submitted/<student>/<assignment>/<files>``, or the exchange's ``<student>+<assignment>+<time>[+…]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, handed, share
from gemv_grader.batch.intake.model import Claim, DamagedMaterial, Person
from gemv_grader.batch.intake.tree import Tree
from gemv_grader.encoding import decode
from gemv_grader.paths import list_exercises
from gemv_grader.words import Text

SUBMITTED = "submitted"
_STAMP = "timestamp.txt"
_EXCHANGED = re.compile(r"(?P<student>[^+]+)\+(?P<assignment>[^+]+)\+(?P<time>[^+]+)(?:\+.*)?")
# A course's own folders and files beside `submitted`.
_COURSE = frozenset(
    {"source", "release", "autograded", "feedback", "solution", "gradebook.db", "nbgrader_config.py", "downloaded"}
)


def _recognises(tree: Tree) -> float:
    if SUBMITTED in tree.subfolders:
        return 1.0 if set(tree.top) & _COURSE or _is_step(tree.below(SUBMITTED)) else 0.0
    if tree.name == SUBMITTED and _is_step(tree):
        return 0.9
    return share(tree.top, lambda name: tree.is_folder(name) and _EXCHANGED.fullmatch(name))


def _is_step(tree: Tree) -> bool:
    """Whether the tree is two levels of folders: students, and their assignments."""
    return not tree.loose and any(tree.below(student).subfolders for student in tree.subfolders)


def _claims(tree: Tree) -> Claims:
    beside = [name for name in tree.top if name != SUBMITTED and name not in _COURSE]
    if SUBMITTED in tree.subfolders:
        inner = _claims(tree.below(SUBMITTED))
        return Claims(inner.claims, (*inner.ignored, *((tree.prefix + name, FOREIGN) for name in beside)))
    found = list(_attempts(tree))
    wanted = _wanted({assignment for _, assignment, _, _ in found})
    claims = [_claim(student, time, folder) for student, name, time, folder in found if name in wanted]
    ignored = [(folder.prefix.rstrip("/"), OTHER) for _, name, _, folder in found if name not in wanted]
    ignored += [(file.name, FOREIGN) for file in tree.loose.values()]
    return Claims(tuple(claims), tuple(ignored))


def _attempts(tree: Tree) -> Iterator[tuple[str, str, str, Tree]]:
    """Student, assignment, time (empty if the folder does not say) and files of each submission."""
    for name in tree.subfolders:
        inner = tree.below(name)
        if match := _EXCHANGED.fullmatch(name):
            yield match["student"], match["assignment"], match["time"], inner
        else:
            for assignment in inner.subfolders:
                yield name, assignment, "", inner.below(assignment)


def _wanted(assignments: set[str]) -> set[str]:
    """The assignments that are an exercise of ours by name; all where none or only one is there."""
    ours = {name for name in assignments if any(exercise in name.lower() for exercise in list_exercises())}
    return ours or assignments


def _claim(student: str, time: str, inner: Tree) -> Claim:
    time = time or _stamp(inner)
    files = tuple(file for file in handed(inner, inner.files) if file.name not in (_STAMP, "submission_secret.txt"))
    person = Person(student, student, {"student_id": student})
    return Claim((person,), files, attempt=time, submitted_at=time or None)


def _stamp(tree: Tree) -> str:
    try:
        return decode(tree.loose[_STAMP].read(100)).text.strip()
    except (KeyError, DamagedMaterial):
        return ""


LAYOUT = Layout("nbgrader", _recognises, _claims)

OTHER = Text(zh="另一次作业", en="another assignment")
