"""Characters that look like C++ but are not: full-width forms of input methods, typographic quotes and kin.

A compiler accepts none of them outside strings and comments, so telling the error needs no compiler.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from gemv_grader.lock.lexer import Token
from gemv_grader.words import Finding, Place, Severity, Text

_MEANT = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width ASCII
    **dict.fromkeys("×✕✖⨯∗·∙⋅•・", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–—―‐‑‒﹣ー", "-"),
    **dict.fromkeys("“”„‟〝〞«»", '"'),
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("【〔「『〖〚⟦", "["),
    **dict.fromkeys("】〕」』〗〛⟧", "]"),
    **dict.fromkeys("《〈‹⟨", "<"),
    **dict.fromkeys("》〉›⟩", ">"),
    **dict.fromkeys("、﹐", ","),
    **dict.fromkeys("\u037e﹔", ";"),  # U+037E is the Greek question mark
    **dict.fromkeys("∶ː﹕", ":"),
    "。": ".",
    "﹢": "+",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≦": "<=",
    "≧": ">=",
    "→": "->",
    "…": "...",
    # Cyrillic and Greek letters in the shape of Latin ones
    **dict(zip("аеорсухіјѕАВЕКМНОРСТХ", "aeopcyxijsABEKMHOPCTX", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
}

_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp"})


def lookalikes(tokens: Sequence[Token]) -> Iterator[Finding]:
    """An error for each token that holds a look-alike, or a character that means nothing in C++."""
    for token in tokens:
        if token.kind in ("identifier", "number", "other"):
            found = (_finding(character, token, offset) for offset, character in enumerate(token.text))
            yield from filter(None, found)


def meant(text: str) -> str:
    """The text with look-alikes replaced by what was meant."""
    return "".join(_MEANT.get(character, character) for character in text)


def invisible(text: str) -> Iterator[int]:
    """Offsets of control, bidirectional and zero-width characters; line ends and tabs are none."""
    for offset, character in enumerate(text):
        if unicodedata.category(character) in _INVISIBLE and character not in "\t\n\v\f":
            yield offset


def name_of(character: str) -> str:
    """Code point and Unicode name, as in ``U+FF3B FULLWIDTH LEFT SQUARE BRACKET``."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def _finding(character: str, token: Token, offset: int) -> Finding | None:
    place = Place(token.line, token.column + offset)
    if character in _MEANT:
        id_, message = "lookalike_character", LOOKALIKE
    elif unicodedata.category(character) == "Zs":
        id_, message = "lookalike_character", BLANK
    elif unicodedata.category(character) in _INVISIBLE:
        id_, message = "invisible_character", INVISIBLE
    elif token.kind == "other" or not (character.isascii() or f"a{character}".isidentifier()):
        id_, message = "stray_character", STRAY
    else:
        return None
    said = message.format(
        line=place.line,
        column=place.column,
        character=character,
        name=name_of(character),
        meant=_MEANT.get(character, " "),
    )
    return Finding(id_, Severity.ERROR, said, place)


LOOKALIKE = Text(
    zh="第 {line} 行第 {column} 列的“{character}”是 {name}，编译器不认识；请改成英文半角的 "
    "{meant}（切换到英文输入法）。",
    en='Line {line}, column {column}: "{character}" is {name}, which the compiler does not know; '
    "type {meant} with an English keyboard layout.",
)
BLANK = Text(
    zh="第 {line} 行第 {column} 列的空白是 {name}，编译器不认识；请删掉它，改用普通空格。",
    en="Line {line}, column {column}: the blank there is {name}, which the compiler does not know; "
    "replace it by an ordinary space.",
)
INVISIBLE = Text(
    zh="第 {line} 行第 {column} 列有一个看不见的字符 {name}，编译器不认识；请删掉它。",
    en="Line {line}, column {column}: there is an invisible character, {name}, which the compiler "
    "does not know; remove it.",
)
STRAY = Text(
    zh="第 {line} 行第 {column} 列的“{character}”（{name}）在 C++ 里没有意义；请删掉它。",
    en='Line {line}, column {column}: "{character}" ({name}) means nothing in C++; remove it.',
)
