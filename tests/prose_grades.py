"""Stored grades with answers that wait for a person, for tests of reviews."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stored_grades import grade, student

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.store import GradeStore
from gemv_grader.marks import Marks
from gemv_grader.reviewing.book import MarkBook
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.opening import open_grades

Json = dict[str, Any]
WRONG_CHAIN = "wrong_causal_chain"


def answered(q1: str, q2: str, points: tuple[float, float] = (1.5, 1.0), veto: str = "cleared") -> Json:
    """A grade whose two answers are suggested ``points``; the first two characters of q1 are quoted."""
    sections = {"q1": q1, "q2": q2}
    items = [_item(name, text, given) for (name, text), given in zip(sections.items(), points, strict=True)]
    vetoes = [
        {"id": WRONG_CHAIN, "title": "wrong chain", "state": veto, "reason": "it says so"},
        {"id": "unrun", "title": "not measured", "state": "cleared", "reason": "no sign of it"},
    ]
    requires = [{"id": "boundary", "title": "a boundary", "state": "to_confirm", "evidence": None}]
    made = grade(0.0, "unverified", items=items, vetoes=vetoes, requires=requires, possible=4.0, passes_at=3.0)
    return {**made, "answers": {"sections": sections}, "fill": {"text": "a * b"}}


def _item(name: str, text: str, suggested: float) -> Json:
    passage = {"id": "link", "title": "cause -> effect", "start": 0, "end": 2, "from": 0, "to": 2, "text": text[:2]}
    reading = {"evidence": [passage] if len(text) > 1 else [], "missing": ["another link"], "wrong": [], "flags": []}
    return {
        "id": name,
        "title": f"Question {name}",
        "section": name,
        "points": 2.0,
        "earned": 0.0,
        "suggested": suggested if text else 0.0,
        "pending": 0.0,
        "state": "to_confirm" if text else "lost",
        "unanswered": not text,
        "reason": "from the links found" if text else "not answered",
        "reading": reading if text else None,
    }


def class_of(folder: Path, graded: Mapping[str, Json]) -> Path:
    """A folder with these grades; every student's name is the key in capitals."""
    for key, made in graded.items():
        GradeStore(folder).put(key, made, student(key.upper()))
    return folder


def desk_of(folder: Path, author: str = "Ann") -> Desk:
    """A review of the folder, at a time that stands still."""
    book, records, _ = open_grades(folder)
    return Desk(records.values(), book, author, lambda: "2026-01-02T03:04:05+00:00")


def book_of(folder: Path) -> MarkBook:
    """The folder's marks."""
    return MarkBook(Folder(folder))


def all_marks(folder: Path) -> dict[str, Marks]:
    """What everybody's marks.json says."""
    store = GradeStore(folder)
    return {key: store.marks(key) for key in sorted(record.key for record in store)}
