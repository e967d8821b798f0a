"""One line of text being typed."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text as Styled

from gemv_grader.report.plain import printable


class Field:
    """The text and where the cursor stands in it, in characters."""

    def __init__(self, value: str) -> None:
        self.value, self.cursor = value, len(value)

    def press(self, key: str, character: str) -> bool:
        """Take a key; whether the text changed."""
        before = self.value
        moves = {"left": self.cursor - 1, "right": self.cursor + 1, "home": 0, "end": len(self.value)}
        if key in moves:
            self.cursor = min(len(self.value), max(0, moves[key]))
        elif key in ("backspace", "ctrl+h"):
            self._replace(max(0, self.cursor - 1), self.cursor, "")
        elif key == "delete":
            self._replace(self.cursor, self.cursor + 1, "")
        elif key == "ctrl+u":
            self._replace(0, self.cursor, "")
        elif character and character.isprintable():
            self._replace(self.cursor, self.cursor, character)
        return self.value != before

    def shown(self, width: int) -> Styled:
        """The part around the cursor that fits, the cursor reversed."""
        before, here = printable(self.value[: self.cursor]), printable(self.value[self.cursor : self.cursor + 1]) or " "
        while cell_len(before) > width - 3:
            before = before[1:]
        line = Styled(before).append(here, "reverse").append(printable(self.value[self.cursor + 1 :]))
        line.truncate(width, overflow="crop")
        return line

    @property
    def column(self) -> int:
        """The cells before the cursor."""
        return cell_len(printable(self.value[: self.cursor]))

    def _replace(self, start: int, end: int, text: str) -> None:
        self.value = self.value[:start] + text + self.value[end:]
        self.cursor = start + len(text)
