"""Which attempt of each student counts. In a group each member counts for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from gemv_grader.batch.intake.model import Claim, Ignored, Person
from gemv_grader.batch.names import comparable, listed
from gemv_grader.words import Text

Which = Literal["newest", "first"]


def counted(claims: Iterable[Claim], which: Which) -> tuple[list[Claim], list[Ignored]]:
    """The claims that count, in their order, each with the people it counts for; and the files of the others."""
    claims = list(claims)
    in_time = sorted(range(len(claims)), key=lambda at: (claims[at].attempt, at), reverse=which == "newest")
    owner: dict[tuple[str, str], int] = {}
    for at in in_time:
        for person in claims[at].people:
            owner.setdefault(_identity(person), at)
    kept: list[Claim] = []
    ignored: list[Ignored] = []
    for at, claim in enumerate(claims):
        people = tuple(person for person in claim.people if owner[_identity(person)] == at)
        if people:
            kept.append(_without(claim, people))
        else:
            reason = (OLDER if which == "newest" else LATER).format(name=listed(p.name for p in claim.people))
            ignored += [(file.material.name, reason) for file in claim.files]
    return kept, ignored


def _identity(person: Person) -> tuple[str, str]:
    """Two of one name in the export's naming may still be two people: an id used twice."""
    return person.found_as, comparable(person.name)


def _without(claim: Claim, people: tuple[Person, ...]) -> Claim:
    others = listed(person.name for person in claim.people if person not in people)
    notes = (*claim.notes, ELSEWHERE.format(names=others)) if others else claim.notes
    return replace(claim, people=people, notes=notes)


OLDER = Text(zh="{name} 较早的一次提交", en="an older attempt of {name}")
LATER = Text(zh="{name} 较晚的一次提交", en="a later attempt of {name}")
ELSEWHERE = Text(zh="组员 {names} 以另一份提交为准", en="another submission counts for {names} of this group")
