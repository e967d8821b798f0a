"""Whether a fill could change anything but its own variables, told from its tokens alone.

A syntax tree cannot be trusted with this: without types, ``col * row, y[row] = 5`` parses as a declaration. So every
operator that changes something must stand beside the bare name of a variable that only the fill can have declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gemv_grader.lock.lexer import CHANGING, Token
from gemv_grader.lock.names import TYPES
from gemv_grader.lock.violations import FUNCTION_POINTER, OWN_VARIABLES_ONLY, REFERENCE, Violation, of_token

_QUALIFIERS = frozenset({"const", "constexpr", "volatile", "__restrict__"})
_TYPE_WORDS = TYPES | _QUALIFIERS
_STEPS = frozenset({"++", "--"})
_CHANGED_THROUGH = frozenset({"[", "(", ".", "->"})
_REACHED_THROUGH = frozenset({"&", "&&", ".", "->", "*"})


def writes(tokens: Sequence[Token], is_known: Callable[[str], bool]) -> Iterator[Violation]:
    """Every change of something else, and what could hide one: references and pointers to functions.

    ``is_known`` tells the names that mean something outside the fill.
    """
    reader = _Reader(tokens, is_known)
    for position, token in enumerate(tokens):
        if token.text in _STEPS:
            if not (reader.steps_own(position + 1) or reader.writes_own(position - 1)):
                yield of_token(OWN_VARIABLES_ONLY, token)
        elif token.text in CHANGING:
            if not (reader.is_default_capture(position) or reader.writes_own(position - 1)):
                yield of_token(OWN_VARIABLES_ONLY, token)
        elif reader.declares_reference(position):
            yield of_token(REFERENCE, token)
        elif reader.points_to_function(position):
            yield of_token(FUNCTION_POINTER, token)


class _Reader:
    """The tokens of a fill, by position; outside them there is only empty text."""

    def __init__(self, tokens: Sequence[Token], is_known: Callable[[str], bool]) -> None:
        self._texts = ["", "", "", *(token.text for token in tokens), "", "", ""]
        self._own = [token.kind == "identifier" and not is_known(token.text) for token in tokens]

    def _text(self, position: int) -> str:
        return self._texts[position + 3]

    def _is_own(self, position: int) -> bool:
        return 0 <= position < len(self._own) and self._own[position]

    def steps_own(self, position: int) -> bool:
        """Whether ``++`` before ``position`` steps a bare variable there: ``++q[0]`` steps what q points to."""
        return self._is_own(position) and self._text(position + 1) not in _CHANGED_THROUGH

    def writes_own(self, position: int) -> bool:
        """Whether a variable of the fill's own stands there bare, or with the stars of its own declaration."""
        before = position - 1
        stars = False
        while before >= 0 and self._text(before) in _QUALIFIERS | {"*"}:
            stars = stars or self._text(before) == "*"
            before -= 1
        if not self._is_own(position):
            return False
        return self._text(before) in TYPES if stars else self._text(position - 1) not in _REACHED_THROUGH

    def is_default_capture(self, position: int) -> bool:
        """Whether ``=`` there is the one of ``[=]``."""
        return (self._text(position), self._text(position - 1)) == ("=", "[") and self._text(position + 1) in ("]", ",")

    def declares_reference(self, position: int) -> bool:
        """Whether ``&`` there follows a type, or a star before a name of the fill's own."""
        if self._text(position) not in ("&", "&&"):
            return False
        before = self._text(position - 1)
        return before in _TYPE_WORDS or (before == "*" and self._is_own(position + 1))

    def points_to_function(self, position: int) -> bool:
        """Whether the star there is that of ``(*)`` or ``(*name)(``."""
        if (self._text(position - 1), self._text(position)) != ("(", "*"):
            return False
        return self._text(position + 1) == ")" or (self._text(position + 2), self._text(position + 3)) == (")", "(")
