"""Suggests points for an answer, and shows which of the student's words earned them and which links are missing.

An answer earns the points of the key points whose cause and effect it joins. Terms without links earn a small
share; a wrong chain, or text that addresses the grader, earns nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gemv_grader.prose.copying import Copy, References
from gemv_grader.prose.injection import injected
from gemv_grader.prose.learned import Guess, Learned, load_learned
from gemv_grader.prose.links import Link, Page
from gemv_grader.prose.model import (
    READS_LIKE_WRONG,
    KeyPoint,
    LinkSpec,
    ProseRubric,
    QuestionSpec,
    Reasoned,
    reference_texts,
)
from gemv_grader.prose.normal import Normal, normalise
from gemv_grader.prose.own_words import says_nothing, without_what_was_asked
from gemv_grader.prose.tokens import Token, tokenise

_A_SENTENCE = 12  # words: fewer do not show what someone meant


@dataclass(frozen=True)
class Quote:
    """The student's characters [start, end) that show ``id``: a key point, misconception, boundary or trade-off."""

    id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Assessment:
    """What an answer seems worth, and why. Offsets count in the text that was assessed.

    ``likeness``: points by likeness to marked answers, None without a second reader. ``missing``: key points that
    were not found. ``copy``: how much of it repeats a reference, None if little.
    ``flags``: empty, terms_only, wrong_chain, injection, copied_reference, unfamiliar (it reasons in words the
    rubric does not know), cut (longer than what is read).
    """

    section: str
    points: float
    possible: float
    likeness: float | None = None
    evidence: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()
    misconceptions: tuple[Quote, ...] = ()
    vetoes: tuple[str, ...] = ()
    boundaries: tuple[Quote, ...] = ()
    tradeoffs: tuple[Quote, ...] = ()
    injections: tuple[Quote, ...] = ()
    copy: Copy | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """One question of a rubric, ready to assess answers by."""

    rubric: ProseRubric
    spec: QuestionSpec
    references: References
    learned: Learned | None = None


def questions(rubric: ProseRubric) -> dict[str, Question]:
    """The questions of ``rubric`` by section, with what its answers are compared with. Raises DataProblem."""
    references = References(reference_texts(rubric))
    learned = load_learned(rubric.learned_path) if rubric.second_reader is not None else None
    return {spec.section: Question(rubric, spec, references, learned) for spec in rubric.questions}


def assess(text: str, question: Question) -> Assessment:
    """Read one answer. Never raises; takes time in proportion to the first MOST_CHARACTERS."""
    return _Reading(text, question).assessment()


