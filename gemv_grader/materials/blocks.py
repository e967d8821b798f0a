"""A notebook or a Markdown document as a sequence of blocks: prose and code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_REFERENCE = re.compile(
    r"参考(?:答案|解析|实现|代码)|參考(?:答案|解析)|(?:reference|model|sample) (?:answer|solution)", re.I
)


@dataclass(frozen=True)
class Block:
    """A run of lines. ``line`` is the document's line (from 1) of the first, in a notebook always 1.

    ``cell`` counts a notebook's cells from 1; 0 in documents that have none.
    """

    is_code: bool
    lines: tuple[str, ...]
    line: int = 1
    cell: int = 0


def heading(line: str) -> tuple[int, str] | None:
    """Level (1 to 6) and title of a Markdown heading, or None for any other line."""
    line = line.strip()
    title = line.lstrip("#")
    level = len(line) - len(title)
    if 1 <= level <= 6 and title[:1].isspace():
        return level, title.rstrip("#").strip()
    return None


def students_own(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without the sections of reference answers that a lesson may show below its task.

    Such a section goes from its heading to the next one of the same level or above that is no reference either.
    """
    hidden_below: int | None = None
    for block in blocks:
        if block.is_code:
            if hidden_below is None:
                yield block
            continue
        kept = []
        for line in block.lines:
            if found := heading(line):
                level, title = found
                if _REFERENCE.search(title):
                    hidden_below = level if hidden_below is None else min(level, hidden_below)
                elif hidden_below is not None and level <= hidden_below:
                    hidden_below = None
            kept.append(line if hidden_below is None else "")
        yield Block(is_code=False, lines=tuple(kept), line=block.line, cell=block.cell)
