"""The small language in which a rubric writes what students may say.

    一趟 | one trip          alternatives
    {adjacent} thread        the phrasings of another concept; parts side by side may have one word between them
    only .. used             the second within 8 words after the first
    row ... waste            the second within 25 words after the first, in one sentence
    same & byte              both within 25 words, in any order, in one sentence

Words are compared by stem, characters by their simplified form; there is nothing to escape and nothing that
can take long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from gemv_grader.prose.normal import normalise
from gemv_grader.prose.tokens import words

NEAR, FAR, TOUCHING = 8, 25, 1
_CONNECTOR = re.compile(r"(?:^|\s)(\.\.\.|\.\.|&)(?:\s|$)")
_SPECIAL = re.compile(r"[{}&]|\.\.")
_PART = re.compile(r"\{([^{}]*)\}|([^{}]+)")
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_GAPS = {"..": NEAR, "...": FAR}

Words = tuple[str, ...]


class PhraseError(ValueError):
    """A phrasing that is not in the language; the message says what is wrong in a word or two."""


@dataclass(frozen=True)
class Reference:
    """Any phrasing of the concept ``name``."""

    name: str


Part = Words | Reference


@dataclass(frozen=True)
class Phrase:
    """Parts in order with the largest distance before each, or (``anywhere``) in any order within FAR."""

    parts: tuple[Part, ...]
    gaps: tuple[int, ...]
    anywhere: bool = False

    @property
    def references(self) -> tuple[str, ...]:
        """The concepts it refers to."""
        return tuple(part.name for part in self.parts if isinstance(part, Reference))


def parse_phrases(lines: Iterable[str]) -> tuple[Phrase, ...]:
    """The phrasings in ``lines``, alternatives taken apart. Raises PhraseError."""
    return tuple(phrase for line in lines for phrase in _alternatives(line))


@cache
def _alternatives(line: str) -> tuple[Phrase, ...]:
    return tuple(_phrase(text.strip()) for text in normalise(line).text.split(" | "))


def _phrase(text: str) -> Phrase:
    if not _SPECIAL.search(text) and (literal := words(text)):
        return Phrase((literal,), (0,))
    pieces = _CONNECTOR.split(text)
    connectors = pieces[1::2]
    anywhere = "&" in connectors
    if anywhere and set(connectors) != {"&"}:
        raise PhraseError(f"& and .. in one phrasing: {text}")
    parts: list[Part] = []
    gaps: list[int] = []
    for index, piece in enumerate(pieces[::2]):
        found = _parts(piece)
        if not found or (anywhere and len(found) > 1):
            raise PhraseError(f"{'nothing' if not found else 'more than one part'} beside a connector: {text}")
        first = _GAPS.get(connectors[index - 1], FAR) if index else 0
        parts += found
        gaps += [first] + [TOUCHING] * (len(found) - 1)
    return Phrase(tuple(parts), tuple(gaps), anywhere)


def _parts(text: str) -> list[Part]:
    found: list[Part] = []
    for match in _PART.finditer(text):
        if match[1] is not None:
            if not _NAME.match(match[1]):
                raise PhraseError(f"no concept name: {{{match[1]}}}")
            found.append(Reference(match[1]))
        elif literal := words(match[2]):
            found.append(literal)
    if "{" in _PART.sub("", text) or "}" in _PART.sub("", text):
        raise PhraseError(f"unpaired brace: {text}")
    return found
