"""Finds a rubric's concepts in a text's tokens, affirmed or denied.

Literal words are found once, by hash of how they begin; concepts are put together from them when asked for.
Every step looks only a bounded number of words ahead, so time grows with the text and not faster.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gemv_grader.prose.negation import Denials
from gemv_grader.prose.phrases import FAR, Part, Phrase, Reference, Words
from gemv_grader.prose.tokens import Token


@dataclass(frozen=True)
class Match:
    """Tokens [first, last] in which a concept was found; ``words`` are the tokens that its phrasing names."""

    first: int
    last: int
    words: frozenset[int]
    denied: bool = False


class Phrasings:
    """Alternative phrasings, those that are one literal apart from those that are put together."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        parts = [phrase.parts for phrase in phrases]
        self.literal = frozenset(p[0] for p in parts if len(p) == 1 and not isinstance(p[0], Reference))
        self._composed = tuple(p for p in phrases if len(p.parts) > 1 or p.references)
        composed = (part for phrase in self._composed for part in phrase.parts)
        self.literals = self.literal | frozenset(part for part in composed if not isinstance(part, Reference))
        self.references = frozenset(name for phrase in self._composed for name in phrase.references)
        self._anchored: dict[Words, list[int]] = {}
        self._unanchored: list[int] = []
        for number, phrase in enumerate(self._composed):
            anchor = next((part for part in phrase.parts if not isinstance(part, Reference)), None)
            (self._unanchored if anchor is None else self._anchored.setdefault(anchor, [])).append(number)
        self._anchors = frozenset(self._anchored)

    def composed(self, spotted: frozenset[Words]) -> list[Phrase]:
        """Those put together that may stand in a text with these literals, in order: few of very many."""
        numbers = [number for anchor in self._anchors & spotted for number in self._anchored[anchor]]
        return [self._composed[number] for number in sorted(numbers + self._unanchored)]


@dataclass(frozen=True)
class Concept:
    """Phrasings of one notion; ``unless`` are phrasings that, when they touch a match, make it mean another."""

    says: Phrasings
    unless: Phrasings


@dataclass(frozen=True)
class Vocabulary:
    """All concepts of a rubric, with their literal words sorted by how they begin."""

    concepts: Mapping[str, Concept]

    @cached_property
    def named_by(self) -> Mapping[Words, frozenset[str]]:
        """The concepts that a literal may be part of, directly or through concepts that they refer to."""
        users: dict[str, set[str]] = {}
        for name, concept in self.concepts.items():
            for referred in concept.says.references:
                users.setdefault(referred, set()).add(name)
        named: dict[Words, set[str]] = {}
        for name, concept in self.concepts.items():
            reached, new = {name}, [name]
            while new:
                further = users.get(new.pop(), set()) - reached
                reached |= further
                new += further
            for words in concept.says.literals:
                named.setdefault(words, set()).update(reached)
        return {words: frozenset(names) for words, names in named.items()}

    @cached_property
    def literals(self) -> Mapping[Words, tuple[Words, ...]]:
        """Every literal of any phrasing, by its first two tokens (or its only one)."""
        sorted_: dict[Words, dict[Words, None]] = {}
        for concept in self.concepts.values():
            for words in concept.says.literals | concept.unless.literals:
                sorted_.setdefault(words[:2], {})[words] = None
        return {first: tuple(words) for first, words in sorted_.items()}

    @cached_property
    def openings(self) -> frozenset[str]:
        """The tokens that literals begin with: most of a text's begin none."""
        return frozenset(first[0] for first in self.literals if first)


