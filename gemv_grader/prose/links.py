"""Finds cause and effect standing together: in one sentence, or joined across two by a connective.

Words in an enumeration stand beside each other without saying anything about each other, so there only an arrow
or a connective between them makes a link.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gemv_grader.prose.listing import listed_sentences
from gemv_grader.prose.matching import Match, Matches, Vocabulary
from gemv_grader.prose.model import LinkSpec
from gemv_grader.prose.negation import Denials
from gemv_grader.prose.tokens import Token, stems

# Words between cause and effect: in plain succession, and where a connective joins them.
_PLAIN, _JOINED = 26, 48
_AROUND = 60

_CONNECTIVES = stems(
    "because since so therefore hence thus then which that means meaning why otherwise else unless "
    "when if once until as due thanks consequently → makes lets causes"
)
_CONNECTIVES_HAN = stems(
    "因为 由于 所以 因此 因而 于是 导致 使得 使 从而 进而 以致 结果 这样 这就 就 才 便 否则 不然 要不 只要 只有 既然 "
    "如果 若 要是 的话 意味 说明 可见 为了 免得 以免 避免 防止 一旦 故 令 让 造成 带来 换来 靠"
)
_HAN_BY_FIRST = {word[0]: tuple(w for w in _CONNECTIVES_HAN if w[0] == word[0]) for word in _CONNECTIVES_HAN}


@dataclass(frozen=True)
class Link:
    """A link found: the tokens [first, last] that hold cause and effect."""

    first: int
    last: int


@dataclass(frozen=True)
class Page:
    """One answer as the links see it: tokens, concepts, connectives, and what each stretch is about."""

    tokens: Sequence[Token]
    vocabulary: Vocabulary
    subjects: tuple[str, ...] = ()
    doubts: str | None = None
    matches: Matches = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "matches", Matches(self.vocabulary, self.tokens, Denials(self.tokens)))

    @cached_property
    def connectives(self) -> Sequence[int]:
        """The tokens at which a connective stands, in order."""
        texts = [token.text for token in self.tokens]
        found = []
        for i, text in enumerate(texts):
            if text in _CONNECTIVES or any(
                "".join(texts[i : i + len(word)]) == word for word in _HAN_BY_FIRST.get(text, ())
            ):
                found.append(i)
        return found

    @cached_property
    def listed(self) -> frozenset[int]:
        """The sentences that are enumerations."""
        return listed_sentences(self.tokens)

    @cached_property
    def doubted(self) -> frozenset[int]:
        """The sentences that weigh what others may think or what would be if things were different."""
        if self.doubts is None:
            return frozenset()
        return frozenset(self.tokens[m.first].sentence for m in self.matches.of(self.doubts))

    @cached_property
    def _subject_marks(self) -> Sequence[tuple[int, str]]:
        marks = [(m.first, name) for name in self.subjects for m in self.matches.of(name)]
        return sorted(marks)

    def subject_at(self, index: int) -> str | None:
        """What the text around token ``index`` is about: the subject named last, or None."""
        position = bisect_left(self._subject_marks, (index + 1, ""))
        return self._subject_marks[position - 1][1] if position else None

    def find(self, link: LinkSpec) -> Iterator[Link]:
        """Where ``link`` is made."""
        causes = self._matches(link.cause)
        effects = self._matches(link.effect) if causes and link.effect else ()
        pairs: Iterable[tuple[Match, Match]] = (
            ((cause, cause) for cause in causes) if not link.effect else self._pairs(causes, effects, link.within)
        )
        for cause, effect in pairs:
            first, last = min(cause.first, effect.first), max(cause.last, effect.last)
            if (link.effect or self.tokens[first].sentence not in self.listed) and self._fits(link, first, last):
                yield Link(first, last)

    def _matches(self, names: Iterable[str]) -> Sequence[Match]:
        found = [places for name in names if (places := self.matches.of(name))]
        if len(found) < 2:
            return found[0] if found else ()
        return sorted((match for places in found for match in places), key=lambda match: (match.first, match.last))

    def _pairs(self, causes: Sequence[Match], effects: Sequence[Match], within: str) -> Iterator[tuple[Match, Match]]:
        starts = [effect.first for effect in effects]
        for cause in causes:
            i = bisect_left(starts, cause.first)
            around = range(max(0, i - 3), min(len(effects), i + 4))
            near = [effects[j] for j in around if not effects[j].words <= cause.words]
            joined = [effect for effect in near if within == "answer" or self._joined(cause, effect, within)]
            if joined:
                yield cause, min(joined, key=lambda effect: self._distance(cause, effect))

    def _distance(self, one: Match, other: Match) -> int:
        first, second = (one, other) if one.first <= other.first else (other, one)
        return max(0, self.tokens[second.first].at - self.tokens[first.last].at - 1)

    def _joined(self, cause: Match, effect: Match, within: str) -> bool:
        distance = self._distance(cause, effect)
        first, last = min(cause.first, effect.first), max(cause.last, effect.last)
        sentences = {self.tokens[first].sentence, self.tokens[last].sentence}
        if distance > _JOINED or (within == "sentence" and len(sentences) > 1):
            return False
        if self._connective_in(first, last):
            return True
        return distance <= _PLAIN and not sentences & self.listed

    def _connective_in(self, first: int, last: int) -> bool:
        i = bisect_left(self.connectives, first)
        return i < len(self.connectives) and self.connectives[i] <= last

    def _fits(self, link: LinkSpec, first: int, last: int) -> bool:
        if link.subject is not None:
            wanted = link.subject.removeprefix("not ")
            if (self.subject_at(last) == wanted) is (wanted != link.subject):
                return False
        sentences = {self.tokens[first].sentence, self.tokens[last].sentence}
        if any(self.tokens[match.first].sentence in sentences for match in self._matches(link.unless)):
            return False
        return not link.about or any(
            self._distance(match, Match(first, last, frozenset())) <= _AROUND for match in self._matches(link.about)
        )
