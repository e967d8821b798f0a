"""What the folder already holds: which grades stand, which are out of date, and which must not be mixed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gemv_grader import __version__
from gemv_grader.batch import gradebook
from gemv_grader.batch.source import Source
from gemv_grader.batch.store import GradeStore, Record
from gemv_grader.errors import UsageProblem
from gemv_grader.standing import standing
from gemv_grader.words import Evidence, Text, Verdict

if TYPE_CHECKING:
    from gemv_grader.batch.tasks import Member

Json = dict[str, Any]

STAMP = "batch"
"""The key of a grade under which a batch notes what the grade was made from."""


@dataclass(frozen=True)
class Basis:
    """What all grades of a folder must have been made with."""

    exercise_sha256: str
    rubric_sha256: str
    tool_version: str = __version__


@dataclass(frozen=True)
class Line:
    """What is known of one stored grade.

    ``files`` are digests of the program and the answers handed in; ``gpu_points`` the points that wait for a GPU.
    """

    key: str
    verdict: Verdict
    files: tuple[str, str]
    exercise: str
    basis: Basis
    evidence: Evidence
    compiler: tuple[str, str]
    program: str
    gpu_points: float
    waits_for_person: bool
    student_digest: str
    found_as: str
    row: gradebook.Row

    @property
    def waits_for_gpu(self) -> bool:
        """Whether a GPU could still change it."""
        return self.gpu_points > 0

    @property
    def is_fault(self) -> bool:
        """Whether the grader or the machine failed."""
        return self.verdict is Verdict.GRADER_FAULT


def stamp(grade: Json, source: Source, files: tuple[str, str], member: Member | None) -> Json:
    """The grade with a note of what it was made from and, where a GPU can still change it, of what that will take."""
    note = {
        "program_file": files[0],
        "answers_file": files[1],
        "exercise_sha256": source.exercise_sha256,
        "program_sha256": member.digest if member else None,
    }
    if member is not None and _gpu_points(grade):
        note["looked"] = member.state.decode()
    return {**grade, STAMP: note}


def line_of(record: Record) -> Line | None:
    """What a record says; None if it was not made by a batch, so that it is graded again."""
    grade = record.grade
    try:
        note = grade[STAMP]
        stands = standing(grade, record.marks)
        build = grade["build"] or {}
        return Line(
            key=record.key,
            verdict=Verdict(grade["verdict"]),
            files=(note["program_file"], note["answers_file"]),
            exercise=grade["exercise"],
            basis=Basis(note["exercise_sha256"], grade["rubric_sha256"], grade["tool_version"]),
            evidence=Evidence(grade["evidence"]),
            compiler=(build.get("tool", ""), build.get("version", "")),
            program=note["program_sha256"] or "",
            gpu_points=_gpu_points(grade),
            waits_for_person=stands.waits_for_person,
            student_digest=digest_of(record.student),
            found_as=str(record.student.get("found_as") or ""),
            row=gradebook.row(record, stands),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _gpu_points(grade: Json) -> float:
    """The points that wait for a GPU."""
    if not grade["static_review_only"] or grade["verdict"] == Verdict.GRADER_FAULT.value:
        return 0.0
    return sum((item["pending"] for item in grade["score"]["items"] if item["state"] == "pending"), 0.0)


def digest_of(student: Json) -> str:
    """A digest of what is stored of a student, to see whether the intake says something new."""
    return hashlib.sha256(json.dumps(student, sort_keys=True).encode()).hexdigest()


def read_ledger(store: GradeStore) -> dict[str, Line]:
    """A line for each grade that can be read."""
    return {line.key: line for record in store if (line := line_of(record)) is not None}


def require_ledger(store: GradeStore) -> dict[str, Line]:
    """The same. Raises UsageProblem if there is no grade."""
    if not (ledger := read_ledger(store)):
        raise UsageProblem(NO_GRADES.format(path=store.path))
    return ledger


NO_GRADES = Text(
    zh="{path} 里没有 gemv-grade batch 的成绩。请给出它的 --out 文件夹。",
    en="There are no grades of `gemv-grade batch` in {path}. Name the folder that was its --out.",
)
