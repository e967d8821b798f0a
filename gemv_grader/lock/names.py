"""The names a fill may use: the scaffold's, CUDA's built-in variables, the language's, and the calls on the list.

Every other name is the fill's own, and gets a prefix before anything is compiled. So a fill cannot reach a function,
variable or macro of any header, however it spells the attempt: what it did not declare itself is simply undeclared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from gemv_grader.exercise import Calls, Exercise
from gemv_grader.lock.lexer import Token, lex

PREFIX = "fill_own_"

# fmt: off
TYPES = frozenset({
    "auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void",
    "size_t", "ptrdiff_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "float2", "float3", "float4", "double2", "int2", "int3", "int4", "uint2", "uint3", "uint4",
})
_LANGUAGE = TYPES | frozenset({
    "const", "constexpr", "volatile", "__restrict__", "mutable", "sizeof", "nullptr", "true", "false",
    "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return",
    "static_cast", "reinterpret_cast", "const_cast",
    "INFINITY", "NAN",
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize",
    "x", "y", "z", "w",  # the members of CUDA's vectors
})
# fmt: on
_STATEMENTS = frozenset({"return", "else", "case", "do"})


def known_names(exercise: Exercise) -> frozenset[str]:
    """The names that mean something where the blank is: the language's, and what the scaffold declares up to there."""
    return _known(exercise.scaffold[: exercise.scaffold.index(exercise.blank.marker)])


@lru_cache(maxsize=16)
def _known(scaffold: str) -> frozenset[str]:
    before = lex(scaffold)
    kernel = max((i for i, token in enumerate(before) if token.text == "__global__"), default=0)
    visible = {token.text for token in before[kernel:] if token.kind == "identifier"}
    # Of what stands above the kernel only functions: "float block_reduce_sum(", not a call and not a local variable.
    for kind, name, after in zip(before, before[1:], before[2:kernel], strict=False):
        if kind.kind == name.kind == "identifier" and after.text == "(" and kind.text not in _STATEMENTS:
            visible.add(name.text)
    return _LANGUAGE | visible


def with_own_names(fill: str, exercise: Exercise) -> tuple[str, tuple[int, ...]]:
    """The canonical text of a fill with the prefix before its own names, and where in the result each prefix begins."""
    known = known_names(exercise)
    tokens = lex(fill)
    parts: list[str] = []
    prefixes: list[int] = []
    offset = 0
    for token, text in zip(tokens, _qualified(tokens), strict=True):
        own = token.kind == "identifier" and token.text not in known and not is_listed(text, exercise.blank.calls)
        if own:
            prefixes.append(offset)
        parts.append(PREFIX + token.text if own else token.text)
        offset += len(parts[-1]) + 1
    return " ".join(parts), tuple(prefixes)


def is_listed(name: str, calls: Calls) -> bool:
    """Whether an exercise lets its fills call ``name``."""
    return calls.kind_of(name) in ("pure", "effects")


def _qualified(tokens: Sequence[Token]) -> Iterator[str]:
    """For each token its text; for each part of ``std::fma`` the listed name, ``fma``."""
    start = 0
    while start < len(tokens):
        end = start + 1
        while end + 1 < len(tokens) and tokens[end].text == "::" and tokens[end + 1].kind == "identifier":
            end += 2
        name = "".join(token.text for token in tokens[start:end]).removeprefix("std::")
        yield from [name] * (end - start)
        start = end
