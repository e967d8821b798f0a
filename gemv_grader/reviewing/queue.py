"""What there is to review: questions, and for each the students' answers, equal ones together, in a shuffled order.

The order comes from the answers alone, so that it is the same after a pause, and nobody is always first or last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemv_grader.batch.store import Record
from gemv_grader.reviewing.material import material
from gemv_grader.reviewing.places import Place
from gemv_grader.standing import OTHER_ANSWER, ItemStanding, RequirementStanding, Standing, VetoStanding

Stands = ItemStanding | VetoStanding | RequirementStanding


@dataclass(frozen=True)
class Question:
    """Something to decide about many students. ``section``: where in the answers, None for all of them.

    ``possible`` are the points of an item; 0 for vetoes and requirements.
    """

    exercise: str
    place: Place
    title: str
    section: str | None = None
    possible: float = 0.0


@dataclass(frozen=True)
class Group:
    """Students who wrote the same: one decision is for all of them. ``digest`` identifies what they wrote."""

    keys: tuple[str, ...]
    digest: str


def questions_of(records: Iterable[Record], standings: Mapping[str, Standing]) -> tuple[Question, ...]:
    """The questions that some student needs, or got, a decision on: prose in the rubric's order, then the rest."""
    found: dict[tuple[str, Place], Question] = {}
    for record in records:
        for stands in _parts(standings[record.key]):
            if _concerns_a_person(stands):
                question = _question(record.grade["exercise"], stands)
                found.setdefault((question.exercise, question.place), question)
    order = {"item": 0, "veto": 1, "requirement": 2}
    ranks = _ranks(standings.values())
    return tuple(
        sorted(found.values(), key=lambda q: (q.exercise, order[q.place.kind], ranks[q.place], q.place.id)),
    )


def groups_of(question: Question, records: Iterable[Record], standings: Mapping[str, Standing]) -> tuple[Group, ...]:
    """The students whom a question concerns, equal answers together, in the order to review them."""
    members: dict[str, list[str]] = {}
    for record in records:
        stands = part_of(standings[record.key], question.place)
        if record.grade["exercise"] == question.exercise and stands is not None and _concerns_a_person(stands):
            members.setdefault(_digest(record, question), []).append(record.key)
    groups = (Group(tuple(sorted(keys)), digest) for digest, keys in members.items())
    return tuple(sorted(groups, key=lambda group: _shuffled(question, group.digest)))


def part_of(stands: Standing, place: Place) -> Stands | None:
    """How a student stands at a place; None where the grade knows no such place."""
    return next((part for part in _parts(stands) if place_of(part) == place), None)


def is_open(stands: Stands | None) -> bool:
    """Whether a person has still to decide it, or to decide anew because another answer was handed in since."""
    if isinstance(stands, ItemStanding):
        return stands.state == "to_confirm" or OTHER_ANSWER in stands.differs
    return stands is not None and stands.state in ("suspected", "to_confirm")


def _parts(stands: Standing) -> Iterator[Stands]:
    yield from stands.items
    yield from stands.vetoes
    yield from stands.requires


def place_of(stands: Stands) -> Place:
    """Where a decision about this is kept."""
    if isinstance(stands, ItemStanding):
        return Place("item", stands.id)
    return Place("veto" if isinstance(stands, VetoStanding) else "requirement", stands.id)


def _concerns_a_person(stands: Stands) -> bool:
    if isinstance(stands, ItemStanding):
        return stands.section is not None and (stands.state == "to_confirm" or stands.mark is not None)
    return stands.mark is not None or stands.machine in ("suspected", "raised", "to_confirm")


def _question(exercise: str, stands: Stands) -> Question:
    if isinstance(stands, ItemStanding):
        return Question(exercise, place_of(stands), stands.title, stands.section, stands.points)
    return Question(exercise, place_of(stands), stands.title)


def _ranks(standings: Iterable[Standing]) -> dict[Place, int]:
    """The order in which the rubric lists things, as the first grade that has them tells it."""
    ranks: dict[Place, int] = {}
    for stands in standings:
        for number, part in enumerate(_parts(stands)):
            ranks.setdefault(place_of(part), number)
    return ranks


def _digest(record: Record, question: Question) -> str:
    texts: Sequence[str] = [part.text for part in material(record.grade, question.section)]
    told = "\0".join(" ".join(text.split()) for text in texts)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _shuffled(question: Question, digest: str) -> str:
    return hashlib.sha256(f"{question.exercise} {question.place} {digest}".encode()).hexdigest()
