"""What a person reads to decide: the student's own text, and which of its characters the tool took for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

FILL = "fill"
"""The title of the part that is no answer."""

Json = Mapping[str, Any]
Sort = Literal["found", "wrong", "injected", "copied", "claimed"]


@dataclass(frozen=True)
class Noted:
    """Characters [start, end) of a text that the tool noted something about."""

    sort: Sort
    title: str
    start: int
    end: int


@dataclass(frozen=True)
class Part:
    """One text of a student's with its notes, ``title`` says of what."""

    title: str
    text: str
    noted: tuple[Noted, ...] = ()


@dataclass(frozen=True)
class Stretch:
    """A run of characters between which no note begins or ends. ``begins``: the notes (by number) that start here."""

    text: str
    noted: tuple[int, ...]
    begins: tuple[int, ...]


def material(grade: Json, section: str | None) -> tuple[Part, ...]:
    """The answer in a section; without one, the fill and all answers, those with something noted in them first.

    Of all answers only what can raise a veto is noted: what is wrong in them, and what they claim to have run.
    """
    parts = tuple(_material(grade, section))
    return parts if section is not None else tuple(sorted(parts, key=lambda part: (part.title != FILL, not part.noted)))


def stretches(part: Part, most: int | None = None) -> Iterator[Stretch]:
    """A part's text, or the first ``most`` characters, cut at the ends of its notes; notes may overlap."""
    length = len(part.text) if most is None else min(most, len(part.text))
    places = (place for note in part.noted for place in (note.start, note.end))
    cuts = sorted({0, length, *(place for place in places if place < length)})
    for start, end in pairwise(cuts):
        inside = tuple(n for n, note in enumerate(part.noted) if note.start <= start and end <= note.end)
        yield Stretch(part.text[start:end], inside, tuple(n for n in inside if part.noted[n].start == start))


def _material(grade: Json, section: str | None) -> Iterator[Part]:
    sections: Mapping[str, str] = (grade.get("answers") or {}).get("sections") or {}
    readings = {item["section"]: item for item in grade["score"]["items"] if item.get("section")}
    if section is None and (fill := grade.get("fill")):
        yield Part(FILL, fill["text"])
    for name, text in sections.items():
        if section in (None, name) and (text.strip() or section):
            item = readings.get(name)
            title = item.get("title", name) if item else name
            noted = tuple(_noted((item or {}).get("reading"), len(text)))
            if section is None:
                noted = (*(n for n in noted if n.sort in ("wrong", "injected")), *_claimed(grade, name, len(text)))
            yield Part(title, text, noted)


def _noted(reading: Json | None, length: int) -> Iterator[Noted]:
    if reading is None:
        return
    for passage in reading["wrong"]:
        yield from _note("injected" if passage["id"] == "injection" else "wrong", passage, length)
    for passage in reading["evidence"]:
        yield from _note("found", passage, length)
    copy = reading.get("copy")
    if isinstance(copy, Mapping):
        yield from _note("copied", copy, length)


def _claimed(grade: Json, section: str, length: int) -> Iterator[Noted]:
    """What the answers say was run and measured."""
    for quote in (grade.get("claims") or {}).get("quotes", ()):
        if quote["section"] == section:
            yield from _note("claimed", quote, length)


def _note(sort: Sort, passage: Json, length: int) -> Iterator[Noted]:
    start, end = passage.get("from"), passage.get("to")  # grades of earlier versions lack them
    if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length:
        yield Noted(sort, str(passage.get("title", "")), start, end)
