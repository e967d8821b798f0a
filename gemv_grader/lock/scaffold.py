"""The scaffold as tokens: what stands before the blank, what after it, and which of it is protected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from gemv_grader.lock.lexer import Token, lex

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise, Protected

Spelling = tuple[str, str]


@dataclass(frozen=True)
class ProtectedTokens:
    """The tokens of a protected line, as a range of indices, and the veto that an edit of them raises."""

    tokens: range
    veto: str


@dataclass(frozen=True)
class Scaffold:
    """An exercise's scaffold. ``blank`` is the index of the marker among ``tokens``."""

    text: str
    tokens: tuple[Token, ...]
    blank: int
    protected: tuple[ProtectedTokens, ...]

    @cached_property
    def before(self) -> tuple[Token, ...]:
        """The tokens before the blank."""
        return self.tokens[: self.blank]

    @cached_property
    def after(self) -> tuple[Token, ...]:
        """The tokens after the blank."""
        return self.tokens[self.blank + 1 :]

    @cached_property
    def opening(self) -> tuple[Token, ...]:
        """The tokens before the blank on its own line."""
        line = self.tokens[self.blank].line
        return tuple(token for token in self.before if token.line == line)

    @cached_property
    def names(self) -> frozenset[str]:
        """The identifiers that occur in it."""
        return frozenset(token.text for token in self.tokens if token.kind == "identifier")


def read_scaffold(exercise: Exercise) -> Scaffold:
    """An exercise's scaffold as tokens."""
    return _lexed(exercise.scaffold, exercise.blank.marker, exercise.protected)


@lru_cache(maxsize=16)
def _lexed(text: str, marker: str, protected: tuple[Protected, ...]) -> Scaffold:
    """Lexed once for a whole class."""
    tokens = lex(text)
    blank = next(i for i, token in enumerate(tokens) if token.text == marker)
    guarded = tuple(ProtectedTokens(_occurrence(lex(line.line), tokens), line.veto) for line in protected)
    return Scaffold(text, tokens, blank, guarded)


def spellings(tokens: Sequence[Token]) -> list[Spelling]:
    """Kind and text of each token: what must be equal for two tokens to be the same."""
    return [token[:2] for token in tokens]


def resemblance(tokens: Sequence[Token], model: Sequence[Token]) -> float:
    """How much of ``model`` occurs in ``tokens``, from 0 to 1, by pairs of neighbouring tokens."""
    given, wanted = Counter(pairwise(spellings(tokens))), Counter(pairwise(spellings(model)))
    return (given & wanted).total() / max(wanted.total(), 1)


def _occurrence(part: Sequence[Token], whole: Sequence[Token]) -> range:
    wanted, given = spellings(part), spellings(whole)
    starts = (i for i in range(len(given)) if given[i : i + len(wanted)] == wanted)
    start = next(starts, len(given))
    return range(start, min(start + len(wanted), len(given)))