@dataclass(frozen=True)
class Matches:
    """The concepts of one text, found on demand."""

    vocabulary: Vocabulary
    tokens: Sequence[Token]
    denials: Denials
    _found: dict[str, tuple[Match, ...]] = field(default_factory=dict)
    _asked: dict[str, tuple[Match, ...]] = field(default_factory=dict)

    @cached_property
    def _spots(self) -> Mapping[Words, Sequence[Match]]:
        """Where each literal stands."""
        spots: dict[Words, list[Match]] = {}
        texts = tuple(token.text for token in self.tokens)
        literals, openings = self.vocabulary.literals, self.vocabulary.openings
        for i, text in enumerate(texts):
            if text not in openings:
                continue
            for first in (texts[i : i + 1], texts[i : i + 2]):
                for words in literals.get(first, ()):
                    n = len(words)
                    if texts[i : i + n] == words:
                        spots.setdefault(words, []).append(Match(i, i + n - 1, frozenset(range(i, i + n))))
        return {words: tuple({match.first: match for match in found}.values()) for words, found in spots.items()}

    @cached_property
    def spotted(self) -> frozenset[Words]:
        """The different literals that stand in the text."""
        return frozenset(self._spots)

    @cached_property
    def _possible(self) -> frozenset[str]:
        """The concepts of which any word stands in the text: most do not."""
        return frozenset().union(*(self.vocabulary.named_by.get(words, ()) for words in self.spotted))

    def of(self, name: str) -> tuple[Match, ...]:
        """Where the concept ``name`` occurs, in order; ``not name`` for where it is denied."""
        if name not in self._asked:
            plain = name.removeprefix("not ")
            self._asked[name] = tuple(match for match in self._all(plain) if match.denied is (plain != name))
        return self._asked[name]

    def _all(self, name: str) -> tuple[Match, ...]:
        if name not in self._found:
            self._found[name] = ()  # a concept that refers to itself finds nothing there
            if name not in self._possible:
                return ()
            concept = self.vocabulary.concepts[name]
            found = self._any_of(concept.says)
            if found and concept.unless.literals:
                other = self._any_of(concept.unless)
                found = [m for m in found if not any(o.first <= m.last and m.first <= o.last for o in other)]
            self._found[name] = tuple(
                Match(m.first, m.last, m.words, self.denials.deny(m.first, m.last, m.words)) for m in found
            )
        return self._found[name]

    def _any_of(self, phrasings: Phrasings) -> list[Match]:
        found: dict[tuple[int, int], Match] = {}
        for words in phrasings.literal & self.spotted:
            for match in self._spots[words]:
                found.setdefault((match.first, match.last), match)
        for phrase in phrasings.composed(self.spotted):
            for match in self._phrase(phrase):
                found.setdefault((match.first, match.last), match)
        return [found[place] for place in sorted(found)]

    def _phrase(self, phrase: Phrase) -> Iterable[Match]:
        places = [self._part(part) for part in phrase.parts]
        if not all(places):
            return ()
        if len(places) == 1:
            return places[0]
        return self._anywhere(places) if phrase.anywhere else self._in_order(places, phrase.gaps)

    def _part(self, part: Part) -> Sequence[Match]:
        return self._all(part.name) if isinstance(part, Reference) else self._spots.get(part, ())

    def _in_order(self, places: Sequence[Sequence[Match]], gaps: Sequence[int]) -> list[Match]:
        """Each match of the first part with the nearest following match of every further part."""
        starts = [[match.first for match in part] for part in places]
        found = []
        for head in places[0]:
            words, last = head.words, head.last
            for part, firsts, gap in zip(places[1:], starts[1:], gaps[1:], strict=True):
                i = bisect_right(firsts, last)
                if i == len(part) or not self._near(last, firsts[i], gap):
                    break
                words, last = words | part[i].words, part[i].last
            else:
                found.append(Match(head.first, last, words))
        return found

    def _anywhere(self, places: Sequence[Sequence[Match]]) -> list[Match]:
        """Each match of the first part with the nearest match of every other part, before or after."""
        starts = [[match.first for match in part] for part in places]
        found = []
        for head in places[0]:
            chosen = [head]
            for part, firsts in zip(places[1:], starts[1:], strict=True):
                i = bisect_left(firsts, head.first)
                around = [part[j] for j in (i - 1, i, i + 1) if 0 <= j < len(part) and not part[j].words & head.words]
                near = [m for m in around if self._near(min(m.last, head.last), max(m.first, head.first), FAR)]
                if not near:
                    break
                chosen.append(min(near, key=lambda m: abs(m.first - head.first)))
            else:
                first, last = min(m.first for m in chosen), max(m.last for m in chosen)
                found.append(Match(first, last, frozenset().union(*(m.words for m in chosen))))
        return found

    def _near(self, last: int, first: int, gap: int) -> bool:
        """Whether at most ``gap`` words lie between two tokens of one sentence."""
        before, after = self.tokens[last], self.tokens[first]
        return before.sentence == after.sentence and after.at - before.at - 1 <= gap
