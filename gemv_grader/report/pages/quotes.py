"""An answer with the words marked that earned points or mislead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Json = Mapping[str, Any]

_MOST = 20_000  # characters of an answer that are shown


@dataclass(frozen=True)
class Words:
    """Some of an answer, ``kind`` found or wrong where passages stand; ``numbers`` are of those that end with it."""

    text: str
    kind: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Quote:
    """A passage: its number in the text, what it shows, and its words."""

    number: int
    title: str
    text: str


def quotes(passages: Sequence[Json], first: int) -> tuple[Quote, ...]:
    """Passages, numbered from ``first``."""
    return tuple(Quote(first + i, passage["title"], passage["text"]) for i, passage in enumerate(passages))


def highlighted(text: str, found: Sequence[Json], wrong: Sequence[Json]) -> tuple[Words, ...]:
    """``text`` in pieces, those marked that passages stand at. Passages may overlap.

    ``found`` are numbered from 1, ``wrong`` go on from there, as `quotes` numbers them.
    """
    spans = []
    for number, passage in enumerate((*found, *wrong), start=1):
        start, end = passage.get("from"), passage.get("to")
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text):
            spans.append((start, min(end, _MOST), number))
    shown = min(len(text), _MOST)
    cuts = sorted({0, shown, *(cut for start, end, _ in spans for cut in (start, end) if cut <= shown)})
    pieces = []
    for start, end in pairwise(cuts):
        over = [(last, number) for first, last, number in spans if first <= start and end <= last]
        kind = "wrong" if any(number > len(found) for _, number in over) else "found" if over else ""
        pieces.append(Words(text[start:end], kind, tuple(number for last, number in over if last == end)))
    return (*pieces, Words("…")) if len(text) > _MOST else tuple(pieces)
