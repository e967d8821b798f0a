"""Where a line of the program stands in the student's own file, whose layout and comments are the student's own."""

from __future__ import annotations

from collections.abc import Callable

from gemv_grader.exercise import Exercise
from gemv_grader.lock import Fill, lex
from gemv_grader.lock.scaffold import read_scaffold
from gemv_grader.submission import Submission


def lines_in_file(submission: Submission, fill: Fill, exercise: Exercise) -> Callable[[int], int]:
    """A function from lines of the program to lines of the student's file.

    The lock has shown that the tokens around the blank are the scaffold's, so they can be counted off in pairs. A
    line that begins none of them (a comment's) is taken for the fill's.
    """
    blank = exercise.blank_place
    ours = read_scaffold(exercise).tokens
    theirs = lex(submission.text)
    before = sum((token.line, token.column) < (blank.line, blank.column) for token in ours)
    after = len(ours) - before - 1
    pairs = [
        *zip(ours[:before], theirs, strict=False),
        *zip(ours[before + 1 :], theirs[len(theirs) - after :], strict=False),
    ]
    lines: dict[int, int] = {blank.line: fill.place.line}
    for our, their in pairs:
        lines.setdefault(our.line, their.line)
    return lambda line: lines.get(line, fill.place.line)
