"""Makes text from students and compilers safe to print."""

from __future__ import annotations

import unicodedata

# Format characters (bidi overrides, zero-width joiners) can make a line read as something it is not.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def printable(text: str) -> str:
    r"""``text`` with control, bidi and invisible characters shown as ``\u{...}`` (newline and tab stay)."""
    return "".join(_shown(character) for character in text)


def one_line(text: str, limit: int) -> str:
    """`printable` text on one line of at most ``limit`` characters."""
    flat = " ".join(printable(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return f"\\u{{{ord(character):x}}}"
