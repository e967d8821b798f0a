"""The lexer against the rules of C++ (and of GCC where C++ leaves a choice), one rule a line."""

from __future__ import annotations

import pytest
from hang import no_hang
from hypothesis import given
from hypothesis import strategies as st

from gemv_grader.lock.lexer import lex


def spelt(text: str) -> str:
    """The tokens as text, each between bars."""
    return "|".join(token.text for token in lex(text))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # maximal munch
        ("a+++b", "a|++|+|b"),
        ("x>>=1>>2>=3", "x|>>=|1|>>|2|>=|3"),
        ("f<<<M, 256>>>(x)", "f|<<<|M|,|256|>>>|(|x|)"),
        ("p->*q->r.*s...", "p|->*|q|->|r|.*|s|..."),
        ("a<::b", "a|<|::|b"),
        ("a<:::b:>", "a|[|::|b|]"),
        ("a<::>", "a|[|]"),
        # numbers
        ("1'000.5e+3f+0x1p-2", "1'000.5e+3f|+|0x1p-2"),
        ("0xe+1", "0xe+1"),
        (".5f+1.", ".5f|+|1."),
        ("1'a", "1'a"),
        # spelling variants
        ("<%:>%>", "{|]|}"),
        ("a and not b bitor c xor_eq d", "a|&&|!|b|||c|^=|d"),
        ("and_not", "and_not"),
        # strings and characters
        (r'u8"a\"b"_s L"c" R', r'u8"a\"b"_s|L"c"|R'),
        (r"u'\'' '\\'", r"u'\''|'\\'"),
        ('"/* // */" x', '"/* // */"|x'),
        ('R"(a"b\n)"x', 'R"(a"b\n)"x'),
        ('LR"~~()" )~~" y', 'LR"~~()" )~~"|y'),
        # comments
        ("a/**/b/*/ c */d//e\nf", "a|b|d|f"),
        ("a /* ' \" */ b // ' \"\nc", "a|b|c"),
        ("a / / b", "a|/|/|b"),
        # line splices
        ("in\\\nt x\\\n\\\ny", "int|xy"),
        ("a // comment \\\n still\nb", "a|b"),
        ("a // comment \\ \t\n still\nb", "a|b"),
        ("/\\\n/ comment\na /\\\n* x *\\\n/ b", "a|b"),
        ('"a\\\nb"', '"ab"'),
        ('R"(a\\\nb)"', 'R"(a\\\nb)"'),
        ("a // trigraph ??/\nb", "a|b"),
        # directives
        ("#include <a b/c.h>  // x\nint", "#include <a b/c.h>|int"),
        ('  #  include "a.h"\n', '#include "a.h"'),
        ("%: pragma /* a\n b */ unroll\nint", "#pragma unroll|int"),
        ("#def\\\nine N \\\n 1\nN", "#define N 1|N"),
        ("/* a */ #pragma once", "#pragma once"),
        ("a # b", "a|#|b"),
        ("#\n#", "#|#"),
        ("#error don't\nx", "#error don 't|x"),
        ("include <a>", "include|<|a|>"),
        # what is no token
        ("a\u200bb ［1］ @ \\", "a|\u200b|b|［|1|］|@|\\"),
        ("行 ｘ é $a a$", "行|ｘ|é|$a|a$"),
        (r"\u0041b a\U00000042", r"\u0041b|a\U00000042"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert spelt(text) == tokens


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("x /* y", ["identifier", "unterminated_comment"]),
        ("#x /* y\nz", ["directive", "unterminated_comment"]),
        ("/*/", ["unterminated_comment"]),
        ('x "a\ny', ["identifier", "unterminated_string", "identifier"]),
        ("'a\n'", ["unterminated_string", "unterminated_string"]),
        ('"a\\', ["unterminated_string", "other"]),
        ('R"x(a)y" b', ["unterminated_string"]),
        ('R"a b"\nc', ["unterminated_string", "identifier"]),
        ('if 1 \'a\' "b" + R"(c)"', ["identifier", "number", "character", "string", "punctuator", "raw_string"]),
        ("#pragma once\n@", ["directive", "other"]),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [token.kind for token in lex(text)] == kinds


def test_places_are_those_of_the_text_with_its_splices() -> None:
    text = 'a\\\nb "x\\\ny" c\n  R"(\\\n)" d\n行 e'
    places = {token.text: (token.line, token.column, text[token.start : token.end]) for token in lex(text)}
    assert places == {
        "ab": (1, 1, "a\\\nb"),
        '"xy"': (2, 3, '"x\\\ny"'),
        "c": (3, 4, "c"),
        'R"(\\\n)"': (4, 3, 'R"(\\\n)"'),
        "d": (5, 4, "d"),
        "行": (6, 1, "行"),
        "e": (6, 3, "e"),
    }


SNIPPETS = ["a", "1'0", "<", ":", "::", ">", "%:", "/", "*", "/*", "*/", "//", '"', "'", 'R"(', ')"', "\\", "\\\n"]
soup = st.lists(st.sampled_from([*SNIPPETS, "#", "include", " ", "\n", "u8", "\t", "［", "é"]) | st.characters()).map(
    "".join
)


@given(soup)
def test_any_text_lexes_and_its_tokens_lie_in_it_in_order(text: str) -> None:
    tokens = lex(text)
    ends = [0]
    for token in tokens:
        assert ends[-1] <= token.start < token.end <= len(text)
        before = text[: token.start]
        assert (token.line, token.column) == (before.count("\n") + 1, token.start - (before.rfind("\n") + 1) + 1)
        ends.append(token.end)


@given(soup)
def test_tokens_written_with_spaces_lex_to_themselves(text: str) -> None:
    """The canonical text of a fill stands for the same tokens, whatever was in the student's file."""
    plain = [t for t in lex(text) if t.kind in ("identifier", "number", "string", "character", "punctuator")]
    canonical = " ".join(token.text for token in plain)
    if not canonical.startswith("#"):
        assert [token[:2] for token in lex(canonical)] == [token[:2] for token in plain]


@pytest.mark.parametrize(
    "piece",
    ["\\\n", "/*", 'R"(', '"\\', "'", "\\ ", 'R"', "a\\\n", "#\n", "\\u", "1e+", "#include <", "u8", " ", '""_', "??/"],
)
def test_time_is_linear(piece: str) -> None:
    """A quadratic lexer would take minutes for these 200,000 characters."""
    with no_hang():
        lex(piece * (200_000 // len(piece)))
