"""The program: the scaffold with a fill spliced in. Only this is ever compiled, never a student's file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from gemv_grader.exercise import Exercise
from gemv_grader.lock.names import PREFIX, with_own_names


@dataclass(frozen=True)
class Program:
    """Source ready to compile, and where the fill lies in it.

    The fill stands on one line: ``fill_line`` and ``fill_column`` count from 1, ``fill_offset`` is in characters of
    ``source``. In ``fill`` its own names carry a prefix, beginning at ``prefixes``. ``digest`` identifies the program:
    equal tokens give equal digests, whoever sent them.
    """

    exercise_id: str
    source: str
    fill: str
    fill_offset: int
    fill_line: int
    fill_column: int
    prefixes: tuple[int, ...]
    digest: str

    def offset_in_text(self, offset: int) -> int:
        """The offset in the fill's canonical text of a character of ``fill``."""
        return offset - sum(min(len(PREFIX), max(offset - prefix, 0)) for prefix in self.prefixes)


def splice(exercise: Exercise, fill: str) -> Program:
    """Put a fill where the marker stands: its tokens, one space between, its own names out of reach of any header."""
    fill, prefixes = with_own_names(fill, exercise)
    place = exercise.blank_place
    source = in_place(exercise, fill)
    return Program(
        exercise_id=exercise.id,
        source=source,
        fill=fill,
        fill_offset=exercise.scaffold.index(exercise.blank.marker),
        fill_line=place.line,
        fill_column=place.column,
        prefixes=prefixes,
        digest=hashlib.sha256(source.encode()).hexdigest(),
    )


def in_place(exercise: Exercise, text: str) -> str:
    """The scaffold with ``text`` where the marker stands."""
    return exercise.scaffold.replace(exercise.blank.marker, text, 1)
