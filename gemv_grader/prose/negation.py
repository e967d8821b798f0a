"""Which stretches of a text are denied: ``不是合并访存``, ``cannot be merged``, ``rather than compute bound``.

A negator denies what follows it within a few words of its clause, and, where it is one that stands behind the
verb (``合并不了``), what ends just before it. Words that merely look like negators (``不同``, ``not only``) do not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gemv_grader.prose.phrases import Words
from gemv_grader.prose.tokens import Token, stem

# How many words a negator reaches: a Chinese one stands closer to its verb.
_REACH_HAN, _REACH_LATIN, _REACH_BACK = 7, 6, 1

_NEGATORS = (
    "不 没 没有 无 无法 未 未能 别 勿 并非 非 而不是 而非 不是 不能 不会 不再 没法 没办法 难以 谈不上 算不上 "
    "not no never cannot can't cant won't wont isn't isnt aren't arent wasn't don't dont doesn't doesnt didn't didnt "
    "without nothing none neither nor hardly barely unable rather_than instead_of no_longer fails_to"
)
_BEHIND = "不了 不起来 不上 不成 不到 不出来 没了 不成立 不存在"
_NO_NEGATORS = (
    "不同 不仅 不但 不断 不过 不只 不光 不管 不论 不等 不少 不久 不妨 不得不 不错 不一定 不然 不足 不重 不漏 差不多 "
    "不止 不必说 无论 无非 非常 除非 是否 有没有 会不会 是不是 能不能 要不 要不是 不对齐 非对齐 "
    "not_only not_just no_matter not_to_mention nothing_but nothing_more_than not_necessarily no_wonder"
)
# A new thought begins: what was denied before it is not denied after it.
_TURNS = "而是 但是 但 因为 所以 因此 于是 导致 从而 就 才 but because so therefore hence → since"


def _words(text: str) -> tuple[Words, ...]:
    return tuple(
        tuple(stem(part) for part in word.split("_")) if word.isascii() else tuple(word) for word in text.split()
    )


_BY_LENGTH = sorted(
    [(words, kind) for kind, text in (("before", _NEGATORS), ("behind", _BEHIND), ("", _NO_NEGATORS), ("turn", _TURNS))
     for words in _words(text)],
    key=lambda entry: -len(entry[0]),
)  # fmt: skip


@dataclass(frozen=True)
class _Negator:
    first: int
    last: int
    behind: bool


@dataclass(frozen=True)
class Denials:
    """The negators of one text."""

    tokens: Sequence[Token]

    @cached_property
    def _marks(self) -> tuple[tuple[_Negator, ...], frozenset[int]]:
        """The negators, longest reading first, and the tokens at which a new thought begins."""
        by_first: dict[str, list[tuple[Words, str]]] = {}
        for words, kind in _BY_LENGTH:
            by_first.setdefault(words[0], []).append((words, kind))
        texts = [token.text for token in self.tokens]
        negators, turns = [], set()
        i = 0
        while i < len(texts):
            for words, kind in by_first.get(texts[i], ()):
                n = len(words)
                if tuple(texts[i : i + n]) == words:
                    if kind == "turn":
                        turns.add(i)
                    elif kind:
                        negators.append(_Negator(i, i + n - 1, kind == "behind"))
                    i += n - 1
                    break
            i += 1
        return tuple(negators), frozenset(turns)

    @cached_property
    def _starts(self) -> Sequence[int]:
        return [negator.first for negator in self._marks[0]]

    @cached_property
    def _at(self) -> dict[int, _Negator]:
        return {index: negator for negator in self._marks[0] for index in range(negator.first, negator.last + 1)}

    def deny(self, first: int, last: int, words: frozenset[int]) -> bool:
        """Whether tokens [first, last] are denied; a negator all in ``words`` belongs to the phrasing."""
        if not self._close_by(first, last):
            return False
        return any(
            negator is not None and not words.issuperset(range(negator.first, negator.last + 1))
            for negator in self._candidates(first, last)
        )

    def _close_by(self, first: int, last: int) -> bool:
        """Whether any negator stands near enough to be looked at."""
        i = bisect_left(self._starts, first - _REACH_HAN - 1)
        return i < len(self._starts) and self._starts[i] <= last + 2

    def _candidates(self, first: int, last: int) -> Iterable[_Negator | None]:
        for index in range(first, last + 1):
            yield self._at.get(index)
        for index in range(last + 1, min(last + 2 + _REACH_BACK, len(self.tokens))):
            negator = self._at.get(index)
            if negator and negator.behind and self.tokens[index].clause == self.tokens[last].clause:
                yield negator
        head = self.tokens[first]
        index = first - 1
        while index >= 0 and self.tokens[index].clause == head.clause and index not in self._marks[1]:
            negator = self._at.get(index)
            reach = _REACH_HAN if self.tokens[index].text >= "\u3400" else _REACH_LATIN
            if head.at - self.tokens[index].at > reach:
                break
            if negator and not negator.behind:
                yield negator
            index -= 1
