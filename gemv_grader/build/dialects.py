"""The beginners' mistakes as g++ and clang++ word them, brought to the words of nvcc's front end."""

from __future__ import annotations

import re

# g++ puts names into ‘’ or '', by the locale; clang++ into ''.
_DIALECTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"['‘](\w+)['’] was not declared in this scope.*", r'identifier "\1" is undefined'),
        (
            r"there are no arguments to ['‘](\w+)['’] that depend on a template parameter.*",
            r'identifier "\1" is undefined',
        ),
        (r"use of undeclared identifier '(\w+)'.*", r'identifier "\1" is undefined'),
        (r"expected primary-expression before .*|expected expression", "expected an expression"),
        (r"expected ['‘]([\])};])['’].*", r'expected a "\1"'),
        (r"invalid operands of types .*\*.* to binary .*", "expression must have arithmetic type"),
        (r"invalid operands to binary expression \(.*\*.*\)", "expression must have arithmetic type"),
        (r"invalid types .*\[.*\*.*\]['’] for array subscript", "expression must have integral type"),
        (r"invalid types .* for array subscript", "expression must have pointer-to-object type"),
        (r"invalid type argument of unary ['‘]\*['’].*", 'operand of "*" must be a pointer'),
        (r"subscripted value is not an array.*", "expression must have pointer-to-object type"),
    )
)


def in_edg_words(message: str) -> str:
    """``message`` as nvcc's front end would say it; unchanged if it says something else."""
    for pattern, words in _DIALECTS:
        if match := pattern.fullmatch(message):
            return match.expand(words)
    return message
