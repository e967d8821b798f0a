"""The review's one screen: shows what lies open on the desk, and makes keys into decisions."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

from rich.table import Table
from rich.text import Text as Styled
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Offset
from textual.screen import Screen
from textual.widgets import Static

from gemv_grader.errors import GradeError
from gemv_grader.reviewing.book import Outcome
from gemv_grader.reviewing.decisions import REQUIREMENT_STATES, VETO_STATES
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.places import Place
from gemv_grader.reviewing.queue import Group, Question, is_open, place_of
from gemv_grader.reviewing.scale import Scale, read_scale
from gemv_grader.reviewing.screen import panes, wording
from gemv_grader.reviewing.screen.beside import beside
from gemv_grader.reviewing.screen.dialogs import CommentDialog, Dialog, HelpDialog, OthersDialog, SearchDialog
from gemv_grader.reviewing.screen.entry import ChoiceEntry, Entry, PointsEntry
from gemv_grader.reviewing.screen.finding import find
from gemv_grader.reviewing.screen.flowing import Flowing
from gemv_grader.reviewing.screen.panes import other_line, state
from gemv_grader.standing import ItemStanding
from gemv_grader.words import Lang, Text

_PASTED = 1000  # characters taken from the clipboard


class Pane(VerticalScroll, can_focus=False):
    """Scrolls by the review's keys, and by the mouse."""


