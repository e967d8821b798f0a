"""What must hold of the lock for any file: layout never matters, any other edit always does, and nothing raises."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from gemv_grader.exercise import load_exercise
from gemv_grader.lock import Fill, Rejection, Token, lex, lock
from gemv_grader.lock.names import PREFIX
from gemv_grader.lock.scaffold import read_scaffold
from gemv_grader.program import splice
from gemv_grader.submission import from_bytes
from gemv_grader.words import Severity

T = TypeVar("T")

EXERCISE = load_exercise("03_gemv")
SCAFFOLD = read_scaffold(EXERCISE)
FILLS = [
    "row_A[col] * x[col]",
    "fmaf(A[row * N + col], x[col], 0.0f)",
    "[&]{ float s = 0; for (int c = 0; c < 1'0; ++c) s += x[c]; return s >> 1; }()",
    'std::fma(row_A[0x1e+1], \'a\' - L"b\\""[0], .5f)',
]

# Characters that all the encodings below have; in Big5 and Shift-JIS some end in the byte of a backslash.
COMMENT_CHARACTERS = "行列和的一功表能 abc;{}\"'#*()[]/?\\"
ENCODINGS = ["utf-8", "utf-8-sig", "gb18030", "big5", "shift_jis", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
DIGRAPHS = {"[": "<:", "]": ":>", "{": "<%", "}": "%>", "&&": "and", "!": "not", "|=": "or_eq"}


class Writer:
    """Writes tokens as source text, laid out at random. A seed instead of many draws keeps it fast."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret

    def text(self, tokens: Sequence[Token]) -> str:
        written = self._gap(["blank", "newline", "line", "block"])
        for token in tokens:
            if token.kind == "directive":
                name, *rest = token.text[1:].split(" ")
                inner = [self._one_of("#", "%:"), name, *rest]
                pieces = [self._cut(piece) + self._gap(["blank", "splice", "block"]) for piece in inner]
                written += "\n" + "".join(pieces) + self._one_of("\n", "// x\n")
            else:
                spelling = DIGRAPHS.get(token.text, token.text) if self._seldom() else token.text
                written += self._cut(spelling) + self._gap(["blank", "splice", "block", "newline", "line"])
        return written

    def encode(self, text: str) -> bytes:
        """In one of the encodings, line ends and wrappings that editors and notebooks write."""
        text = self._one_of("", "", "%%writefile a.cu\n", "```cpp\n", "\n~~~\n") + text
        return text.replace("\n", self._one_of("\n", "\r\n", "\r")).encode(self._one_of(*ENCODINGS))

    def _gap(self, kinds: Sequence[str]) -> str:
        """Something between two tokens that keeps them apart."""
        return " " + "".join(self._filler(self._one_of(*kinds)) for _ in range(self._one_of(0, 0, 0, 1, 2, 3)))

    def _filler(self, kind: str) -> str:
        comment = "".join(self._random.choices(COMMENT_CHARACTERS, k=self._random.randrange(12)))
        if comment.rstrip().endswith("\\"):
            comment += "."
        return {
            "blank": self._one_of(" ", "\t", "\v", "\f", "    "),
            "splice": self._splice(),
            "newline": "\n",
            "block": f"/* {comment.replace('*/', '* /')} */",
            "line": f"// {comment}\n",
        }[kind]

    def _cut(self, spelling: str) -> str:
        """The spelling, now and then with a splice inside it."""
        cut = self._random.randrange(len(spelling)) if self._seldom() else 0
        return spelling[:cut] + self._splice() + spelling[cut:] if cut else spelling

    def _splice(self) -> str:
        return self._one_of("\\\n", "\\ \t\n")

    def _seldom(self) -> bool:
        return self._random.random() < 0.1

    def _one_of(self, *choices: T) -> T:
        return self._random.choice(choices)


def filled(fill: str) -> list[Token]:
    return [*SCAFFOLD.before, *lex(fill), *SCAFFOLD.after]


def judged(data: bytes) -> Fill | Rejection:
    return lock(from_bytes(data, "a"), EXERCISE)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(FILLS))
def test_layout_and_encoding_never_change_the_fill(seed: int, fill: str) -> None:
    writer = Writer(seed)
    result = judged(writer.encode(writer.text(filled(fill))))
    assert isinstance(result, Fill), result.reasons
    assert result.text == " ".join(token.text for token in lex(fill))
    assert result.findings == ()
    assert result.attempted


POOL = [
    *dict.fromkeys(token.text for token in SCAFFOLD.tokens if token.kind != "directive"),
    "17", "volatile", "z", '"s"', "==", "<", "-", "->", "row_B", "/", "if", "else", "return", "[", "->*",
]  # fmt: skip


def tokens_of(text: str) -> SearchStrategy[Token]:
    return st.just(lex(text)[0])


@composite
def edited(draw: DrawFn) -> tuple[list[Token], str, int]:
    """The filled scaffold with one token outside the blank changed; what was done, and to which token."""
    tokens = list(SCAFFOLD.tokens)
    at = draw(st.integers(0, len(tokens) - 1).filter(lambda index: index != SCAFFOLD.blank))
    other = draw(st.sampled_from(POOL).flatmap(tokens_of))
    how = draw(st.sampled_from(["delete", "replace", "duplicate", "insert"]))
    if how == "delete":
        tokens[at : at + 1] = []
    elif how == "replace":
        assume(other[:2] != tokens[at][:2])
        tokens[at] = other
    elif how == "duplicate":
        tokens.insert(at, tokens[at])
    else:
        assume(at != SCAFFOLD.blank + 1)  # there, it would be in the blank
        tokens.insert(at, other)
    blank = next(index for index, token in enumerate(tokens) if token is SCAFFOLD.tokens[SCAFFOLD.blank])
    tokens[blank : blank + 1] = lex(draw(st.sampled_from(FILLS)))
    return tokens, how, at


