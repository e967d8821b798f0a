"""A student's text made comparable, with the way back to the characters that the student wrote.

NFKC, lower case, traditional characters as simplified ones, LaTeX commands as the signs they stand for; what
nobody sees (zero-width and bidi characters) is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

# No answer that a person wrote is longer; what lies beyond is not read, and the assessment says so.
MOST_CHARACTERS = 6_000
# One character can stand for eighteen (NFKC); what only such characters make long is cut too.
_MOST_NORMALISED = 2 * MOST_CHARACTERS

_LATEX = {
    "approx": "≈",
    "cdot": "*",
    "ge": ">=",
    "geq": ">=",
    "gg": ">>",
    "implies": "=>",
    "le": "<=",
    "leq": "<=",
    "ll": "<<",
    "neq": "!=",
    "propto": "∝",
    "rightarrow": "→",
    "Rightarrow": "⇒",
    "sim": "~",
    "sum": "∑",
    "times": "*",
    "to": "→",
}
_NOT_PLAIN = re.compile(r"\\([A-Za-z]+|.)|[^\x20-\x7e\n]|[A-Z$]|_(?=\{)", re.DOTALL)
_LINE_ENDS = frozenset("\r\v\f\x85\u2028\u2029")
# Characters that OpenCC leaves as they are although everyone in Taiwan writes them for the simplified ones.
_ALSO = {"著": "着", "祇": "只", "麽": "么", "倂": "并"}


@dataclass(frozen=True)
class Normal:
    """Normalised ``text``; its character ``i`` came from the original's character ``origin[i]``."""

    text: str
    origin: Sequence[int]
    cut: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's characters [start, end) behind the normalised ones; ``start`` < ``end``."""
        return self.origin[start], self.origin[end - 1] + 1


def normalise(original: str) -> Normal:
    """The first MOST_CHARACTERS of ``original``, normalised; never raises, takes linear time."""
    normal = _normalised(original[:MOST_CHARACTERS])
    return replace(normal, cut=True) if len(original) > MOST_CHARACTERS else normal


@lru_cache(maxsize=16)  # the same answer is read for its points and for claims of a run
def _normalised(original: str) -> Normal:
    text: list[str] = []
    origin: list[int] = []
    length = 0
    for piece, at, verbatim in _pieces(original):
        if length > _MOST_NORMALISED:
            return Normal("".join(text), origin, cut=True)
        length += len(piece)
        text.append(piece)
        origin.extend(range(at, at + len(piece)) if verbatim else [at] * len(piece))
    return Normal("".join(text), origin)


def _pieces(text: str) -> Iterator[tuple[str, int, bool]]:
    """Pieces of normalised text, where each starts in the original, and whether it is as long there."""
    done = 0
    for match in _NOT_PLAIN.finditer(text):
        yield text[done : match.start()], done, True
        done = match.end()
        if command := match[1]:
            yield _LATEX.get(command, " "), match.start(), False
        else:
            yield _plain(match[0]), match.start(), False
    yield text[done:], done, True


@cache
def _plain(character: str) -> str:
    if character in _LINE_ENDS:
        return "\n"
    if character in "$\t_":
        return " "
    kind = unicodedata.category(character)
    if kind in ("Cf", "Cc", "Cs", "Co", "Cn", "Mn"):
        return ""
    folded = unicodedata.normalize("NFKC", character).lower()
    return folded.translate(_simplified())


@cache
def _simplified() -> dict[int, str]:
    lines = (Path(__file__).parent / "traditional.txt").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if not line.startswith("#")]
    table = {ord(a): b for old, new in zip(rows[::2], rows[1::2], strict=True) for a, b in zip(old, new, strict=True)}
    return table | {ord(old): new for old, new in _ALSO.items()}
