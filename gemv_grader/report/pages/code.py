"""A fill in its line of code, with what was found about it marked where it was found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]

_MOST = 4000  # characters of a fill that are shown
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WEIGHT = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class Stretch:
    """Some code; ``numbers`` are those of the findings at it, ``severity`` the worst of theirs."""

    text: str
    numbers: tuple[int, ...] = ()
    severity: str = ""


@dataclass(frozen=True)
class Note:
    """A finding. ``number`` is 0 where it is not marked in the code."""

    number: int
    severity: str
    place: str
    message: str


def marked(fill: Json | None, findings: Sequence[Json]) -> tuple[tuple[Stretch, ...], tuple[Note, ...]]:
    """The fill in stretches, and the findings, the weightiest first; those inside the fill are numbered.

    It is shown as written where that was kept (``source``), or else as tokens, in which columns do not count.
    """
    ordered = sorted(findings, key=lambda finding: _WEIGHT.get(finding["severity"], 3))
    source = str((fill or {}).get("source") or "")
    starts = _line_starts(source)
    at: dict[int, list[int]] = {}
    worst: dict[int, str] = {}
    notes = []
    for finding in ordered:
        offset = _offset(finding, fill, starts, len(source)) if fill and source else None
        number = 0
        if offset is not None:
            number = 1 + sum(map(len, at.values()))
            at.setdefault(offset, []).append(number)
            worst.setdefault(offset, finding["severity"])
        notes.append(Note(number, finding["severity"], _place(finding), finding["message"]))
    if fill is None:
        return (), tuple(notes)
    return tuple(_stretches(source or fill["text"], at, worst)), tuple(notes)


def _line_starts(source: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", source))]


def _offset(finding: Json, fill: Json, starts: Sequence[int], length: int) -> int | None:
    """Where in the source a finding stands; None for one elsewhere in the file."""
    line, column = finding["line"], finding["column"]
    if line is None or column is None or not 0 <= line - fill["line"] < len(starts):
        return None
    offset = column - fill["column"] if line == fill["line"] else starts[line - fill["line"]] + column - 1
    return int(offset) if 0 <= offset < min(length, _MOST) else None


def _stretches(text: str, at: Mapping[int, Sequence[int]], worst: Mapping[int, str]) -> list[Stretch]:
    found: list[Stretch] = []
    end = 0
    for offset in sorted(at):
        token = _TOKEN.match(text, offset)
        stop = token.end() if token else offset + 1
        if offset < end:  # inside the one before, which two findings then share
            before = found[-1]
            found[-1] = Stretch(before.text, (*before.numbers, *at[offset]), before.severity)
            continue
        if offset > end:
            found.append(Stretch(text[end:offset]))
        found.append(Stretch(text[offset:stop], tuple(at[offset]), worst[offset]))
        end = stop
    if end < min(len(text), _MOST):
        found.append(Stretch(text[end:_MOST] + ("…" if len(text) > _MOST else "")))
    return found


def _place(finding: Json) -> str:
    """Where it is, unless the message says so itself."""
    line, column = finding["line"], finding["column"]
    if line is None or re.search(rf"\b{line}\b.*\b{column}\b", finding["message"]):
        return ""
    return f"{line}:{column}"
