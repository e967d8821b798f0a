"""What a student's page shows, taken from the stored grade and a person's marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from gemv_grader.batch.store import Record
from gemv_grader.marks import Marks
from gemv_grader.report.pages.charts import Piece, bar
from gemv_grader.report.pages.code import Note, Stretch, marked
from gemv_grader.report.pages.engine import render
from gemv_grader.report.pages.lesson import Lesson
from gemv_grader.report.pages.quotes import Quote, Words, highlighted, quotes
from gemv_grader.standing import ItemStanding, RequirementStanding, Standing, VetoStanding
from gemv_grader.words import Lang

Json = Mapping[str, Any]

_BAD = ("failed", "crashed")
_OTHER_SECTION = "output"


@dataclass(frozen=True)
class ItemRow:
    """An item with its points; ``differs`` says where the tool now says otherwise than the person."""

    stands: ItemStanding
    differs: tuple[str, ...]

    @property
    def state(self) -> str:
        """As `ItemStanding` has it, and ``to_read`` where not even a suggestion was made."""
        return "to_read" if self.stands.state == "to_confirm" and self.stands.pending else self.stands.state


@dataclass(frozen=True)
class Answer:
    """The answer to one question; empty ``words`` where the text was not kept."""

    item: ItemRow
    words: tuple[Words, ...]
    found: tuple[Quote, ...]
    wrong: tuple[Quote, ...]
    missing: tuple[str, ...]
    flags: tuple[str, ...]
    copied: tuple[int, str] | None


@dataclass(frozen=True)
class Comment:
    """What a person wrote, and about what."""

    about: str
    author: str
    at: str
    text: str


@dataclass(frozen=True)
class StudentView:
    """All of the page."""

    key: str
    name: str
    ids: Mapping[str, str]
    group: Sequence[str]
    student: Json
    grade: Json
    reasons: tuple[str, ...]
    lesson: Lesson
    stands: Standing
    bar: tuple[Piece, ...]
    missing: tuple[str, ...]
    items: tuple[ItemRow, ...]
    vetoes: tuple[VetoStanding, ...]
    requires: tuple[tuple[RequirementStanding, Quote | None], ...]
    for_gpu: float
    to_confirm: tuple[str, ...]
    failing: Json | None
    code: tuple[Stretch, ...]
    notes: tuple[Note, ...]
    groups: tuple[tuple[str, int, tuple[Json, ...]], ...]
    failed: tuple[Json, ...]
    accesses: tuple[str, tuple[Json, ...]] | None
    answers: tuple[Answer, ...]
    claims: tuple[str, ...]
    output: str
    comments: tuple[Comment, ...]


def page(record: Record, stands: Standing, lesson: Lesson, lang: Lang) -> bytes:
    """The student's page. Raises LookupError, TypeError or ValueError where the record is no grade of schema 1."""
    return render("student.html", view_of(record, stands, lesson, lang), lang)


def view_of(record: Record, stands: Standing, lesson: Lesson, lang: Lang) -> StudentView:
    """What there is to show of one record, which stands so."""
    grade, student = record.grade, record.student
    items = tuple(ItemRow(item, tuple(each.say(lang) for each in item.differs)) for item in stands.items)
    code, notes = marked(grade["fill"], grade["findings"])
    told = {note.message for note in notes}
    cases = grade["cases"]
    sections = (grade.get("answers") or {}).get("sections") or {}
    return StudentView(
        key=record.key,
        name=str(student.get("name") or record.key),
        ids=student.get("ids") or {},
        group=student.get("group") or (),
        student=student,
        grade=grade,
        reasons=tuple(reason for reason in grade["reasons"] if reason not in told) or tuple(grade["reasons"][:1]),
        lesson=lesson,
        stands=stands,
        bar=score_bar(stands),
        missing=tuple(each.say(lang) for each in stands.missing),
        items=items,
        vetoes=tuple(veto for veto in stands.vetoes if veto.state != "cleared" or veto.mark is not None),
        requires=tuple(_requires(grade, stands)),
        for_gpu=sum(item.pending for item in stands.items if item.state == "pending"),
        to_confirm=tuple(item.title for item in stands.items if item.state == "to_confirm"),
        failing=smallest_failure(cases),
        code=code,
        notes=notes,
        groups=tuple(_groups(cases)),
        failed=tuple(case for case in cases if case["status"] in _BAD),
        accesses=_accesses(cases),
        answers=tuple(_answers(grade, items, sections)),
        claims=_claims(grade),
        output=str(sections.get(_OTHER_SECTION, "")),
        comments=tuple(_comments(record.marks, stands)),
    )


