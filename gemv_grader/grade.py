"""The grade: verdict, reasons and points of one submission, with the trail they rest on."""

from __future__ import annotations

from dataclasses import dataclass

from gemv_grader.scoring import Score, score
from gemv_grader.trail import Trail
from gemv_grader.verdict import decide
from gemv_grader.words import Text, Verdict


@dataclass(frozen=True)
class Grade:
    """The result of grading one submission."""

    verdict: Verdict
    reasons: tuple[Text, ...]
    score: Score
    trail: Trail

    @property
    def exit_code(self) -> int:
        """Exit code of `submit`: 0 nothing found wrong, 1 something is wrong, 3 rejected, 5 grader fault."""
        return _EXIT_CODES[self.verdict]


_EXIT_CODES = {
    Verdict.CORRECT: 0,
    Verdict.UNVERIFIED: 0,
    Verdict.WRONG: 1,
    Verdict.CRASHED: 1,
    Verdict.COMPILE_ERROR: 1,
    Verdict.NOT_ATTEMPTED: 1,
    Verdict.REJECTED: 3,
    Verdict.GRADER_FAULT: 5,
}


def grade(trail: Trail) -> Grade:
    """Judge a finished trail."""
    verdict, reasons = decide(trail)
    return Grade(verdict, reasons, score(trail, verdict), trail)
