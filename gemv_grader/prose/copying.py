"""Finds near-verbatim text: an answer against reference texts, and the answers of one class against each other.

Texts are compared by shingles, short runs of words hashed: changing a word here and there breaks few of them, and
comparing takes time in proportion to the texts. A finding is for a person; it costs no points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gemv_grader.prose.normal import Normal, normalise
from gemv_grader.prose.tokens import Token, tokenise

_SHINGLE = 5
# Honest answers share the topic's set phrases with a reference: up to a third of a short one's words, and never a
# stretch of several sentences.
_COPIED = 0.4
_SHORTEST = 40
_LONG_STRETCH = 45
# Between students the same share of the shorter answer, once what the form and the reference hold is set aside.
_ALIKE = 0.6
_SHORTEST_ALIKE = 25
_COMMON = 40


@dataclass(frozen=True)
class Copy:
    """How much of a text stands in a reference, and the longest stretch [start, end) of the student's that does."""

    share: float
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Alike:
    """Answers that are near-verbatim the same: who wrote them, and the least share that two of them have in common."""

    keys: tuple[str, ...]
    share: float


class References:
    """Texts that answers should not repeat."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._shingles = frozenset(
            shingle for text in texts for part in _parts(text) for shingle in _shingles(tokenise(normalise(part).text))
        )

    def copied(self, text: str, normal: Normal) -> Copy | None:
        """What ``text`` (``normal`` once normalised) has in common with the references, None if that is little."""
        tokens = tokenise(normal.text)
        if len(tokens) < _SHORTEST:
            return None
        covered = self._covered(tokens)
        share = sum(covered) / len(tokens)
        first, last = _longest(covered)
        if share < _COPIED and last - first < _LONG_STRETCH:
            return None
        start, end = normal.span(tokens[first].start, tokens[last - 1].end)
        return Copy(share, start, end, text[start:end])

    def without(self, tokens: Sequence[Token]) -> list[int]:
        """The shingles of ``tokens`` that no reference has."""
        return [shingle for shingle in _shingles(tokens) if shingle not in self._shingles]

    def _covered(self, tokens: Sequence[Token]) -> list[bool]:
        covered = [False] * len(tokens)
        for i, shingle in enumerate(_shingles(tokens)):
            if shingle in self._shingles:
                covered[i : i + _SHINGLE] = [True] * _SHINGLE
        return covered


def alike(answers: Mapping[str, str], references: References) -> tuple[Alike, ...]:
    """Groups of answers to one question that repeat each other; linear in the texts but for what they share."""
    shingles = {key: _own_shingles(text, references) for key, text in answers.items()}
    same: dict[frozenset[int], list[str]] = defaultdict(list)
    for key, own in shingles.items():
        if len(own) >= _SHORTEST_ALIKE:
            same[own].append(key)
    sets = list(same)
    groups, shares = list(range(len(sets))), [1.0] * len(sets)
    for (a, b), common in _common(sets).items():
        share = common / min(len(sets[a]), len(sets[b]))
        if share >= _ALIKE:
            _join(groups, shares, a, b, share)
    found: dict[int, list[str]] = defaultdict(list)
    for i, own in enumerate(sets):
        found[_root(groups, i)] += same[own]
    return tuple(Alike(tuple(sorted(keys)), shares[root]) for root, keys in sorted(found.items()) if len(keys) > 1)


def _own_shingles(text: str, references: References) -> frozenset[int]:
    return frozenset(references.without(tokenise(normalise(text).text)))


def _common(sets: Sequence[frozenset[int]]) -> Counter[tuple[int, int]]:
    """How many shingles two sets have in common, for those that have any; what everybody writes does not count."""
    owners: dict[int, list[int]] = defaultdict(list)
    for i, own in enumerate(sets):
        for shingle in own:
            owners[shingle].append(i)
    return Counter(pair for who in owners.values() if 1 < len(who) <= _COMMON for pair in combinations(who, 2))


def _join(groups: list[int], shares: list[float], a: int, b: int, share: float) -> None:
    one, other = _root(groups, a), _root(groups, b)
    groups[max(one, other)] = min(one, other)
    shares[min(one, other)] = min(shares[one], shares[other], share)


def _root(groups: list[int], i: int) -> int:
    while groups[i] != i:
        i = groups[i]
    return i


def _shingles(tokens: Sequence[Token]) -> Iterator[int]:
    texts = [token.text for token in tokens]
    for i in range(len(texts) - _SHINGLE + 1):
        yield hash(tuple(texts[i : i + _SHINGLE]))


def _parts(text: str) -> Iterator[str]:
    """The text in parts that ``normalise`` reads whole."""
    part: list[str] = []
    length = 0
    for line in text.splitlines():
        if length + len(line) > 4000:
            yield "\n".join(part)
            part, length = [], 0
        part.append(line)
        length += len(line) + 1
    yield "\n".join(part)


def _longest(covered: Sequence[bool]) -> tuple[int, int]:
    """The longest stretch [first, last) of tokens that are covered."""
    best, start = (0, 0), 0
    for i, is_covered in enumerate([*covered, False]):
        if not is_covered:
            best = max(best, (start, i), key=lambda stretch: stretch[1] - stretch[0])
            start = i + 1
    return best
