"""The policy ``exact``: outside the blank not even a comment or a space may differ, only the line ends."""

from __future__ import annotations

from gemv_grader.lock.edits import common
from gemv_grader.lock.scaffold import Scaffold
from gemv_grader.words import Text


def first_difference(scaffold: Scaffold, text: str) -> Text | None:
    """What differs first, in words; None if nothing does. Blank lines around the whole text do not count."""
    marker = scaffold.tokens[scaffold.blank]
    before, after = scaffold.text[: marker.start].lstrip("\n"), scaffold.text[marker.end :].rstrip("\n")
    given = text.strip("\n")
    same_before, same_after = common(before, given), common(after[::-1], given[::-1])
    if same_before == len(before) and same_after == len(after):
        return None
    if same_before < len(before):
        line = scaffold.text.count("\n", 0, marker.start - len(before) + same_before)
        at = text.count("\n", 0, len(text) - len(text.lstrip("\n")) + same_before)
    else:
        line = scaffold.text.count("\n", 0, marker.end + len(after) - same_after)
        at = text.count("\n", 0, len(text.rstrip("\n")) - same_after)
    return DIFFERS.format(line=line + 1, old=scaffold.text.split("\n")[line], at=at + 1, new=text.split("\n")[at])


DIFFERS = Text(
    zh="这个练习连注释和空白都不许改：骨架第 {line} 行“{old}”，你的第 {at} 行是“{new}”。请恢复原样。",
    en="In this exercise not even comments or blanks may change: line {line} of the scaffold is "
    '"{old}", your line {at} is "{new}". Restore it.',
)
