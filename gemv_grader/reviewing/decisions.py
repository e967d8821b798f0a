"""What a person can decide, and the mark that it becomes for one student."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from gemv_grader.batch.store import Record
from gemv_grader.marks import ItemMark, RequirementMark, VetoMark, digest
from gemv_grader.reviewing.places import Mark, Place
from gemv_grader.standing import ItemStanding

VETO_STATES: tuple[Literal["cleared"], Literal["raised"]] = ("cleared", "raised")
REQUIREMENT_STATES: tuple[Literal["met"], Literal["unmet"]] = ("met", "unmet")

_NUMBER = re.compile(r"[0-9]{0,4}(?:[.,][0-9]{0,4})?")


@dataclass(frozen=True)
class Hand:
    """Whose decision it is, and when it was made (ISO 8601, UTC)."""

    author: str
    at: str


@dataclass(frozen=True)
class Seen:
    """What the person looked at: a grade, and how its item stands."""

    record: Record
    item: ItemStanding

    @property
    def answer(self) -> str:
        """Identifies the answer."""
        sections = (self.record.grade.get("answers") or {}).get("sections") or {}
        return digest(sections.get(self.item.section or "", ""))


def with_points(seen: Seen, points: float, hand: Hand) -> ItemMark:
    """Points for an answer; a comment that was given stays."""
    comment = seen.item.comment
    return ItemMark(hand.author, hand.at, points, seen.item.machine, seen.answer, comment)


def with_comment(seen: Seen, comment: str, hand: Hand) -> ItemMark | None:
    """A comment on an answer; points that were given stay, and what they were given for. None: nothing is left."""
    mark = seen.item.mark
    if mark is not None and mark.points is not None:
        return ItemMark(hand.author, hand.at, mark.points, mark.machine, mark.answer, comment)
    return ItemMark(hand.author, hand.at, None, seen.item.machine, seen.answer, comment) if comment else None


def with_state(place: Place, state: str, comment: str, hand: Hand) -> Mark:
    """A veto raised or cleared, a requirement met or unmet. Raises ValueError for any other ``state``."""
    if place.kind == "veto":
        for veto_state in VETO_STATES:
            if state == veto_state:
                return VetoMark(hand.author, hand.at, veto_state, comment)
    elif place.kind == "requirement":
        for requirement_state in REQUIREMENT_STATES:
            if state == requirement_state:
                return RequirementMark(hand.author, hand.at, requirement_state, comment)
    raise ValueError(f"{state!r} for {place}")


def parse_points(typed: str) -> float | None:
    """The number that a person typed, with a decimal point or comma, full-width or not; None for anything else."""
    plain = unicodedata.normalize("NFKC", typed).replace("。", ".").strip()
    if not _NUMBER.fullmatch(plain) or not any(character.isdigit() for character in plain):
        return None
    return float(plain.replace(",", "."))


def in_range(points: float, possible: float) -> bool:
    """Whether an item that is worth ``possible`` can be given ``points``."""
    return math.isfinite(points) and 0 <= points <= possible
