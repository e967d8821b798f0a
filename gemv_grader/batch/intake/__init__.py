"""Intake: each student's submission out of whatever folder or archive a platform gave. It grades nothing.

source -> Tree -> Layout -> Claims -> those that count -> files chosen -> students identified -> Intake
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gemv_grader.batch.intake.archive import archive_suffix, export_archive
from gemv_grader.batch.intake.attempts import Which, counted
from gemv_grader.batch.intake.choose import Wishes, choose
from gemv_grader.batch.intake.layouts import Layout, best, programs
from gemv_grader.batch.intake.model import Claim, Collision, Entry, Ignored, Intake, Material, Student
from gemv_grader.batch.intake.people import clashes, enrolled, identified
from gemv_grader.batch.intake.roster import read_roster
from gemv_grader.batch.intake.students import KnownStudent, read_students, write_students
from gemv_grader.batch.intake.tree import OnDisk, Tree, folder_tree
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

__all__ = ["Entry", "Intake", "Material", "Student", "save_students", "take_in"]

_MAX_WRAPPERS = 4


def take_in(
    source: Path, roster: Path | None = None, previous: Path | None = None, attempt: Which = "newest"
) -> Intake:
    """Find each student's submission below ``source``, a folder or an archive.

    ``previous`` is the students.csv of an earlier intake, if there is one. Raises UsageProblem where there is nothing
    to take in, DataProblem for a roster or a students.csv that cannot be followed.
    """
    known = read_students(previous)
    listing = read_roster(roster) if roster else None
    layout, tree, around = recognise(open_source(source))
    claims = layout.claims(tree)
    kept, older = counted(claims.claims, attempt)
    people = [person for claim in kept for person in claim.people]
    students, collisions = identified(people, known)
    missing: list[Student] = []
    if listing is not None:
        students, unclear, missing = enrolled(students, listing)
        collisions += unclear
    entries, ignored, problems = _entries(kept, students, known, layout)
    return Intake(
        layout=layout.name,
        entries=tuple(entries),
        ignored=tuple(sorted((*around, *claims.ignored, *older, *ignored), key=lambda item: item[0])),
        collisions=(*collisions, *clashes(students), *problems),
        missing=tuple(missing),
    )


def save_students(path: Path, intake: Intake) -> None:
    """Write students.csv for a TA to correct and later runs to follow. Raises OSError if the disk does not take it."""
    write_students(path, intake.students, read_students(path))


def open_source(source: Path) -> Tree:
    """The tree at ``source``. Raises UsageProblem where there is none."""
    if source.is_dir():
        return folder_tree(source)
    if not source.exists():
        raise UsageProblem(NO_SOURCE.format(path=source))
    tree = export_archive(source) if source.is_file() else NOT_A_SOURCE
    if isinstance(tree, Text):
        raise UsageProblem(UNOPENED.format(path=source, reason=tree))
    return tree


def recognise(tree: Tree) -> tuple[Layout, Tree, list[Ignored]]:
    """The layout, the part of the tree that it describes, and what lies around that part.

    An export is often in a folder of its own, or still in its archive: as long as there is nothing else beside it, what
    is inside is looked at, too. The outermost that is recognised best is taken.
    """
    around = list(tree.ignored)
    found = [(*best(tree), tree, tuple(around))]
    while len(found) < _MAX_WRAPPERS and (inner := _inside(found[-1][2])) is not None:
        score, layout, outer, ignored = found[-1]
        if inner.prefix == "":  # an archive: one student's, or a class's, by the number of programs in it
            found[-1] = (score / max(1, programs(inner.files)), layout, outer, ignored)
        around += inner.ignored
        found.append((*best(inner), inner, tuple(around)))
    score, layout, chosen, ignored = max(found, key=lambda each: each[0])
    if not score:
        raise UsageProblem(NOTHING_HERE.format(path=tree.name))
    return layout, chosen, list(ignored)


def _inside(tree: Tree) -> Tree | None:
    if len(tree.top) != 1:
        return None
    (name,) = tree.top
    if tree.is_folder(name):
        return tree.below(name)
    return _archive_inside(tree.loose[name])


def _archive_inside(material: Material) -> Tree | None:
    """The tree in an export's archive that lies alone in a folder."""
    if not isinstance(material.reader, OnDisk) or archive_suffix(material.name) is None:
        return None
    tree = export_archive(Path(material.reader.path))
    return None if isinstance(tree, Text) else tree


def _entries(
    claims: Sequence[Claim], students: Sequence[Student], known: dict[str, KnownStudent], layout: Layout
) -> tuple[list[Entry], list[Ignored], list[Collision]]:
    entries, ignored, problems = [], [], []
    for claim, members in _with_students(claims, students):
        rows = [known[student.found_as] for student in members if student.found_as in known]
        choice = choose(claim.files, next((row.wishes for row in rows if row.wishes != Wishes()), Wishes()))
        entries.append(
            Entry(
                students=members,
                program=choice.program,
                answers=choice.answers,
                attempt=claim.attempt,
                submitted_at=claim.submitted_at,
                late=claim.late,
                layout=layout.name,
                notes=(*claim.notes, *choice.notes),
                receipt=choice.receipt,
                why_none=choice.why_none,
                unread=choice.unread,
            )
        )
        ignored += choice.ignored
        keys = tuple(student.key for student in members)
        problems += [Collision(kind, keys, text) for kind, text in choice.problems]
    return entries, ignored, problems


def _with_students(claims: Sequence[Claim], students: Sequence[Student]) -> Iterator[tuple[Claim, tuple[Student, ...]]]:
    at = 0
    for claim in claims:
        yield claim, tuple(students[at : at + len(claim.people)])
        at += len(claim.people)


NO_SOURCE = Text(
    zh="找不到 {path}。请给出平台导出的文件夹或压缩包。",
    en="There is no {path}. Name the folder or the archive that the platform exported.",
)
NOT_A_SOURCE = Text(zh="既不是文件夹也不是文件", en="it is neither a folder nor a file")
UNOPENED = Text(
    zh="{path} 不能作提交来源：{reason}。请给出平台导出的文件夹、zip 或 tar。",
    en="{path} cannot be taken in: {reason}. Name the folder, zip or tar that the platform exported.",
)
NOTHING_HERE = Text(
    zh="{path} 里没有找到任何提交（.cu、.ipynb、.qmd，或平台导出的文件夹）。请检查路径。",
    en="No submission was found in {path}: no .cu, .ipynb or .qmd, nor a platform's folders. Check the path.",
)
