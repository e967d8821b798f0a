"""What stands in the panes, as Rich text: built by appending, so that nothing a student wrote is taken for markup.

Colour never says something alone: each note has its sign and its number in the answer, and again beside its title.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text as Styled

from gemv_grader.report.plain import one_line, printable
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.material import FILL, Part, material, stretches
from gemv_grader.reviewing.places import Place
from gemv_grader.reviewing.screen import wording
from gemv_grader.reviewing.screen.entry import Entry, PointsEntry
from gemv_grader.standing import ItemStanding
from gemv_grader.words import Lang

_MOST = 20_000  # characters of an answer that are shown

# Of the 16 colours of the terminal, those that can be read on white and on black.
SIGNS = {
    "found": ("✓", "green"),
    "wrong": ("✗", "red"),
    "injected": ("!", "magenta"),
    "copied": ("=", "blue"),
    "claimed": ("?", "blue"),
}


def head(desk: Desk, lang: Lang, width: int) -> Styled:
    """The question, and how far it is."""
    progress = desk.progress()
    said = (
        wording.QUESTION.format(number=desk.questions.index(desk.question) + 1, count=len(desk.questions)),
        wording.DECIDED.format(decided=progress.decided, students=progress.students),
        wording.ANSWER.format(number=desk.number + 1, count=len(desk.groups)),
    )
    where = "  " + " · ".join(text.say(lang) for text in said)
    title = Styled(printable(desk.question.title))
    title.truncate(max(8, width - cell_len(where) - 2), overflow="ellipsis")
    line = Styled(no_wrap=True, overflow="ellipsis").append(f" {title.plain} ", "bold reverse")
    return line.append(where)


def who(desk: Desk, lang: Lang, *, names: bool) -> Styled:
    """Whose answer it is; names only if they are asked for."""
    group, line = desk.group, Styled(style="bold")
    if names:
        line.append(", ".join(name_of(desk, key) for key in group.keys))
    else:
        line.append(wording.HIDDEN.say(lang), "dim not bold")
    if len(group.keys) > 1:
        line.append(f"  {wording.SAME.format(count=len(group.keys)).say(lang)}", "bold")
        if 0 < (waiting := len(desk.open_keys())) < len(group.keys):
            line.append(f"  {wording.PARTLY.format(count=waiting).say(lang)}", "bold")
    return line


def answer(desk: Desk, lang: Lang) -> Styled:
    """What the student wrote, with the tool's notes in it."""
    grade = desk.record(desk.group.keys[0]).grade
    parts = material(grade, desk.question.section)
    text, number = Styled(overflow="fold"), 0
    for part in parts:
        if desk.question.section is None:
            title = wording.FILL.say(lang) if part.title == FILL else part.title
            text.append(f"── {one_line(title, 60)}\n", "bold dim")
        _append(text, part, number, lang)
        if (more := len(part.text) - _MOST) > 0:
            text.append("\n" + wording.MORE.format(count=more).say(lang), "dim")
        text.append("\n\n" if len(parts) > 1 else "")
        number += len(part.noted)
    return text


def keys(lang: Lang, width: int) -> Styled:
    """The foremost keys, as many as there is room for."""
    line = Styled(no_wrap=True, overflow="crop")
    shown, last = list(wording.KEYS), len(wording.KEYS)
    while last:
        line = Styled(no_wrap=True, overflow="crop")
        for key, what in [*shown[: last - 2], *shown[-2:]]:
            line.append(f" {key} ", "reverse").append(f"{what.say(lang)} ")
        if line.cell_len <= width or last <= 2:
            break
        last -= 1
    return line


def _append(text: Styled, part: Part, before: int, lang: Lang) -> None:
    if not part.text.strip():
        text.append(wording.EMPTY.say(lang), "dim")
    for stretch in stretches(part, _MOST):
        for number in stretch.begins:
            sign, colour = SIGNS[part.noted[number].sort]
            text.append(f"{sign}{before + number + 1}", f"bold reverse {colour}")
        sorts = [part.noted[number].sort for number in stretch.noted]
        # What is wrong outweighs what was found in the same words.
        sort = next((sort for sort in ("injected", "wrong", "claimed", "found", "copied") if sort in sorts), None)
        style = f"underline {SIGNS[sort][1]}" if sort else ""
        text.append(printable(stretch.text), style)


def name_of(desk: Desk, key: str) -> str:
    """A student's name with the key."""
    name = one_line(desk.record(key).student.get("name", ""), 60)
    return f"{name} ({one_line(key, 60)})" if name else one_line(key, 60)


def entry_line(desk: Desk, entry: Entry, lang: Lang) -> Styled:
    """The decision that Enter would make."""
    line = Styled(no_wrap=True, overflow="ellipsis")
    if isinstance(entry, PointsEntry):
        line.append(wording.POINTS.say(lang), "bold").append(f"◀ {entry.text} ▶", "bold reverse")
        line.append(wording.OF.format(possible=f"{entry.possible:g}").say(lang))
        item = desk.part(desk.group.keys[0])
        if isinstance(item, ItemStanding):
            line.append(f"   {wording.SUGGESTED.format(points=f'{item.machine:g}').say(lang)}")
            if item.mark is not None and item.mark.points is not None:
                line.append(f"   {wording.STANDS.format(now=f'{item.counts:g}').say(lang)}", "bold")
        return line
    line.append(wording.CHOICE.say(lang), "bold")
    for number, name in enumerate(entry.states):
        label = f" {number + 1} {state(name, desk.question.place, lang)} "
        line.append(
            f"▶{label}◀" if number == entry.chosen else f" {label} ", "bold reverse" if number == entry.chosen else ""
        )
    return line


def other_line(desk: Desk, place: Place, lang: Lang) -> Styled:
    """A veto or requirement as it stands, and whose word that is."""
    part = desk.part(desk.group.keys[0], place)
    if part is None or isinstance(part, ItemStanding):
        return Styled()
    line = Styled(f"[{state(part.state, place, lang)}]", "bold")
    if part.mark is None:
        line.append(wording.TOOL.say(lang), "dim not bold")
    return line.append(f"  {printable(part.title)}", "not bold")


def state(name: str, place: Place, lang: Lang) -> str:
    """A state of a veto or requirement, in words."""
    if place.kind == "requirement" and name == "to_confirm":
        return wording.NOT_FOUND.say(lang)
    return wording.STATES[name].say(lang) if name in wording.STATES else name
