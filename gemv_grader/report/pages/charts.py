"""Where the rectangles of a bar go: in percent of its length, so that hatching is not stretched with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A part of a bar: ``kind`` is sure, open or waits; ``x`` and ``width`` are percentages."""

    kind: str
    x: str
    width: str


def bar(whole: float, parts: Iterable[tuple[str, float]]) -> tuple[Piece, ...]:
    """The parts, one after another, of a bar whose full length stands for ``whole``; parts of nothing are left out."""
    pieces, done = [], 0.0
    for kind, value in parts:
        if value > 0 and whole > 0:
            start, end = (round(100 * min(at, whole) / whole, 1) for at in (done, done + value))
            pieces.append(Piece(kind, f"{start:g}%", f"{max(end - start, 0.2):.3g}%"))
        done += max(value, 0.0)
    return tuple(pieces)
