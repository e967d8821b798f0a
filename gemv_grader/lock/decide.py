"""The lock: from a submission to its fill, or to the reasons why it is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from gemv_grader.lock.containment import contain, hidden_characters
from gemv_grader.lock.edits import second_copy
from gemv_grader.lock.exact import first_difference
from gemv_grader.lock.lexer import Token, lex
from gemv_grader.lock.lookalikes import lookalikes, meant
from gemv_grader.lock.mismatch import refuse
from gemv_grader.lock.result import Fill, Rejection
from gemv_grader.lock.scaffold import Scaffold, read_scaffold, resemblance, spellings
from gemv_grader.words import Place, Text

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.submission import Submission

Policy = Literal["tokens", "exact"]


def lock(submission: Submission, exercise: Exercise, policy: Policy = "tokens") -> Fill | Rejection:
    """Take the fill out of a submission, if nothing but the blank was changed and the fill stays in it.

    Under the policy ``tokens`` comments and layout may change too; under ``exact`` nothing may but line ends.
    What a submission holds never raises.
    """
    if submission.refusal is not None:
        return Rejection((submission.refusal,))
    scaffold, text = read_scaffold(exercise), submission.text
    tokens = lex(text)
    if copy := second_copy(scaffold, tokens):
        return Rejection((TWO_PROGRAMS.format(line=copy.line),))
    end = _end_of_fill(scaffold, tokens)
    if end is None:
        return refuse(scaffold, tokens, text, exercise.title)
    if policy == "exact" and (difference := first_difference(scaffold, text)):
        return Rejection((difference,))
    return _judge(text, tokens, range(scaffold.blank, end), exercise, scaffold)


def identify(submission: Submission, exercises: Sequence[Exercise]) -> Exercise:
    """The exercise that a submission resembles most; of equals the first. There must be at least one."""
    tokens = lex(submission.text)
    return max(exercises, key=lambda exercise: resemblance(tokens, read_scaffold(exercise).tokens))


def _end_of_fill(scaffold: Scaffold, tokens: Sequence[Token]) -> int | None:
    """Where the tokens after the blank begin in a file that has all of the scaffold's; None if it has not.

    The token that closes the blank may be a look-alike: students type it with their expression, and a
    full-width semicolon there is a typing error rather than an edit.
    """
    blank, after = scaffold.blank, spellings(scaffold.after)
    end = len(tokens) - len(after)
    if end < blank or spellings(tokens[:blank]) != spellings(scaffold.before):
        return None
    closing = spellings(tokens[end:])
    if closing[1:] == after[1:] and (closing == after or meant(closing[0][1]) == after[0][1]):
        return end
    return None


def _judge(
    text: str, tokens: Sequence[Token], indices: range, exercise: Exercise, scaffold: Scaffold
) -> Fill | Rejection:
    inside = tuple(tokens[indices.start : indices.stop])
    start = tokens[indices.start - 1].end if indices.start else 0
    closing = tokens[indices.stop : indices.stop + 1]
    stop = closing[0].start if closing else len(text)
    end = closing[0].place if closing else _end_of(text)
    fill = Fill(
        text=" ".join(token.text for token in inside),
        tokens=inside,
        source=text[start:stop].strip(),
        place=inside[0].place if inside else end,
        end=end,
        attempted=bool(inside) and [token.text for token in inside] != [exercise.blank.marker],
    )
    if not fill.attempted:
        return fill
    reasons, findings = contain(fill, exercise, scaffold)
    reasons = hidden_characters(text, start, stop) + reasons
    findings = (*lookalikes(closing), *findings)
    return Rejection(reasons, findings, fill=fill) if reasons else replace(fill, findings=findings)


def _end_of(text: str) -> Place:
    return Place(text.count("\n") + 1, len(text) - text.rfind("\n"))


TWO_PROGRAMS = Text(
    zh="文件里有两份程序：从第 {line} 行起，骨架的代码又出现了一遍，不知道该评哪一份。请只留填好空的那一份。",
    en="The file holds the program twice: the scaffold's code comes again from line {line} on, so it is unclear "
    "which one to grade. Keep only the one with the blank filled in.",
)