class _Reading:
    """One answer being read against one question."""

    def __init__(self, text: str, question: Question) -> None:
        self._text = text
        self._rubric, self._spec, self._learned = question.rubric, question.spec, question.learned
        self._whole = normalise(text)
        self._copy = question.references.copied(text, self._whole)
        self._injected = injected(self._whole)
        own = without_what_was_asked(_blanked(self._whole, self._injected), self._spec.asked)
        self._normal = own
        self._tokens: Sequence[Token] = tokenise(own.text)
        rubric = self._rubric
        self._page = Page(self._tokens, rubric.vocabulary, rubric.subjects, rubric.doubts)

    def assessment(self) -> Assessment:
        flags = ["cut"] if self._whole.cut else []
        injections = tuple(self._quote("injection", start, end) for start, end in self._injected)
        if injections:
            flags.append("injection")
        if self._copy is not None:
            flags.append("copied_reference")
        names = [point.id for point in self._spec.key_points]
        boundaries = tuple(self._named("boundaries"))
        tradeoffs = tuple(self._named("tradeoffs"))
        made = dict(self._made(boundaries, tradeoffs))
        guess = None if self._is_off_topic(made) else self._guess()
        wrong = tuple(self._wrong(guess))
        points, marks = self._points(made, guess)
        vetoes = tuple(dict.fromkeys(raises for _, raises in wrong if raises))
        if vetoes:
            points, marks = 0.0, ["wrong_chain"]
        elif not made and says_nothing(self._tokens, self._normal.text):
            points, marks = 0.0, [] if injections else ["empty"]
        return Assessment(
            section=self._spec.section,
            points=points,
            possible=self._spec.points,
            likeness=None if guess is None else guess.share * self._spec.points,
            evidence=tuple(made.values()),
            missing=tuple(name for name in names if name not in made),
            misconceptions=tuple(quote for quote, _ in wrong),
            vetoes=vetoes,
            boundaries=boundaries,
            tradeoffs=tradeoffs,
            injections=injections,
            copy=self._copy,
            flags=(*flags, *marks),
        )

    def _made(self, boundaries: Sequence[Quote], tradeoffs: Sequence[Quote]) -> Iterator[tuple[str, Quote]]:
        """The key points that the answer makes, with the words that make them."""
        found: list[tuple[KeyPoint, Quote]] = []
        for point in self._spec.key_points:
            if point.named is not None:
                quotes = boundaries if point.named == "boundaries" else tradeoffs
                quote = next((Quote(point.id, q.start, q.end, q.text) for q in quotes), None)
            else:
                quote = self._first(point.id, point.links)
            if quote is not None:
                found.append((point, quote))
        if any(not point.supporting for point, _ in found):
            yield from ((point.id, quote) for point, quote in found)

    def _points(self, made: dict[str, Quote], guess: Guess | None) -> tuple[float, list[str]]:
        """What the links are worth, together with what marked answers teach where there is a second reader."""
        points, marks = self._points_of_links(made)
        second, spec = self._rubric.second_reader, self._spec
        if self._is_off_topic(made) and len(self._tokens) >= _A_SENTENCE:
            return _nearest(points, self._rubric.step), ["unfamiliar"]  # another language, or another subject
        if guess is None or second is None:
            return _nearest(points, self._rubric.step), marks
        both = (1 - second.share) * points + second.share * guess.share * spec.points
        if guess.terms >= second.lists_terms:
            return min(self._rubric.terms_share * spec.points, _nearest(both, self._rubric.step)), ["terms_only"]
        return _nearest(both, self._rubric.step), [mark for mark in marks if mark != "terms_only"]

    def _guess(self) -> Guess | None:
        return self._learned.guess(self._normal.text, self._spec.section) if self._learned is not None else None

    def _is_off_topic(self, made: dict[str, Quote]) -> bool:
        """Whether the text has hardly a word of the topic's: that resembles everything and nothing."""
        return not made and len(self._page.matches.spotted) < self._rubric.terms_needed

    def _points_of_links(self, made: dict[str, Quote]) -> tuple[float, list[str]]:
        spec, rubric = self._spec, self._rubric
        worth: dict[str, float] = {}
        for point in spec.key_points:
            if point.id in made:
                worth[point.one_of or point.id] = max(point.points, worth.get(point.one_of or point.id, 0.0))
        earned = sum(worth.values())
        spared = self._reasoning(linked=bool(made))
        if _nearest(earned, rubric.step) < spared:
            return spared, ["unfamiliar"]
        terms = self._terms() * rubric.terms_share * spec.points
        points = max(_nearest(earned, rubric.step), math.floor(terms / rubric.step) * rubric.step)
        return min(spec.points, points), [] if made else ["terms_only"]

    def _terms(self) -> bool:
        """Whether the answer names enough of the topic's terms, and sorts them under headings."""
        labelled = {line.split(":")[0] for line in self._normal.text.split("\n") if ":" in line[:40]}
        return len(labelled) > 1 and len(self._page.matches.spotted) >= self._rubric.terms_needed

    def _reasons(self) -> set[int]:
        """The sentences that join or contrast something, whatever their words."""
        joined = {self._tokens[i].sentence for i in self._page.connectives}
        if self._rubric.contrasts is not None:
            joined |= {self._tokens[m.first].sentence for m in self._page.matches.of(self._rubric.contrasts)}
        return joined - self._page.listed

    def _reaches(self, level: Reasoned) -> bool:
        return len(self._reasons()) >= level.statements and len(self._tokens) >= level.words

    def _reasoning(self, *, linked: bool) -> float:
        """The points that an answer gets for reasoning at all, whatever its words."""
        rubric = self._rubric
        if len(self._page.matches.spotted) < rubric.terms_needed:
            return 0.0
        reached = [level.share for level in rubric.reasoned if self._reaches(level) and (linked or level.unlinked)]
        share = reached[0] if reached else 0.0
        return max(rubric.step, math.floor(share * self._spec.points / rubric.step) * rubric.step) if share else 0.0

    def _wrong(self, guess: Guess | None) -> Iterator[tuple[Quote, str | None]]:
        """Misconceptions found, unless marked answers speak against it; or the sentence that reads most like one."""
        found, second, learned = tuple(self._misconceptions()), self._rubric.second_reader, self._learned
        if guess is None or second is None or learned is None:
            yield from found
            return
        is_short = len(self._tokens) < second.short
        if found and (is_short or guess.doubt >= second.upholds):
            yield from found
        elif self._tokens and guess.doubt >= (second.suspects_short if is_short else second.suspects):
            start, end = learned.most_doubtful(self._normal.text, self._spec.section, self._sentence_spans())
            yield self._quote(READS_LIKE_WRONG, start, end), second.raises

    def _sentence_spans(self) -> list[tuple[int, int]]:
        spans: dict[int, tuple[int, int]] = {}
        for token in self._tokens:
            start, _ = spans.get(token.sentence, (token.start, 0))
            spans[token.sentence] = (start, token.end)
        return list(spans.values())

    def _misconceptions(self) -> Iterator[tuple[Quote, str | None]]:
        for wrong in self._rubric.misconceptions:
            if wrong.sections and self._spec.section not in wrong.sections:
                continue
            if wrong.together and not all(self._first(wrong.id, (link,), sure=True) for link in wrong.links):
                continue
            quote = self._first(wrong.id, wrong.links, sure=True)
            if quote is not None:
                yield quote, wrong.raises

    def _named(self, kind: str) -> Iterator[Quote]:
        for named in self._rubric.named(kind).values():
            quote = self._first(named.id, named.links)
            if quote is not None:
                yield quote

    def _first(self, name: str, links: Iterable[LinkSpec], *, sure: bool = False) -> Quote | None:
        """The shortest words that make one of ``links``; if ``sure``, outside of what is only weighed."""
        found = [
            link
            for spec in links
            for link in self._page.find(spec)
            if not (sure and self._page.doubted.intersection(self._sentences(link)))
        ]
        if not found:
            return None
        best = min(found, key=lambda link: (link.last - link.first, link.first))
        return self._quote(name, self._tokens[best.first].start, self._tokens[best.last].end)

    def _sentences(self, link: Link) -> set[int]:
        return {self._tokens[link.first].sentence, self._tokens[link.last].sentence}

    def _quote(self, name: str, start: int, end: int) -> Quote:
        first, last = self._whole.span(start, end)
        return Quote(name, first, last, self._text[first:last])


def _nearest(points: float, step: float) -> float:
    """The nearest multiple of ``step``, the higher of two as near."""
    return math.floor(points / step + 0.5 + 1e-6) * step


def _blanked(normal: Normal, stretches: Iterable[tuple[int, int]]) -> Normal:
    """The same text with ``stretches`` made blank, so that every offset stays."""
    text = normal.text
    for start, end in stretches:
        text = text[:start] + " " * (end - start) + text[end:]
    return Normal(text, normal.origin, normal.cut)
