"""What the lock decides: a fill, or a rejection."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from gemv_grader.lock.lexer import Token
from gemv_grader.words import Finding, Place, Text


@dataclass(frozen=True)
class Fill:
    """What a student put in the blank, and where.

    ``text`` is canonical: the tokens, one space between. ``source`` is what the student wrote, comments
    included. ``place`` is where the fill begins, ``end`` where the scaffold goes on. ``attempted`` is false
    while the blank is empty or still holds its marker.
    """

    text: str
    tokens: tuple[Token, ...]
    source: str
    place: Place
    end: Place
    attempted: bool
    findings: tuple[Finding, ...] = ()

    @property
    def sha256(self) -> str:
        """Digest of the canonical text: equal fills have equal digests, however they are laid out."""
        return hashlib.sha256(self.text.encode(errors="replace")).hexdigest()

    def token_at(self, offset: int) -> int:
        """Index of the token at a character offset in ``text``; the space before a token counts to it."""
        ends = list(accumulate(len(token.text) + 1 for token in self.tokens))
        return bisect_right(ends, offset + 1)

    def place_of(self, offset: int) -> Place:
        """Where a character offset in ``text`` lies in the student's file; past the end it is ``end``."""
        if offset >= len(self.text):
            return self.end
        index = self.token_at(offset)
        token = self.tokens[index]
        start = sum(len(before.text) + 1 for before in self.tokens[:index])
        as_written = token.end - token.start == len(token.text)
        inside = max(offset - start, 0) if as_written else 0
        return Place(token.line, token.column + inside)


@dataclass(frozen=True)
class Rejection:
    """Why a submission is not graded, worst first, with a few lines of the difference.

    ``vetoes`` are those of the protected lines that were edited. ``fill`` is there if it alone is at fault.
    """

    reasons: tuple[Text, ...]
    findings: tuple[Finding, ...] = ()
    diff: tuple[str, ...] = ()
    vetoes: frozenset[str] = frozenset()
    fill: Fill | None = None
