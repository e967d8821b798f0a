"""Makes text from students and compilers safe to print."""

from __future__ import annotations

import re
import unicodedata

# Format characters (bidi overrides, zero-width joiners) can make a line read as something it is not.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# What most text is made of needs no look at each character: ASCII, kana, Han, their punctuation, full-width forms.
_UNUSUAL = re.compile("[^\n\t -~\u3000-\u303f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff5e]")


def printable(text: str) -> str:
    r"""``text`` with control, bidi and invisible characters shown as ``\u{...}`` (newline and tab stay)."""
    return _UNUSUAL.sub(_shown, text)


def one_line(text: str, limit: int) -> str:
    """`printable` text on one line of at most ``limit`` characters."""
    flat = " ".join(printable(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _shown(match: re.Match[str]) -> str:
    character = match[0]
    if unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return f"\\u{{{ord(character):x}}}"
