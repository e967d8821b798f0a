"""Looks for students and words among the answers to one question."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rich.text import Text as Styled

from gemv_grader.report.plain import one_line
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.material import material
from gemv_grader.reviewing.queue import Group
from gemv_grader.reviewing.screen.dialogs import Hit
from gemv_grader.reviewing.screen.panes import name_of

_AROUND = 20  # characters shown before what was found


def find(desk: Desk, query: str, *, names: bool) -> Sequence[Hit]:
    """The answers whose student or text has ``query`` in it; all of them if it is empty."""
    sought = _plain(query)
    hits = []
    for number, group in enumerate(desk.groups):
        people = [name_of(desk, key) for key in group.keys]
        texts = [part.text for part in material(desk.record(group.keys[0]).grade, desk.question.section)]
        text = " ".join("\n".join(texts).split())
        if any(sought in _plain(person) for person in people) or sought in _plain(text):
            shown = Styled(f"{number + 1:>4} ", no_wrap=True, overflow="ellipsis").append(_state(desk, group), "bold")
            if names:
                shown.append(f"{', '.join(people)}  ")
            at = max(0, _plain(text).find(sought) - _AROUND)
            hits.append(Hit(number, shown.append(one_line(text[at : at + 300], 200), "dim")))
    return hits


def _state(desk: Desk, group: Group) -> str:
    if desk.differs(group, desk.question.place):
        return "≠  "
    return "·  " if desk.open_keys(group) else "✓  "


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
