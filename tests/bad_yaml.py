"""Reads the marks in ``bad_data``: ``#! words`` at the end of a line must be said of that line."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

BAD_DATA = Path(__file__).parent / "bad_data"


def marks_in(path: Path) -> dict[int, list[str]]:
    """Line number -> what must be said of it."""
    marks: defaultdict[int, list[str]] = defaultdict(list)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        marks[number] += [mark.strip() for mark in line.split("#!")[1:]]
    return {number: said for number, said in marks.items() if said}


def said_of(path: Path, message: str) -> dict[int, list[str]]:
    """Line number -> what ``message`` says of it; every line of the message must name ``path``."""
    said: defaultdict[int, list[str]] = defaultdict(list)
    for line in message.splitlines():
        match = re.match(re.escape(str(path)) + r":(\d+): (.+)", line)
        assert match, f"no file and line in {line!r}"
        said[int(match[1])].append(match[2])
    return dict(said)


def assert_marks_are_said(marked: Path, reported: Path, message: str) -> None:
    """The lines reported are exactly the lines marked, and every mark's words are among those of its line."""
    marks, said = marks_in(marked), said_of(reported, message)
    assert set(marks) == set(said), message
    for number, wanted in marks.items():
        for words in wanted:
            assert any(words in text for text in said[number]), f"line {number}: {words!r} not in {said[number]}"