class ReviewScreen(Screen[None]):
    """Keys never wait for each other: each decision is saved and shown before the next key is read."""

    def __init__(self, desk: Desk, lang: Lang) -> None:
        super().__init__()
        self._desk, self._lang = desk, lang
        self._names = False
        self._message: Text | None = None
        self._dialog: Dialog | None = None
        self._answer_shown: tuple[Question, Group] | None = None
        self._scale: Callable[[str], Scale] = cache(lambda exercise: read_scale(desk.course, exercise))
        self._entry: Entry = self._fresh()
        self._keys: dict[str, Callable[[], None]] = {
            "enter": self._give, "a": self._accept, "s": self._skip, "u": self._undo, "c": self._comment,
            "v": lambda: self._others("veto"), "r": lambda: self._others("requirement"),
            "d": self._differing, "n": self._toggle_names, "/": self._search, "?": self._help, "q": self.app_quit,
            "j": lambda: self._go(1), "k": lambda: self._go(-1),
            "tab": lambda: self._turn(1), "shift+tab": lambda: self._turn(-1),
            "left": lambda: self._move(-1), "right": lambda: self._move(1), "backspace": self._back,
            "escape": self._reset, "up": lambda: self._scroll("#left", -1), "down": lambda: self._scroll("#left", 1),
            "pageup": lambda: self._scroll("#left", -8), "pagedown": lambda: self._scroll("#left", 8),
            "space": lambda: self._scroll("#left", 8),
            "<": lambda: self._scroll("#right", -4), ">": lambda: self._scroll("#right", 4),
        }  # fmt: skip

    def compose(self) -> ComposeResult:
        """Head, the two panes, message, decision, keys."""
        yield Static(id="head")
        with Horizontal(id="panes"):
            with Vertical(id="left-side"):
                yield Static(id="who")
                with Pane(id="left"):
                    yield Static(id="answer")
            with Pane(id="right"):
                yield Static(id="beside")
        yield Static(id="message")
        yield Static(id="entry")
        yield Static(id="keys")
        yield Static(id="dialog")

    def on_mount(self) -> None:
        """Show what lies open."""
        self._message = None if self._desk.open_keys() else wording.ALL_DONE
        self._show()

    def on_resize(self) -> None:
        """The row of keys depends on the width."""
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Every key of the review; with a Chinese input method, digits may come full-width."""
        event.stop()
        event.prevent_default()
        self._message = None
        try:
            self._press(event.key, event.character or "")
        except GradeError as problem:  # marks that were damaged meanwhile
            self._message = problem.text
        self._show()

    def _press(self, key: str, character: str) -> None:
        plain = unicodedata.normalize("NFKC", character)
        if self._dialog is not None:
            if not self._dialog.press(key, character):
                self._dialog = None
        elif key in self._keys:
            self._keys[key]()
        elif plain in self._keys:
            self._keys[plain]()
        elif plain and plain in "0123456789.,。":
            self._entry = self._entry.key(plain)

    def on_paste(self, event: events.Paste) -> None:
        """Text from the clipboard goes where text is asked for, and nowhere else: it is no row of commands."""
        event.stop()
        if self._dialog is not None and self._dialog.field is not None:
            for character in " ".join(event.text.split())[:_PASTED]:
                self._dialog.press("", character)
            self._show()

    def app_quit(self) -> None:
        """Leave; everything is saved."""
        self.app.exit()

    # What the keys do

    def _give(self) -> None:
        value, desk = self._entry.value, self._desk
        if isinstance(value, float):
            self._decided(desk.give(value), f"{value:g}")
        elif isinstance(value, str):
            self._decided(desk.decide(value), state(value, desk.question.place, self._lang))
        elif isinstance(self._entry, PointsEntry):
            self._message = wording.BAD_POINTS.format(possible=f"{desk.question.possible:g}")
        else:
            self._message = wording.CHOOSE

    def _accept(self) -> None:
        if isinstance(item := self._desk.part(self._desk.group.keys[0]), ItemStanding):
            self._decided(self._desk.accept(), f"{item.machine:g}")
        else:
            self._message = wording.NO_SUGGESTION

    def _decided(self, outcome: Outcome, what: str) -> None:
        """Say what was saved, and go on; stay where that failed."""
        self._tell(outcome, wording.SAVED.format(what=what, count=len(outcome.saved)))
        if outcome.fault is None and not outcome.refused:
            self._skip()
        else:
            self._opened()

    def _skip(self) -> None:
        if not self._desk.next_open():
            self._message = wording.ALL_DONE
        self._opened()

    def _differing(self) -> None:
        if self._desk.next_differing():
            self._opened()
        else:
            self._message = wording.NO_DIFFERENCE

    def _undo(self) -> None:
        outcome = self._desk.undo()
        if outcome is None:
            self._message = wording.NO_UNDO
            return
        self._tell(outcome, wording.UNDONE.format(count=len(outcome.saved)))
        self._opened()

    def _comment(self) -> None:
        desk = self._desk
        marks = [desk.question.place.mark_in(desk.record(key).marks) for key in desk.group.keys]
        if desk.question.place.kind != "item" and not any(marks):
            self._message = wording.DECIDE_FIRST
            return
        comment = next((mark.comment for mark in marks if mark is not None and mark.comment), "")

        def save(text: str) -> None:
            if text != comment:
                outcome = desk.comment(text)
                self._tell(outcome, wording.SAVED.format(what=wording.COMMENTED, count=len(outcome.saved)))

        self._dialog = CommentDialog(comment, desk.comments(), save)

    def _others(self, first: str) -> None:
        """Vetoes and requirements of those at hand, also such as the tool did not notice."""
        desk, lang = self._desk, self._lang
        stands = desk.standing(desk.group.keys[0])
        places = [*map(place_of, stands.vetoes), *map(place_of, stands.requires)]

        def lines() -> Sequence[Styled]:
            return [other_line(desk, place, lang) for place in places]

        def cycle(at: int) -> None:
            outcome = desk.set(places[at], _next_state(desk, places[at]))
            self._tell(outcome, wording.SAVED.format(what="§", count=len(outcome.saved)))

        if places:
            title = wording.OTHERS_TITLE.format(count=len(desk.group.keys))
            at = next((n for n, place in enumerate(places) if place.kind == first), 0)
            self._dialog = OthersDialog(title, lines, cycle, at)

    def _search(self) -> None:
        def go(group: int) -> None:
            self._desk.go_to(group)
            self._opened()

        self._dialog = SearchDialog(lambda query: find(self._desk, query, names=self._names), go)

    def _help(self) -> None:
        self._dialog = HelpDialog()

    def _toggle_names(self) -> None:
        self._names = not self._names

    def _go(self, by: int) -> None:
        self._desk.step(by)
        self._opened()

    def _turn(self, by: int) -> None:
        self._desk.turn(by)
        self._opened()

    def _move(self, by: int) -> None:
        self._entry = self._entry.moved(by)

    def _back(self) -> None:
        self._entry = self._entry.back()

    def _reset(self) -> None:
        self._entry = self._fresh()

    def _scroll(self, pane: str, lines: int) -> None:
        self.query_one(pane, Pane).scroll_relative(y=lines, animate=False)

    # What is shown

    def _opened(self) -> None:
        """Another answer lies open: from its top, with nothing typed."""
        self._entry = self._fresh()
        for pane in ("#left", "#right"):
            self.query_one(pane, Pane).scroll_home(animate=False)

    def _fresh(self) -> Entry:
        desk = self._desk
        if desk.question.place.kind == "item":
            items = [item for key in desk.group.keys if isinstance(item := desk.part(key), ItemStanding)]
            # What was given already is offered again, unless it is to be decided anew.
            given = [i.counts for i in items if i.mark is not None and i.mark.points is not None and not is_open(i)]
            offered = given[0] if len(given) == len(items) else items[0].machine
            return PointsEntry(offered, desk.question.possible, self._scale(desk.question.exercise).step)
        states = VETO_STATES if desk.question.place.kind == "veto" else REQUIREMENT_STATES
        return ChoiceEntry(states)

    def _tell(self, outcome: Outcome, done: Text) -> None:
        self._message = outcome.fault or (
            wording.REFUSED.format(count=len(outcome.refused)) if outcome.refused else done
        )

    def _show(self) -> None:
        desk, lang = self._desk, self._lang
        grid = Table.grid(expand=True)
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        for sign, text in beside(desk, self._scale(desk.question.exercise), lang):
            grid.add_row(sign, Flowing(text))
        message = self.query_one("#message", Static)
        message.display = self._message is not None
        message.update(Styled(self._message.say(lang) if self._message is not None else ""))
        self.query_one("#head", Static).update(panes.head(desk, lang, self.app.size.width))
        self.query_one("#who", Static).update(panes.who(desk, lang, names=self._names))
        if self._answer_shown != (opened := (desk.question, desk.group)):
            self.query_one("#answer", Static).update(Flowing(panes.answer(desk, lang)))
            self._answer_shown = opened
        self.query_one("#beside", Static).update(grid)
        self.query_one("#entry", Static).update(panes.entry_line(desk, self._entry, lang))
        self.query_one("#keys", Static).update(panes.keys(lang, self.app.size.width))
        window = self.query_one("#dialog", Static)
        window.display = self._dialog is not None
        if self._dialog is not None:
            window.update(Styled("\n").join(self._dialog.lines(lang, max(10, self.app.size.width - 4))))
            self.call_after_refresh(self._place_cursor)

    def _place_cursor(self) -> None:
        """An input method opens its window where the terminal's cursor is."""
        if self._dialog is not None and self._dialog.field is not None:
            at = self.query_one("#dialog").content_region.offset
            self.app.cursor_position = at + Offset(self._dialog.field.column, 1)


def _next_state(desk: Desk, place: Place) -> str | None:
    """After no decision the first state, then the second, then no decision again."""
    states: tuple[str, ...] = VETO_STATES if place.kind == "veto" else REQUIREMENT_STATES
    mark = place.mark_in(desk.record(desk.group.keys[0]).marks)
    order = (None, *(states[::-1] if place.kind == "veto" else states))
    now = getattr(mark, "state", None)
    return order[(order.index(now) + 1) % len(order)]