def score_bar(stands: Standing) -> tuple[Piece, ...]:
    """The points of all items: those that stand, those suggested, those that wait."""
    parts = (("sure", stands.total), ("open", stands.suggested), ("waits", stands.pending))
    return bar(stands.possible, parts)


def smallest_failure(cases: Iterable[Json]) -> Json | None:
    """The failed or crashed case with the least data: the easiest to follow by hand."""
    bad = [case for case in cases if case["status"] in _BAD]
    return min(bad, key=lambda case: prod(map(int, re.findall(r"\d+", case["shape"]))), default=None)


def _groups(cases: Sequence[Json]) -> Iterator[tuple[str, int, tuple[Json, ...]]]:
    """Name, number passed and cases of each group."""
    for name in dict.fromkeys(case["group"] for case in cases):
        members = tuple(case for case in cases if case["group"] == name)
        yield name, sum(case["status"] == "passed" for case in members), members


def _accesses(cases: Iterable[Json]) -> tuple[str, tuple[Json, ...]] | None:
    """The first case whose accesses of global memory were counted, and these."""
    for case in cases:
        if case["accesses"]:
            return case["id"], tuple(each for each in case["accesses"] if each["memory"] == "global")
    return None


def _answers(grade: Json, rows: Sequence[ItemRow], sections: Mapping[str, str]) -> Iterator[Answer]:
    for item, row in zip(grade["score"]["items"], rows, strict=True):
        reading = item["reading"] or {}
        text = sections.get(item.get("section") or "", "")
        if not text and not reading:
            continue
        found, wrong = reading.get("evidence", ()), reading.get("wrong", ())
        yield Answer(
            item=row,
            words=highlighted(text, found, wrong),
            found=quotes(found, 1),
            wrong=quotes(wrong, 1 + len(found)),
            missing=tuple(reading.get("missing", ())),
            flags=tuple(reading.get("flags", ())),
            copied=_copied(reading.get("copy")),
        )


def _claims(grade: Json) -> tuple[str, ...]:
    """The student's sentences that pass something off as run."""
    claims = grade.get("claims") or {}
    return tuple(quote["text"] for quote in claims.get("quotes", ())) if claims.get("measured") else ()


def _copied(copy: Json | None) -> tuple[int, str] | None:
    """Percent of an answer that stands in a reference text, and the longest stretch of it."""
    return None if copy is None else (round(copy["share"] * 100), copy["text"])


def _requires(grade: Json, stands: Standing) -> Iterator[tuple[RequirementStanding, Quote | None]]:
    """What answers must name, with the words that do."""
    passages = {each["id"]: each["evidence"] for each in grade["score"].get("requires", ())}
    for requirement in stands.requires:
        passage = passages.get(requirement.id)
        yield requirement, quotes([passage], 1)[0] if passage else None


def _comments(marks: Marks, stands: Standing) -> Iterator[Comment]:
    titles: dict[str, str] = {}
    for told in (stands.items, stands.vetoes, stands.requires):
        titles |= {each.id: each.title for each in told}
    for group in (marks.items, marks.vetoes, marks.requires):
        for about, mark in group.items():
            if mark.comment:
                yield Comment(titles.get(about, about), mark.author, mark.at, mark.comment)
