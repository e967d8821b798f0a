"""Finds the answers that a student wrote inside the lesson's own page, among its other sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gemv_grader.materials.blocks import Block, heading, students_own

_LABEL = (
    r"(?:q(?:uestion)? ?\.? ?[1-9]|(?:问题|問題) ?[1-9一二三四五六七八九]|第 ?[1-9一二三四五六七八九] ?[题題问問]"
    r"|(?:代码|实现)(?:解释|说明)|(?:解释|说明)(?:代码|实现)|explanation|(?:实际)?运行(?:输出|结果)"
    r"|(?:run|program) output)"
)
_TITLE = re.compile(_LABEL, re.IGNORECASE)
# Spaces are bounded: an unbounded run of them would be tried in every division.
_PLAIN = re.compile(
    rf"(?:\*\*)? ?(?P<label>{_LABEL}) ?(?:\*\*)? ?(?:$|[:：.、)）] ?(?:\*\*)?)(?P<rest>.*)", re.IGNORECASE
)
_YOURS = re.compile(r"\W*(?:[你我]的(?:答案|回答)|(?:your|my) answer)\W*?(?:[:：]\W*|$)(?P<rest>.*)", re.IGNORECASE)
_PLAIN_LEVEL = 7  # below every Markdown heading: any of them may end the section


def answers_in(blocks: Sequence[Block]) -> str:
    """The sections of a lesson's page that hold answers, without the questions printed above each answer."""
    sections: list[list[str]] = []
    level: int | None = None
    for line in _prose(blocks):
        found, title, rest = _section_start(line)
        if title is not None and _TITLE.search(title):
            sections.append([f"## {title}", *([rest] if rest else [])])
            level = found
        elif level is None or (title is not None and found <= level):
            level = None
        elif match := _YOURS.match(line):
            sections[-1][1:] = [match["rest"]]
        else:
            sections[-1].append(line)
    return "\n".join(line for section in sections for line in [*section, ""])


def _prose(blocks: Sequence[Block]) -> Iterator[str]:
    for block in students_own(blocks):
        if not block.is_code:
            yield from block.lines


def _section_start(line: str) -> tuple[int, str | None, str]:
    """Level, title (None for a line that starts no section) and what follows the title on its line."""
    if found := heading(line):
        return (*found, "")
    if match := _PLAIN.fullmatch(line.strip()):
        return _PLAIN_LEVEL, match["label"], match["rest"]
    return 0, None, ""
