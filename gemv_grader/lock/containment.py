"""Whether a fill stays in the blank: one expression, without directives, declarations or side effects.

Token checks come first; they need no parser and also hold for fills that do not parse. What is clumsy but
cannot get out of the blank (a missing operand, an unknown name) is left to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from gemv_grader.lock.lexer import CHANGING, Token
from gemv_grader.lock.lookalikes import invisible, lookalikes, name_of
from gemv_grader.lock.names import is_listed, known_names
from gemv_grader.lock.result import Fill
from gemv_grader.lock.scaffold import Scaffold
from gemv_grader.lock.violations import (
    ASSIGNMENT,
    ATTRIBUTE,
    BACKSLASH,
    CALL,
    DIRECTIVE,
    EXTRA_SEMICOLON,
    HIDDEN,
    OUTSIDE_BRACES,
    RAW_STRING,
    REPEATED,
    SECOND_STATEMENT,
    STATEMENT_EXPRESSION,
    TOO_DEEP,
    TOO_LONG,
    TRIGRAPH,
    WORD,
    Judgement,
    Violation,
    first_of_each,
    of_token,
)
from gemv_grader.lock.writes import writes
from gemv_grader.words import Finding, Place, Severity, Text

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise

MAX_TOKENS = 400
MAX_DEPTH = 32
MAX_ERRORS = 8

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")

# fmt: off
_WORDS = frozenset({
    # inline assembly, pragmas and attributes
    "asm", "__asm", "__asm__", "_Pragma", "__pragma", "__attribute", "__attribute__", "__declspec", "alignas",
    "_Alignas", "__extension__",
    # storage classes, and the qualifiers of CUDA
    "static", "extern", "thread_local", "__thread", "register", "inline", "__inline", "__inline__",
    "__shared__", "__device__", "__host__", "__global__", "__managed__", "__constant__", "__noinline__",
    "__forceinline__", "__grid_constant__", "__launch_bounds__", "__cluster_dims__", "__block_size__",
    "__maxnreg__", "__align__", "__builtin_align__",
    # declarations of types, templates and namespaces
    "class", "struct", "union", "enum", "template", "typename", "concept", "requires", "using", "namespace",
    "typedef", "friend", "operator", "virtual", "static_assert", "_Static_assert", "export", "import",
    "module",
    # what allocates, unwinds or jumps
    "new", "delete", "throw", "try", "catch", "goto", "co_await", "co_yield", "co_return", "typeid",
    "dynamic_cast",
})
# fmt: on


def contain(fill: Fill, exercise: Exercise, scaffold: Scaffold) -> Judgement:
    """Judge an attempted fill."""
    if excess := _excess(fill, exercise.blank.max_characters):
        return Judgement((excess.text,))
    if _repeats(scaffold.opening, fill.tokens):
        opening = " ".join(token.text for token in scaffold.opening)
        return Judgement((Violation(REPEATED, fill.place, opening).text,))
    reasons = first_of_each(_violations(fill.tokens, exercise))
    errors = tuple(islice(_errors(fill.tokens, exercise.blank.marker), MAX_ERRORS))
    if reasons or errors:
        return Judgement(reasons, errors)
    # Only now: the parser takes time to load, and a tree says little about tokens that are in error already.
    from gemv_grader.lock.expression import examine  # noqa: PLC0415

    return examine(fill, exercise, scaffold.names)


def hidden_characters(text: str, start: int, end: int) -> tuple[Text, ...]:
    """A reason for the first invisible character between two offsets of a text, comments included."""

    def violation(offset: int) -> Violation:
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        return Violation(HIDDEN, Place(line, column), name_of(text[offset]))

    return first_of_each(violation(start + offset) for offset in invisible(text[start:end]))


def _excess(fill: Fill, max_characters: int) -> Violation | None:
    characters = sum(len(token.text) for token in fill.tokens)
    if characters > max_characters:
        return Violation(TOO_LONG, fill.place, f"{characters} > {max_characters}")
    if len(fill.tokens) > MAX_TOKENS:
        return Violation(TOO_LONG, fill.place, f"{len(fill.tokens)} tokens > {MAX_TOKENS}")
    depth = 0
    for token in fill.tokens:
        depth += (token.text in _CLOSING) - (token.text in _CLOSING.values())
        if depth > MAX_DEPTH:
            return Violation(TOO_DEEP, token.place, str(MAX_DEPTH))
    return None


def _repeats(opening: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether a fill begins with the assignment that the scaffold has before the blank."""
    texts = [token.text for token in opening]
    return bool(CHANGING & set(texts)) and texts == [token.text for token in tokens[: len(texts)]]


