"""What the class page keeps of a student: little, since a class may have tens of thousands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gemv_grader.batch.store import Record
from gemv_grader.report.pages.code import Note, Stretch, marked
from gemv_grader.report.pages.likeness import sketch
from gemv_grader.report.pages.student import smallest_failure
from gemv_grader.standing import Standing

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Program:
    """What many students may have in common: a fill and what became of it. ``id`` tells it from others.

    ``items`` are the id, title and points of the rubric's items, ``earned`` title, state and points of those for code.
    """

    id: str
    verdict: str
    evidence: str
    code: tuple[Stretch, ...]
    notes: tuple[Note, ...]
    reason: str
    failing: Json | None
    failed: tuple[str, ...]
    items: tuple[tuple[str, str, float], ...]
    earned: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Concern:
    """A veto that is suspected or raised."""

    title: str
    state: str
    reason: str


@dataclass(frozen=True)
class Entry:
    """One student. ``points`` are, for each item, those that stand, are suggested and wait.

    ``sketches`` are of the answers, by item. ``is_open`` says that a GPU or a person can still change the grade.
    """

    key: str
    name: str
    exercise: str
    program: str
    verdict: str
    total: float
    suggested: float
    pending: float
    possible: float
    passed: bool | None
    is_open: bool
    for_gpu: bool
    for_person: bool
    points: tuple[tuple[float, float, float], ...]
    unanswered: tuple[str, ...]
    concerns: tuple[Concern, ...]
    fault: str
    sketches: Mapping[str, tuple[bytes, bytes]]


def entry_of(record: Record, stands: Standing) -> tuple[Entry, Program]:
    """The entry of one student, and the program that it names. Raises LookupError or TypeError for what is no grade."""
    grade = record.grade
    program = _program(grade, stands)
    sections = (grade.get("answers") or {}).get("sections") or {}
    is_fault = grade["verdict"] == "grader_fault"
    entry = Entry(
        key=record.key,
        name=str(record.student.get("name") or record.key),
        exercise=grade["exercise"],
        program=program.id,
        verdict=grade["verdict"],
        total=stands.total,
        suggested=stands.suggested,
        pending=stands.pending,
        possible=stands.possible,
        passed=stands.passed,
        is_open=bool(stands.suggested or stands.pending or stands.waits_for_person),
        for_gpu=not is_fault and any(item.state == "pending" and item.pending for item in stands.items),
        for_person=stands.waits_for_person,
        points=tuple((item.counts, item.suggested, item.pending) for item in stands.items),
        unanswered=tuple(item["id"] for item in grade["score"]["items"] if item.get("unanswered")),
        concerns=tuple(
            Concern(veto.title, veto.state, veto.reason) for veto in stands.vetoes if veto.state != "cleared"
        ),
        fault=grade["reasons"][0] if is_fault and grade["reasons"] else "",
        sketches={
            item.id: sketch(sections[item.section])
            for item in stands.items
            if item.section and sections.get(item.section)
        },
    )
    return entry, program


def _program(grade: Json, stands: Standing) -> Program:
    fill, cases = grade["fill"], grade["cases"]
    reason = grade["reasons"][0] if grade["reasons"] else ""
    code, notes = marked(fill, grade["findings"])
    return Program(
        id=f"{grade['verdict']} {fill['sha256'] if fill else reason}",
        verdict=grade["verdict"],
        evidence=grade["evidence"],
        code=code,
        notes=notes[:6],
        reason=reason,
        failing=smallest_failure(cases),
        failed=tuple(case["id"] for case in cases if case["status"] in ("failed", "crashed")),
        items=tuple((item.id, item.title, item.points) for item in stands.items),
        earned=tuple(
            (item.title, item.state, f"{item.counts if item.state != 'pending' else item.pending:g}/{item.points:g}")
            for item in stands.items
            if item.section is None
        ),
    )
