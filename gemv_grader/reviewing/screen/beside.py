"""What stands beside an answer: earlier marks, key points found and missing, flags, vetoes and requirements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text as Styled

from gemv_grader.marks import ItemMark
from gemv_grader.report.plain import one_line, printable
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.material import material
from gemv_grader.reviewing.places import Mark, Place
from gemv_grader.reviewing.queue import place_of
from gemv_grader.reviewing.scale import Scale
from gemv_grader.reviewing.screen import wording
from gemv_grader.reviewing.screen.panes import SIGNS, state
from gemv_grader.standing import ItemStanding, RequirementStanding, VetoStanding
from gemv_grader.words import Lang

Json = Mapping[str, Any]
Line = tuple[Styled, Styled]
"""A sign, and the text that hangs on it."""


def beside(desk: Desk, scale: Scale, lang: Lang) -> Iterator[Line]:
    """All lines, what matters most first: on a small screen the last may need scrolling."""
    key, place = desk.group.keys[0], desk.question.place
    yield from _marks(desk, lang)
    stands = desk.part(key)
    if isinstance(stands, ItemStanding):
        for difference in stands.differs:
            yield Styled("≠ ", "bold red"), Styled(difference.say(lang), "bold")
        item = next(item for item in desk.record(key).grade["score"]["items"] if item["id"] == place.id)
        reading = item.get("reading")
        worth = {title: points for (section, title), points in scale.points.items() if section == stands.section}
        if reading is None:
            yield Styled("  "), Styled(wording.NO_READING.say(lang), "dim")
        for flag in reading["flags"] if reading else ():
            yield Styled("⚑ ", "bold red"), Styled(_flag(flag, reading.get("copy"), lang), "bold")
        yield from _notes(desk, worth, lang)
        yield from _others(desk, lang)
        yield from _missing(reading, worth)
    elif stands is not None:
        yield Styled("▪ "), Styled(wording.TOOL_SAYS.format(state=state(stands.machine, place, lang)).say(lang))
        if reason := getattr(stands, "reason", ""):
            yield Styled("  "), Styled(printable(reason))
        yield from _notes(desk, {}, lang)
        yield from _others(desk, lang)


def _marks(desk: Desk, lang: Lang) -> Iterator[Line]:
    """What people decided on this answer, each decision once."""
    place = desk.question.place
    marks = [mark for key in desk.group.keys if (mark := place.mark_in(desk.record(key).marks)) is not None]
    for mark in dict.fromkeys(marks):
        yield Styled("▪ ", "bold"), Styled(_said(mark, place, lang), "bold").append(f"  {_by(mark)}", "dim not bold")
        if mark.comment:
            yield Styled("✎ ", "bold"), Styled(printable(mark.comment), "italic")


def _said(mark: Mark, place: Place, lang: Lang) -> str:
    if not isinstance(mark, ItemMark):
        return state(mark.state, place, lang)
    points = f"{mark.points:g} " if mark.points is not None else ""
    return points + wording.STATES[mark.kind].say(lang)


def _by(mark: Mark) -> str:
    try:
        at = f"{datetime.fromisoformat(mark.at).astimezone():%m-%d %H:%M}"
    except ValueError:
        at = one_line(mark.at, 16)
    return f"{one_line(mark.author, 20)} {at}"


def _notes(desk: Desk, worth: Mapping[str, float], lang: Lang) -> Iterator[Line]:
    """The legend to the notes in the answer."""
    parts = material(desk.record(desk.group.keys[0]).grade, desk.question.section)
    for number, note in enumerate((note for part in parts for note in part.noted), 1):
        sign, colour = SIGNS[note.sort]
        title = {"injected": wording.INJECTION.say(lang), "copied": wording.COPY.say(lang)}.get(note.sort, note.title)
        points = f"{worth[note.title]:g}  " if note.sort == "found" and note.title in worth else ""
        yield Styled(f"{sign}{number} ", f"bold {colour}"), Styled(points, "bold").append(printable(title), "not bold")


def _missing(reading: Json | None, worth: Mapping[str, float]) -> Iterator[Line]:
    """The key points that were not found, those worth most first."""
    titles = reading["missing"] if reading is not None else ()
    for title in sorted(titles, key=lambda title: -worth.get(title, 0.0)):
        points = f"{worth[title]:g}  " if title in worth else ""
        yield Styled("–  ", "dim"), Styled(points + printable(title), "dim")


def _flag(flag: str, copy: object, lang: Lang) -> str:
    if flag == "copied_reference" and isinstance(copy, Mapping) and isinstance(copy.get("share"), float):
        return wording.COPIED_SHARE.format(share=round(copy["share"] * 100)).say(lang)
    return wording.FLAGS[flag].say(lang) if flag in wording.FLAGS else printable(flag)


def _others(desk: Desk, lang: Lang) -> Iterator[Line]:
    """The vetoes and requirements on which there is something to say."""
    stands = desk.standing(desk.group.keys[0])
    parts: list[VetoStanding | RequirementStanding] = [*stands.vetoes, *stands.requires]
    for part in parts:
        place = place_of(part)
        is_quiet = part.machine in ("cleared", "met", "unmet") and part.mark is None
        if place == desk.question.place or is_quiet:
            continue
        label = wording.VETO if place.kind == "veto" else wording.REQUIREMENT
        weighs = part.state in ("raised", "suspected", "unmet")
        said = Styled(label.format(state=state(part.state, place, lang)).say(lang), "bold red" if weighs else "bold")
        yield Styled("§ ", "bold"), said.append(f"  {printable(part.title)}", "not bold default")
