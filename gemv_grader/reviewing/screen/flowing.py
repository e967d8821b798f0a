"""Text wrapped as Chinese is set: lines break between any two wide characters, and no line begins with a comma."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text as Styled

# A wide character with the punctuation that belongs to it, a word, or space.
_PIECE = re.compile(
    r"[（“‘「『《【]*[\u2e80-\uffef][，。、；：？！）”’」』》】…]*|[^\s\u2e80-\uffef]+[，。、；：？！）”’」』》】]*|\s+"
)


class Flowing:
    """A styled text that is wrapped to the width it is given."""

    def __init__(self, text: Styled) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """One line after the other."""
        for line in self._text.split("\n", allow_blank=True):
            line.expand_tabs(4)
            yield from self._wrapped(line, max(2, options.max_width))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """As wide as its longest line, and no narrower than it must be."""
        longest = max((cell_len(line) for line in self._text.plain.split("\n")), default=0)
        return Measurement(min(2, options.max_width), min(longest, options.max_width))

    def _wrapped(self, line: Styled, width: int) -> list[Styled]:
        breaks, used = [], 0
        for match in _PIECE.finditer(line.plain):
            piece = match[0]
            cells = cell_len(piece)
            if used and used + cells > width and not piece.isspace():
                breaks.append(match.start())
                used = 0
            if cells > width and not piece.isspace():  # a word longer than a line is cut
                for at, character in enumerate(piece, match.start()):
                    if used + cell_len(character) > width:
                        breaks.append(at)
                        used = 0
                    used += cell_len(character)
            else:
                used += cells
        lines = list(line.divide(breaks))
        for each in lines:
            each.rstrip()
            each.no_wrap, each.overflow = True, "crop"
        return lines
