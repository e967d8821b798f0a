"""The pieces that a report on a terminal is set in."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Styled

from gemv_grader.words import Lang, Text

SHOWN = 5  # of a long list, before "and N more"


def hanging(prefix: Styled, text: Styled, columns: int = 2) -> RenderableType:
    """``text`` beside ``prefix``: where it wraps, its lines stay beside it."""
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")  # Rich may find a line of wide characters too long by one: never cut it
    grid.add_row(prefix, text)
    return indented(grid, columns)


def heading(text: Text, lang: Lang) -> Styled:
    """The line above a part of a report."""
    return Styled(text.say(lang), "bold")


def indented(what: RenderableType, columns: int = 2) -> RenderableType:
    """Anything, moved in by ``columns``."""
    return Padding(what, (0, 0, 0, columns), expand=False)
