"""What of an answer is the student's own: not the question, not a quotation, not a remark that nothing is here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from gemv_grader.prose.normal import Normal, normalise
from gemv_grader.prose.tokens import Token

_QUOTED = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_NOTHING = re.compile(
    r"先空着|空着|来不及|没时间|还没(?:看|写|做|想)|没(?:写|做|时间|看到|来得及|想好)|不会(?:写|做)?|不知道|不懂|没想出|待补|略"
    r"|\btodo\b|\btbd\b|ran out of time|no time|(?:don'?t|do not) know|no idea|not (?:done|answered)|left (?:it )?blank"
    r"|didn'?t (?:get|have)|skip|\bn/?a\b|\bpass\b|will (?:finish|do) (?:it )?later|^\W*(?:无|没有|none|idk)\W*$"
)
# A remark that there is no answer is short.
_LONGEST_REMARK = 45
_SHINGLE = 5
_LONG_PIECE = re.compile(r"[^\s,.;:!?、。]{4,}")
_REPEATED = 40
# The same few words over and over without anything between them; bounded, so that it takes linear time.
_LOOP, _TURNS = re.compile(r"(.{2,60}?)\1{9,}"), 3


def without_what_was_asked(normal: Normal, asked: Iterable[str]) -> Normal:
    """The text with quoted lines, endless repetitions and the question itself made blank; offsets stay."""
    text = _QUOTED.sub(lambda match: " " * len(match[0]), _without_repetitions(normal.text))
    questions = [_letters_of(question) for question in asked]
    lines = [" " * len(line) if _repeats(line, questions) else line for line in text.split("\n")]
    return Normal("\n".join(lines), normal.origin, normal.cut)


def _without_repetitions(text: str) -> str:
    """``text`` with a piece between blanks or marks kept only the first _REPEATED times: no one reads on."""
    seen: Counter[str] = Counter()

    def kept(match: re.Match[str]) -> str:
        seen[match[0]] += 1
        return match[0] if seen[match[0]] <= _REPEATED else " " * len(match[0])

    return _LONG_PIECE.sub(kept, _LOOP.sub(lambda loop: (loop[1] * _TURNS).ljust(len(loop[0])), text))


def _repeats(line: str, questions: Sequence[str]) -> bool:
    """Whether nearly all of ``line`` stands in one of the questions."""
    letters = _letters(line)
    if len(letters) < _SHINGLE + 3:
        return False
    pieces = {letters[i : i + _SHINGLE] for i in range(len(letters) - _SHINGLE + 1)}
    return any(sum(piece in question for piece in pieces) >= 0.85 * len(pieces) for question in questions)


@cache
def _letters_of(question: str) -> str:
    return _letters(normalise(question).text)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def says_nothing(tokens: Sequence[Token], text: str) -> bool:
    """Whether the answer is blank or only remarks that it is."""
    if len(tokens) < 2:
        return True
    return len(tokens) <= _LONGEST_REMARK and len(text) < 3 * _LONGEST_REMARK and _NOTHING.search(text) is not None