def plain(tokens: Sequence[Token]) -> bytes:
    return "".join(f"\n{t.text}\n" if t.kind == "directive" else f" {t.text}" for t in tokens).encode()


@settings(max_examples=300, deadline=None)
@given(edited())
def test_any_change_of_one_token_outside_the_blank_is_rejected(edit: tuple[list[Token], str, int]) -> None:
    tokens, _, _ = edit
    result = judged(plain(tokens))
    assert isinstance(result, Rejection)
    assert result.reasons


def test_each_token_outside_the_blank_must_be_there_once() -> None:
    guarded = {at for line in SCAFFOLD.protected for at in line.tokens}
    for at in range(len(SCAFFOLD.tokens)):
        if at == SCAFFOLD.blank:
            continue
        less, more = (
            [*SCAFFOLD.tokens[:at], *SCAFFOLD.tokens[at + 1 :]],
            [*SCAFFOLD.tokens[: at + 1], *SCAFFOLD.tokens[at:]],
        )
        for tokens in (less, more):
            result = judged(plain(tokens))
            assert isinstance(result, Rejection)
            if tokens is less:
                assert ("boundary_check_removed" in result.vetoes) == (at in guarded)


@settings(max_examples=300, deadline=None)
@given(edited())
def test_the_veto_is_raised_by_changes_of_a_protected_line_and_by_no_others(
    edit: tuple[list[Token], str, int],
) -> None:
    tokens, how, at = edit
    inside = any(at in line.tokens for line in SCAFFOLD.protected)
    # A token put before a line may take control of it, and `;;` is as well a `;` after the line as one in it.
    near = any(at in range(line.tokens.start - 1, line.tokens.stop + 1) for line in SCAFFOLD.protected)
    result = judged(plain(tokens))
    assert isinstance(result, Rejection)
    if how in ("delete", "replace") and inside:
        assert "boundary_check_removed" in result.vetoes
    if not near:
        assert "boundary_check_removed" not in result.vetoes


@pytest.mark.parametrize("line", SCAFFOLD.protected, ids=lambda line: f"token{line.tokens.start}")
def test_the_veto_is_raised_by_anything_put_into_a_protected_line(line: object) -> None:
    inside = line.tokens  # type: ignore[attr-defined]
    for at in range(inside.start + 1, inside.stop):
        for text in ("volatile", "17", "&&", "{"):
            tokens = [*SCAFFOLD.tokens[:at], *lex(text), *SCAFFOLD.tokens[at:]]
            result = judged(plain(tokens))
            assert isinstance(result, Rejection)
            assert "boundary_check_removed" in result.vetoes


PIECES = """
row_A [ ] ( ) { } ; , x col y row N 1.0f * + - = += ++ == < > ? : :: & && [[ [&] [=] [] ({ }() float int auto
float& auto&& for if while return printf fmaf std f '"' ' # %: ?? ??= // /* */ R"( )" asm static struct ______
const_cast<float&> _Pragma
"""
SOUP = st.lists(
    st.sampled_from([*PIECES.split(), "＊", "；", "\u200b", "\n", "\n#define x y\n", "\\\n"]), max_size=14
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(SOUP | st.text(max_size=30))
def test_an_accepted_fill_stays_in_the_blank(fill: str) -> None:
    """Whatever the blank holds: what is accepted leaves the scaffold's own tokens as they are, and changes nothing."""
    result = judged(EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill).encode())
    if isinstance(result, Rejection) or not result.attempted:
        return
    if any(finding.severity is Severity.ERROR for finding in result.findings):
        return
    program = splice(EXERCISE, result.text).source.replace(PREFIX, "")
    assert [token[:2] for token in lex(program)] == [token[:2] for token in filled(result.text)]
    again = judged(program.encode())
    assert isinstance(again, Fill)
    assert again.text == result.text
    texts = [token.text for token in result.tokens]
    assert not {"asm", "static", "struct", "_Pragma", "[[", "#"} & set(texts)
    assert texts.count("{") == texts.count("}")
    if "{" not in texts:
        assert not {"=", "+=", "++", ";"} & set(texts)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_raises(data: st.DataObject) -> None:
    """Bytes of any kind, alone or in the midst of the scaffold, end as a fill or as reasons in both languages."""
    junk = data.draw(st.binary(max_size=40) | st.text(max_size=40).map(str.encode) | SOUP.map(str.encode))
    base = EXERCISE.scaffold.encode(data.draw(st.sampled_from(["utf-8", "gb18030", "utf-16-le"])))
    start = data.draw(st.integers(0, len(base)))
    stop = data.draw(st.integers(start, min(len(base), start + 200)))
    for content in (junk, base[:start] + junk + base[stop:], base[:start] + junk):
        submission = from_bytes(content, "a")
        for policy in ("tokens", "exact"):
            result = lock(submission, EXERCISE, policy)
            if isinstance(result, Fill):
                assert result.place.line >= 1
                assert all(result.place_of(at).line <= result.end.line for at in range(len(result.text) + 1))
            else:
                assert all(reason.zh and reason.en for reason in result.reasons)
                assert result.reasons
