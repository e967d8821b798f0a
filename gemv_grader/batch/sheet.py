"""CSV files of other systems, read so that single cells can be changed and every other byte stays.

Encoding, byte order mark, separator, quoting and line ends are taken from the file and kept.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.encoding import codec, decode
from gemv_grader.errors import UsageProblem
from gemv_grader.submission import read_bytes
from gemv_grader.words import Text

_MAX_BYTES = 64 << 20
_SEPARATORS = (",", ";", "\t")
_DECLARED = re.compile(r"sep=(?P<separator>[,;\t|])(?:\r\n?|\n)")  # Excel's own first line
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its value without quotes, and where it stands in the text with them."""

    value: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True)
class Sheet:
    """A CSV file. ``mark`` and ``text`` in ``codec`` are exactly its bytes."""

    path: Path
    mark: bytes
    codec: str
    text: str
    separator: str
    rows: tuple[tuple[Cell, ...], ...]

    def values(self, row: int) -> list[str]:
        """The values of one row (from 0)."""
        return [cell.value for cell in self.rows[row]]

    def line(self, row: int) -> int:
        """The line of the file (from 1) that a row begins on."""
        return len(re.findall(r"\r\n?|\n", self.text[: self.rows[row][0].start])) + 1

    def changed(self, values: Mapping[tuple[int, int], str]) -> bytes:
        """The file's bytes with other ``values`` in the cells at (row, column); a short row is lengthened."""
        parts, at = [], 0
        for row, column in sorted(values):
            cells = self.rows[row]
            value = values[row, column]
            if column < len(cells):
                cell = cells[column]
                parts += [self.text[at : cell.start], self._written(value, cell.quoted)]
                at = cell.end
            else:
                present = max(len(cells) - 1, *(c for r, c in values if r == row and c < column), -1)
                parts += [self.text[at : cells[-1].end], self.separator * (column - present)]
                parts.append(self._written(value, quoted=False))
                at = cells[-1].end
        return self.mark + "".join([*parts, self.text[at:]]).encode(self.codec, "replace")

    def _written(self, value: str, quoted: bool) -> str:
        if quoted or any(character in value for character in ('"', "\r", "\n", self.separator)):
            return '"' + value.replace('"', '""') + '"'
        return value


def read_sheet(path: Path) -> Sheet:
    """The CSV file at ``path``. Raises UsageProblem if it cannot be read or holds nothing."""
    if path.is_dir():
        raise UsageProblem(IS_FOLDER.format(path=path))
    data = read_bytes(path, _MAX_BYTES)
    if len(data) > _MAX_BYTES:
        raise UsageProblem(TOO_LARGE.format(path=path))
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise UsageProblem(WORKBOOK.format(path=path))
    sheet = parse_sheet(data, path)
    if not any(cell.value.strip() for row in sheet.rows for cell in row):
        raise UsageProblem(EMPTY.format(path=path))
    return sheet


def parse_sheet(data: bytes, path: Path) -> Sheet:
    """The CSV file that holds ``data``; ``path`` is for messages."""
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    name, text = _decoded(data, mark)
    declared = _DECLARED.match(text)
    start = declared.end() if declared else 0
    separator = declared["separator"] if declared else _separator(text)
    return Sheet(path, mark, name, text, separator, _rows(text, separator, start))


def guarded(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, whoever wrote it."""
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text


def unguarded(text: str) -> str:
    """The text that `guarded`, or Canvas with its ``="…"``, made safe."""
    if text.startswith('="') and text.endswith('"') and len(text) > 2:
        return text[2:-1].replace('""', '"')
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_SIGNS) else text


def _decoded(data: bytes, mark: bytes) -> tuple[str, str]:
    """A codec and the text after the mark; Latin-1, which keeps every byte, where nothing else would."""
    found = decode(data)
    name = codec(found.encoding)
    if mark + found.text.encode(name, "replace") == data:
        return name, found.text
    return "latin-1", data[len(mark) :].decode("latin-1")


def _separator(text: str) -> str:
    header = re.split(r"[\r\n]", re.sub(r'"[^"]*"', "", text[:10_000]).lstrip("\r\n"), maxsplit=1)[0]
    return max(_SEPARATORS, key=header.count)


def _rows(text: str, separator: str, start: int) -> tuple[tuple[Cell, ...], ...]:
    apart = re.escape(separator)
    cell = re.compile(
        rf'(?P<quoted>"(?P<inner>[^"]*(?:""[^"]*)*)(?:"|\Z))?(?P<bare>[^{apart}\r\n]*)(?P<end>{apart}|\r\n|\r|\n|\Z)'
    )
    rows: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    for match in cell.finditer(text, start):
        quoted, inner, bare, end = match.groups()
        value = bare if quoted is None else inner.replace('""', '"') + bare
        cells.append(Cell(value, match.start(), match.start("end"), quoted is not None))
        if end != separator:
            rows.append(tuple(cells))
            cells = []
            if match.end() == len(text):
                break
    return tuple(rows)


TOO_LARGE = Text(
    zh="{path} 超过 64 MB，不像成绩册或名单。", en="{path} is over 64 MB, too large for a gradebook or a roster."
)
WORKBOOK = Text(
    zh="{path} 是 Excel 工作簿，不是 CSV。请在 Excel 里另存为“CSV UTF-8”再用。",
    en="{path} is an Excel workbook, not a CSV file. Save it as “CSV UTF-8” in Excel and use that.",
)
IS_FOLDER = Text(zh="{path} 是文件夹。请给出 CSV 文件。", en="{path} is a folder. Name the CSV file.")
EMPTY = Text(zh="{path} 是空的。请重新导出。", en="{path} is empty. Export it again.")
