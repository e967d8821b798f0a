"""The small windows over the review: a comment, a search, vetoes and requirements, the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text as Styled
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from gemv_grader.reviewing.screen import wording
from gemv_grader.words import Lang, Text


class CommentDialog(ModalScreen[str | None]):
    """Asks for a comment; None if it was left. ↑ and ↓ go through ``earlier`` ones."""

    def __init__(self, lang: Lang, comment: str, earlier: Sequence[str]) -> None:
        super().__init__(classes="dialog")
        self._lang, self._comment = lang, comment
        self._earlier, self._at = ["", *(text for text in earlier if text != comment)], 0

    def compose(self) -> ComposeResult:
        """The window's lines."""
        with Vertical():
            yield Static(Styled(wording.COMMENT_TITLE.say(self._lang), "bold"))
            yield Input(self._comment, select_on_focus=False)

    def on_key(self, event: events.Key) -> None:
        """Keys that the field does not take."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key in ("up", "down") and len(self._earlier) > 1:
            self._at = (self._at + (1 if event.key == "up" else -1)) % len(self._earlier)
            field = self.query_one(Input)
            field.value = self._earlier[self._at] or self._comment
            field.cursor_position = len(field.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self.dismiss(event.value.strip())


@dataclass(frozen=True)
class Hit:
    """An answer that a search found."""

    group: int
    shown: Styled


class SearchDialog(ModalScreen[int | None]):
    """Looks for an answer of the open question; gives the group's number."""

    def __init__(self, lang: Lang, find: Callable[[str], Sequence[Hit]]) -> None:
        super().__init__(classes="dialog")
        self._lang, self._find = lang, find
        self._hits: Sequence[Hit] = ()

    def compose(self) -> ComposeResult:
        """The window's lines."""
        with Vertical():
            yield Static(Styled(wording.SEARCH_TITLE.say(self._lang), "bold"))
            yield Input()
            yield OptionList()

    def on_mount(self) -> None:
        """What is there at first."""
        self.query_one(OptionList).can_focus = False
        self._show("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search as it is typed."""
        self._show(event.value)

    def on_key(self, event: events.Key) -> None:
        """Keys that the field does not take."""
        found = self.query_one(OptionList)
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key == "down":
            found.action_cursor_down()
        elif event.key == "up":
            found.action_cursor_up()

    def on_input_submitted(self) -> None:
        """Enter."""
        at = self.query_one(OptionList).highlighted
        if self._hits:
            self.dismiss(self._hits[at or 0].group)

    def _show(self, query: str) -> None:
        self._hits = self._find(query)
        found = self.query_one(OptionList)
        found.clear_options()
        none = [Option(Styled(wording.SEARCH_NONE.say(self._lang), "dim"), disabled=True)]
        found.add_options([Option(self._cut(hit.shown)) for hit in self._hits] or none)
        if self._hits:
            found.highlighted = 0

    def _cut(self, line: Styled) -> Styled:
        line.truncate(max(10, self.app.size.width - 8), overflow="ellipsis")
        return line


class OthersDialog(ModalScreen[None]):
    """Vetoes and requirements of those at hand; each change is saved at once by ``cycle``."""

    def __init__(
        self, lang: Lang, title: Text, lines: Callable[[], Sequence[Styled]], cycle: Callable[[int], None], at: int
    ) -> None:
        super().__init__(classes="dialog")
        self._lang, self._heading, self._lines, self._cycle, self._at = lang, title, lines, cycle, at

    def compose(self) -> ComposeResult:
        """The window's lines."""
        with Vertical():
            yield Static(Styled(self._heading.say(self._lang), "bold"))
            yield Static(id="lines")

    def on_mount(self) -> None:
        """What is there at first."""
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Keys that the field does not take."""
        event.stop()
        count = len(self._lines())
        if event.key in ("escape", "q"):
            self.dismiss(None)
            return
        if event.key in ("down", "j"):
            self._at = (self._at + 1) % count
        elif event.key in ("up", "k"):
            self._at = (self._at - 1) % count
        elif event.key in ("space", "enter", "v", "r"):
            self._cycle(self._at)
        elif event.character and event.character.isdecimal() and 0 < int(event.character) <= count:
            self._at = int(event.character) - 1
            self._cycle(self._at)
        self._show()

    def _show(self) -> None:
        text = Styled()
        for number, line in enumerate(self._lines()):
            text.append("▶ " if number == self._at else "  ", "bold").append(f"{number + 1}  ").append_text(line)
            text.append("\n")
        self.query_one("#lines", Static).update(text)


class HelpDialog(ModalScreen[None]):
    """Every key with what it does."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(classes="dialog")
        self._lang = lang

    def compose(self) -> ComposeResult:
        """The window's lines."""
        table = Table.grid(padding=(0, 2))
        for key, what in wording.HELP:
            table.add_row(Styled(key, "bold"), Styled(what.say(self._lang)))
        with Vertical():
            yield Static(Styled(wording.HELP_TITLE.say(self._lang), "bold"))
            yield Static(table)
            yield Static(Styled(wording.HELP_END.say(self._lang), "dim"))

    def on_key(self, event: events.Key) -> None:
        """Keys that the field does not take."""
        event.stop()
        self.dismiss(None)
