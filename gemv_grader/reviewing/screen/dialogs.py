"""The small windows over the review: a comment, a search, vetoes and requirements, the keys.

They are plain values that keys change one by one, not widgets with queues of their own: keys that arrive in one burst,
as over a slow line, must mean what they would mean one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.text import Text as Styled

from gemv_grader.report.plain import one_line
from gemv_grader.reviewing.screen import wording
from gemv_grader.reviewing.screen.field import Field
from gemv_grader.words import Lang, Text

_SHOWN = 8  # search results at once


class Dialog(Protocol):
    """A window that takes all keys while it is open. ``field``: where text goes, if anywhere."""

    field: Field | None

    def press(self, key: str, character: str, /) -> bool:
        """Take a key; False closes the window."""
        ...

    def lines(self, lang: Lang, width: int, /) -> Sequence[Styled]:
        """What it shows, in lines of at most ``width`` cells."""
        ...


class CommentDialog:
    """Asks for a comment, and gives it to ``save``. ↑ and ↓ go through ``earlier`` ones."""

    def __init__(self, comment: str, earlier: Sequence[str], save: Callable[[str], None]) -> None:
        self.field: Field | None = Field(comment)
        self._choices, self._at, self._save = [comment, *(text for text in earlier if text != comment)], 0, save

    def press(self, key: str, character: str) -> bool:
        """Enter saves, Escape leaves."""
        assert self.field is not None  # noqa: S101 - made so
        if key == "enter":
            self._save(self.field.value.strip())
        elif key in ("up", "down"):
            self._at = (self._at + (1 if key == "up" else -1)) % len(self._choices)
            self.field = Field(self._choices[self._at])
        else:
            self.field.press(key, character)
        return key not in ("enter", "escape")

    def lines(self, lang: Lang, width: int) -> Sequence[Styled]:
        """The title and what is typed."""
        assert self.field is not None  # noqa: S101 - made so
        return [Styled(wording.COMMENT_TITLE.say(lang), "bold"), self.field.shown(width)]


@dataclass(frozen=True)
class Hit:
    """An answer that a search found."""

    group: int
    shown: Styled


class SearchDialog:
    """Looks for an answer to the open question, and goes there with ``go``."""

    def __init__(self, find: Callable[[str], Sequence[Hit]], go: Callable[[int], None]) -> None:
        self.field: Field | None = Field("")
        self._find, self._go = find, go
        self._hits, self._at = find(""), 0

    def press(self, key: str, character: str) -> bool:
        """Each letter searches."""
        assert self.field is not None  # noqa: S101 - made so
        if key == "enter" and self._hits:
            self._go(self._hits[self._at].group)
        elif key in ("up", "down"):
            self._at = (self._at + (1 if key == "down" else -1)) % max(1, len(self._hits))
        elif self.field.press(key, character):
            self._hits, self._at = self._find(self.field.value), 0
        return key != "escape" and not (key == "enter" and self._hits)

    def lines(self, lang: Lang, width: int) -> Sequence[Styled]:
        """What is typed, and what was found; the chosen one is marked."""
        assert self.field is not None  # noqa: S101 - made so
        first = max(0, self._at - _SHOWN + 1)
        found = []
        for number, hit in enumerate(self._hits[first : first + _SHOWN], first):
            line = Styled("▶ " if number == self._at else "  ", "bold").append_text(hit.shown)
            line.truncate(width, overflow="ellipsis")
            found.append(line)
        none = [Styled(wording.SEARCH_NONE.say(lang), "dim")]
        return [Styled(wording.SEARCH_TITLE.say(lang), "bold"), self.field.shown(width), *(found or none)]


class OthersDialog:
    """Vetoes and requirements of those at hand; each change is saved at once by ``cycle``."""

    def __init__(
        self, title: Text, listed: Callable[[], Sequence[Styled]], cycle: Callable[[int], None], at: int
    ) -> None:
        self.field: Field | None = None
        self._title, self._listed, self._cycle, self._at = title, listed, cycle, at

    def press(self, key: str, character: str) -> bool:
        """Space or a number changes, the arrows choose."""
        count = len(self._listed())
        if key in ("down", "j", "up", "k"):
            self._at = (self._at + (1 if key in ("down", "j") else -1)) % count
        elif key in ("space", "enter"):
            self._cycle(self._at)
        elif character.isdecimal() and 0 < int(character) <= count:
            self._at = int(character) - 1
            self._cycle(self._at)
        return key not in ("escape", "q", "v", "r")

    def lines(self, lang: Lang, width: int) -> Sequence[Styled]:
        """One line for each."""
        lines = [Styled(self._title.say(lang), "bold")]
        for number, text in enumerate(self._listed()):
            line = Styled("▶ " if number == self._at else "  ", "bold").append(f"{number + 1}  ").append_text(text)
            line.truncate(width, overflow="ellipsis")
            lines.append(line)
        return lines


class HelpDialog:
    """Every key with what it does."""

    field: Field | None = None

    def press(self, _key: str, _character: str) -> bool:
        """Any key closes."""
        return False

    def lines(self, lang: Lang, width: int) -> Sequence[Styled]:
        """A key a line."""
        keys = [Styled(f"{key:<6} ", "bold").append(what.say(lang), "not bold") for key, what in wording.HELP]
        for line in keys:
            line.truncate(width, overflow="ellipsis")
        end = Styled(one_line(wording.HELP_END.say(lang), width), "dim")
        return [Styled(wording.HELP_TITLE.say(lang), "bold"), *keys, end]
