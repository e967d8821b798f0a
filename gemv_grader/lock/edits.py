"""Where a file departs from the scaffold: the smallest edits that lead from one to the other, blank aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from gemv_grader.lock.lexer import Token
from gemv_grader.lock.scaffold import ProtectedTokens, Scaffold, Spelling, spellings

_STATEMENT_ENDS = frozenset(";{}")
# Above this product of lengths the difference is not worked out: the two have little in common.
_MAX_WORK = 4_000_000
# A part of the scaffold with fewer tokens, such as `; }`, may come again in any fill: it is no second program.
_MIN_COPY = 8

_T = TypeVar("_T")


@dataclass(frozen=True)
class Edit:
    """The tokens ``old`` of the scaffold became the tokens ``new`` of the file; either may be empty."""

    old: range
    new: range


def edits(scaffold: Scaffold, tokens: Sequence[Token]) -> tuple[Edit, ...]:
    """The edits outside the blank, in order."""
    found = (_at_statements(edit, scaffold.tokens, tokens) for edit in _difference(scaffold, tokens))
    return tuple(edit for edit in found if not _is_fill(edit, scaffold.blank))


def touches(edit: Edit, protected: ProtectedTokens, scaffold: Scaffold, tokens: Sequence[Token]) -> bool:
    """Whether an edit changes the protected tokens, puts something among them or takes control over them.

    Losing the end of the file touches nothing: such a file is broken, not tampered with.
    """
    if edit.old.stop == len(scaffold.tokens) and edit.new.stop == len(tokens) and len(edit.new) <= 1:
        return False
    guarded = protected.tokens
    inside = edit.old.start < guarded.stop and guarded.start < edit.old.stop  # of an insertion too
    put_before = tokens[edit.new.start : edit.new.stop] if edit.old.stop == guarded.start else ()
    return inside or _governs(put_before)


def ends_early(scaffold: Scaffold, tokens: Sequence[Token]) -> bool:
    """Whether the file is the scaffold, filled in or not, up to some place where it just ends."""
    if len(tokens) <= scaffold.blank:
        return _is_beginning(tokens, scaffold.tokens)
    if not _is_beginning(tokens[: scaffold.blank], scaffold.tokens):
        return False
    rest = tokens[scaffold.blank :]
    fill_end = next((i for i, token in enumerate(rest) if token.text in _STATEMENT_ENDS), len(rest))
    return _is_beginning(rest[fill_end:], scaffold.after)


def second_copy(scaffold: Scaffold, tokens: Sequence[Token]) -> Token | None:
    """Where the part before the blank, or else the part after it, begins once more often than in the scaffold."""
    given = spellings(tokens)
    for part_of in (scaffold.before, scaffold.after):
        if len(part_of) < _MIN_COPY:
            continue
        part, own = _repeated(part_of, scaffold.tokens)
        if (start := next(islice(_occurrences(part, given), own, None), None)) is not None:
            return tokens[start]
    return None


@lru_cache(maxsize=32)
def _repeated(part: tuple[Token, ...], whole: tuple[Token, ...]) -> tuple[Sequence[Spelling], int]:
    """The spellings of a part of the scaffold, and how often the scaffold itself has them."""
    return spellings(part), sum(1 for _ in _occurrences(spellings(part), spellings(whole)))


def _difference(scaffold: Scaffold, tokens: Sequence[Token]) -> list[Edit]:
    old, new = spellings(scaffold.tokens), spellings(tokens)
    first = common(old, new)
    last = common(old[first:][::-1], new[first:][::-1])
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) * len(new) > _MAX_WORK:
        return [Edit(range(first, first + len(old)), range(first, first + len(new)))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        Edit(range(first + i1, first + i2), range(first + j1, first + j2))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _is_fill(edit: Edit, blank: int) -> bool:
    return blank <= edit.old.start and edit.old.stop <= blank + 1


def _at_statements(edit: Edit, old: Sequence[Token], new: Sequence[Token]) -> Edit:
    """The same insertion or deletion, shifted to the end or to a statement's beginning if there is a choice.

    Of ``a; [b; ]c;`` and ``a[; b]; c;``, which leave the same text, people mean the first.
    """
    if bool(edit.old) == bool(edit.new):
        return edit
    run, side = (edit.new, new) if edit.new else (edit.old, old)
    left = 0
    while _same(side, run.start - left - 1, run.stop - left - 1):
        left += 1
    right = 0
    while _same(side, run.start + right, run.stop + right):
        right += 1
    if run.stop + right == len(side):
        return _shifted(edit, right)
    for shift in sorted(range(-left, right + 1), key=abs):
        start = run.start + shift
        if start == 0 or side[start - 1].text in _STATEMENT_ENDS or side[start - 1].kind == "directive":
            return _shifted(edit, shift)
    return edit


def _same(tokens: Sequence[Token], one: int, other: int) -> bool:
    return one >= 0 and other < len(tokens) and tokens[one][:2] == tokens[other][:2]


def _shifted(edit: Edit, by: int) -> Edit:
    old, new = edit.old, edit.new
    return Edit(range(old.start + by, old.stop + by), range(new.start + by, new.stop + by))


def _governs(inserted: Sequence[Token]) -> bool:
    """Whether tokens change when or whether the statement after them runs, as ``if (0)`` and ``#if 0`` do."""
    if not inserted:
        return False
    texts = [token.text for token in inserted]
    complete = texts[-1] in (";", "}") and texts.count("{") == texts.count("}")
    return not complete or any(token.kind == "directive" for token in inserted)


def _is_beginning(part: Sequence[Token], whole: Sequence[Token]) -> bool:
    """Whether ``part`` begins ``whole``; its last token may be cut short."""
    if len(part) > len(whole) or not part:
        return not part
    *most, last = part
    return spellings(most) == spellings(whole[: len(most)]) and whole[len(most)].text.startswith(last.text)


def common(one: Sequence[_T], other: Sequence[_T]) -> int:
    """How many items two sequences share at their beginning."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _occurrences(part: Sequence[_T], whole: Sequence[_T]) -> Iterator[int]:
    """Where the occurrences of ``part``, which is not empty, begin, not counting overlaps."""
    position = 0
    while position + len(part) <= len(whole):
        if whole[position] == part[0] and whole[position : position + len(part)] == part:
            yield position
            position += len(part)
        else:
            position += 1