def _violations(tokens: Sequence[Token], exercise: Exercise) -> Iterator[Violation]:
    calls, known = exercise.blank.calls, known_names(exercise)
    if tokens[0].text in CHANGING - {"++", "--"}:
        yield of_token(ASSIGNMENT, tokens[0])
    for token in tokens:
        if rule := _rule_against(token):
            yield of_token(rule, token)
    for token in tokens:
        # Not only before a parenthesis: a name alone is enough to take a function's address.
        if token.kind == "identifier" and token.text not in known and calls.kind_of(token.text) == "forbidden":
            yield of_token(CALL, token)
    yield from _pairs(tokens)
    yield from writes(tokens, lambda name: name in known or is_listed(name, calls))
    yield from _escapes(tokens)


def _pairs(tokens: Sequence[Token]) -> Iterator[Violation]:
    """What only shows in neighbouring tokens."""
    for first, second in pairwise(tokens):
        if first.text + second.text == "[[":
            yield of_token(ATTRIBUTE, first)
        elif first.text + second.text == "({":
            yield of_token(STATEMENT_EXPRESSION, first)
    for first, second, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        trigraph = first.text + second.text + third.text[0]
        if third.start == first.start + 2 and _TRIGRAPH.fullmatch(trigraph):
            yield Violation(TRIGRAPH, first.place, trigraph)


def _rule_against(token: Token) -> Text | None:
    """The rule that a token breaks by itself, whatever stands around it."""
    if token.kind == "directive" or token.text in ("#", "##"):
        return DIRECTIVE
    if token.kind == "raw_string":
        return RAW_STRING
    if token.kind in ("identifier", "other") and "\\" in token.text:
        return BACKSLASH
    if token.text in _WORDS:
        return WORD
    return TRIGRAPH if _TRIGRAPH.search(token.text) else None


def _escapes(tokens: Sequence[Token]) -> Iterator[Violation]:
    """Braces without a partner, and semicolons outside braces."""
    yield from (of_token(OUTSIDE_BRACES, token) for token in _unpaired(tokens) if token.text in "{}")
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token.text == "{") - (token.text == "}")
        if token.text == ";" and depth <= 0:
            is_last = position == len(tokens) - 1
            yield of_token(EXTRA_SEMICOLON if is_last else SECOND_STATEMENT, token)
            return


def _errors(tokens: Sequence[Token], marker: str) -> Iterator[Finding]:
    """What no compiler accepts."""
    yield from lookalikes(tokens)
    for token in tokens:
        if token.kind == "unterminated_string":
            yield _error("unterminated_string", UNTERMINATED, token)
        elif token.text == marker or (len(token.text) > 1 and not token.text.strip("_")):
            yield _error("marker_left", MARKER_LEFT, token)
    for token in _unpaired(tokens):
        if token.text not in "{}":
            yield _error("unbalanced_bracket", UNBALANCED, token)


def _error(id_: str, message: Text, token: Token) -> Finding:
    said = message.format(line=token.line, column=token.column, what=token.text)
    return Finding(id_, Severity.ERROR, said, token.place)


def _unpaired(tokens: Sequence[Token]) -> list[Token]:
    """The brackets without a partner."""
    unpaired: list[Token] = []
    open_: list[Token] = []
    for token in tokens:
        if token.text in _CLOSING:
            open_.append(token)
        elif token.text in _CLOSING.values():
            if open_ and _CLOSING[open_[-1].text] == token.text:
                open_.pop()
            else:
                unpaired.append(token)
    return unpaired + open_


UNTERMINATED = Text(
    zh="第 {line} 行第 {column} 列的引号 {what} 在这一行里没有配对的另一半。请补上或删掉。",
    en="Line {line}, column {column}: the quotation mark of {what} is not closed on its line. Close or remove it.",
)
MARKER_LEFT = Text(
    zh="第 {line} 行第 {column} 列还留着空的下划线 {what}。请用你的表达式整个替换掉它。",
    en="Line {line}, column {column}: {what}, a part of the blank, is still there. Replace all of it "
    "by your expression.",
)
UNBALANCED = Text(
    zh="第 {line} 行第 {column} 列的“{what}”没有配对的另一半。请补上或删掉。",
    en='Line {line}, column {column}: this "{what}" has no partner. Add the other one or remove it.',
)
