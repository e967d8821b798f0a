"""The program: the scaffold with a fill spliced in. Only this is ever compiled, never a student's file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from gemv_grader.exercise import Exercise


@dataclass(frozen=True)
class Program:
    """Source ready to compile, and where the fill lies in it.

    The fill stands on one line: ``fill_line`` and ``fill_column`` count from 1, ``fill_offset`` is in
    characters of ``source``. ``digest`` identifies the program: equal tokens give equal digests, whoever
    sent them.
    """

    exercise_id: str
    source: str
    fill: str
    fill_offset: int
    fill_line: int
    fill_column: int
    digest: str


def splice(exercise: Exercise, fill: str) -> Program:
    """Put the canonical text of a fill (its tokens, one space between) where the marker stands."""
    place = exercise.blank_place
    offset = exercise.scaffold.index(exercise.blank.marker)
    source = exercise.scaffold.replace(exercise.blank.marker, fill, 1)
    return Program(
        exercise_id=exercise.id,
        source=source,
        fill=fill,
        fill_offset=offset,
        fill_line=place.line,
        fill_column=place.column,
        digest=hashlib.sha256(source.encode()).hexdigest(),
    )
