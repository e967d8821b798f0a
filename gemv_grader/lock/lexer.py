"""C++ translation phases 2 and 3, as GCC does them: line splices, comments, directives, preprocessing tokens.

What a compiler does not see (comments, layout, spelling variants such as digraphs) leaves no trace in the
tokens; what it sees does, however disguised. Lexing never fails: text that is no token becomes one all the
same, of a kind that says so. The time taken grows linearly with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Literal, NamedTuple, cast

from gemv_grader.words import Place

Kind = Literal[
    "identifier",
    "number",
    "string",
    "raw_string",
    "character",
    "punctuator",
    "directive",
    "unterminated_string",  # also of characters: a quotation mark that nothing closes
    "unterminated_comment",
    "other",  # one character that begins no token
]
_Lexeme = Kind | Literal["blank", "newline"]


class Token(NamedTuple):
    """One token, or one whole directive.

    ``text`` is in the primary spelling (``[`` for ``<:``), a directive's with one space between its tokens.
    ``start`` and ``end`` are offsets in the text that was lexed; ``line`` and ``column`` count from 1.
    """

    kind: Kind
    text: str
    start: int
    end: int
    line: int
    column: int

    @property
    def place(self) -> Place:
        """Where the token begins."""
        return Place(self.line, self.column)


# The operators that change their operand.
CHANGING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})

# A backslash at the end of a line joins the next one to it; for GCC even with blanks between.
_SPLICE = re.compile(r"\\[ \t\v\f]*\n")

_UCN = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
# Plain names first: nearly all are.
_NAME = rf"(?:[A-Za-z_][A-Za-z_0-9]*(?![\w$\\])|(?:[^\W\d]|\$|{_UCN})(?:[\w$]|{_UCN})*)"

# Alternatives in order of precedence; within punctuators the longest first.
_TOKEN = re.compile(
    rf"""
    (?P<blank>[ \t\v\f]+|//[^\n]*)
  | (?P<newline>\n)
  | (?P<identifier>(?!(?:u8|[uUL])?(?:R"|["'])){_NAME})  # but no literal's prefix
  | (?P<comment>/\*)
  | (?P<raw>(?:u8|[uUL])?R")
  | (?P<string>(?:u8|[uUL])?"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?P<string_end>"(?:{_NAME})?)?)
  | (?P<character>(?:u8|[uUL])?'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*(?P<character_end>'(?:{_NAME})?)?)
  | (?P<number>\.?[0-9](?:'[0-9A-Za-z_]|[eEpP][+-]|[\w.])*)
  | (?P<punctuator>[\[\](){{}};,?~]|%:%:|<<<|>>>|<<=|>>=|->\*|\.\.\.
      |<:(?!:(?![:>]))  # "<::" is "<" and "::" unless ":" or ">" follows
      |<%|%>|:>|%:|\#\#|::|\.\*|->|\+\+|--|<<|>>|[<>=!+\-*/%^&|]=|&&|\|\|
      |[<>\#:.!+\-*/%^&|=])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# What the pattern only begins, or what may turn out to be another kind.
_ODD = frozenset({"comment", "raw", "string", "character"})
_RAW_OPENING = re.compile(r'"([^ ()\\\t\v\f\n]{0,16})\(')
_SUFFIX = re.compile(rf"(?:{_NAME})?")
_HEADER_NAME = re.compile(r"<[^>\n]+>")

_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}
_OPERATOR_WORDS = {
    "and": "&&", "and_eq": "&=", "bitand": "&", "bitor": "|", "compl": "~", "not": "!", "not_eq": "!=",
    "or": "||", "or_eq": "|=", "xor": "^", "xor_eq": "^=",
}  # fmt: skip


def lex(text: str) -> tuple[Token, ...]:
    """The tokens of a text whose lines end in ``\\n``. Never raises."""
    return tuple(_Lexer(text).run())


class _Lexer:
    """Walks over the text without its splices, the code, and knows where in the text each place of it was."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code = _SPLICE.sub("", text)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        # The n-th splice begins at _splices[n] in the text and lay at _joints[n] in the code; before it,
        # _removed[n] characters are gone.
        spans = [match.span() for match in _SPLICE.finditer(text)]
        self._removed = [0]
        for start, end in spans:
            self._removed.append(self._removed[-1] + end - start)
        self._splices = [start for start, _ in spans]
        self._joints = [start - gone for start, gone in zip(self._splices, self._removed, strict=False)]

    def run(self) -> list[Token]:
        tokens: list[Token] = []
        directive: list[Token] = []
        line_is_empty = True
        position = 0
        while position < len(self._code):
            # One scan over all that is just what the pattern says, and a new one after anything else.
            for match in _TOKEN.finditer(self._code, position):
                kind: _Lexeme = match.lastgroup  # type: ignore[assignment]  # the groups have these names
                if kind == "blank":
                    continue
                if kind == "newline":
                    tokens += _joined(directive)
                    directive, line_is_empty = [], True
                    continue
                start, position = match.span()
                after_include = len(directive) == 2 and directive[1].text == "include"
                if is_odd := kind in _ODD or after_include:
                    kind, position = self._next(match, after_include=after_include)
                if kind == "unterminated_comment":
                    tokens += _joined(directive)
                    directive, line_is_empty = [], True
                if kind != "blank" and kind != "newline":  # noqa: PLR1714 - what mypy understands
                    token = self._token(kind, start, position)
                    if directive or (line_is_empty and token.text == "#"):
                        directive.append(token)
                    else:
                        tokens.append(token)
                    line_is_empty = False
                if is_odd:
                    break
            else:
                break
        return tokens + _joined(directive)

    def _next(self, match: re.Match[str], *, after_include: bool) -> tuple[_Lexeme, int]:
        """The kind of what begins where ``match`` does, and where it ends."""
        if after_include and (header := _HEADER_NAME.match(self._code, match.start())):
            return "string", header.end()
        kind = match.lastgroup
        if kind == "comment":
            close = self._code.find("*/", match.end())
            return ("blank", close + 2) if close >= 0 else ("unterminated_comment", len(self._code))
        if kind == "raw":
            return self._raw_string(match.end() - 1)
        if kind in ("string", "character") and match[f"{kind}_end"] is None:
            return "unterminated_string", match.end()
        return cast("_Lexeme", kind), match.end()

    def _raw_string(self, quote: int) -> tuple[_Lexeme, int]:
        """A raw string whose quotation mark stands at ``quote``. Inside it, splices are what was written."""
        opening = _RAW_OPENING.match(self._text, self._in_text(quote))
        if opening is None:
            end_of_line = self._code.find("\n", quote)
            return "unterminated_string", end_of_line if end_of_line >= 0 else len(self._code)
        closing = f'){opening[1]}"'
        close = self._text.find(closing, opening.end())
        if close < 0:
            return "unterminated_string", len(self._code)
        suffix = _SUFFIX.match(self._code, self._in_code(close + len(closing)))
        return "raw_string", suffix.end() if suffix else len(self._code)

    def _token(self, kind: Kind, position: int, end: int) -> Token:
        start, stop = position, end
        if self._joints:
            start, stop = self._in_text(position), self._in_text(end - 1) + 1
        line = bisect_right(self._lines, start)
        text = self._code[position:end]
        if kind == "punctuator":
            text = _DIGRAPHS.get(text, text)
        elif kind == "identifier":
            if text in _OPERATOR_WORDS:
                kind, text = "punctuator", _OPERATOR_WORDS[text]
        elif kind == "raw_string":
            text = self._text[start:stop]
        elif kind == "unterminated_comment":
            text = "/*"
        return Token(kind, text, start, stop, line, start - self._lines[line - 1] + 1)

    def _in_text(self, position: int) -> int:
        return position + self._removed[bisect_right(self._joints, position)]

    def _in_code(self, offset: int) -> int:
        return offset - self._removed[bisect_left(self._splices, offset)]


def _joined(directive: list[Token]) -> list[Token]:
    """The tokens of a directive as one; none if there are none."""
    if not directive:
        return []
    text = "#" + " ".join(token.text for token in directive[1:])
    return [directive[0]._replace(kind="directive", text=text, end=directive[-1].end)]
