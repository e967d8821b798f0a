"""Everything the stages found out about one submission: the only thing a verdict and points may rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gemv_grader.build.binary import Binary
from gemv_grader.exercise import Exercise
from gemv_grader.lock import Fill, Rejection
from gemv_grader.outcome import Outcome
from gemv_grader.prose import Answers
from gemv_grader.prose.reading import Reading
from gemv_grader.rubric import Rubric
from gemv_grader.run.outputs import Outputs
from gemv_grader.submission import Submission
from gemv_grader.words import Evidence, Finding, Severity, Text

if TYPE_CHECKING:
    from gemv_grader.prose.claimed import Claimed
    from gemv_grader.receipt import Receipt


@dataclass(frozen=True)
class Trail:
    """What each stage handed on; None or empty where the pipeline did not get that far.

    ``gpu_at_hand`` says whether a GPU could have been used: without one, results wait for verification.
    ``fault`` is our own or the machine's failure, whichever stage it happened in. ``claimed`` is what the answers say
    of runs, ``receipt`` what was handed in to support it (None and ``receipt_damaged`` where it cannot be read).
    """

    submission: Submission
    exercise: Exercise
    rubric: Rubric
    started_at: datetime
    gpu_at_hand: bool
    locked: Fill | Rejection | None = None
    findings: tuple[Finding, ...] = ()
    binary: Binary | None = None
    outputs: Outputs | None = None
    outcomes: tuple[Outcome, ...] = ()
    answers: Answers | None = None
    readings: Mapping[str, Reading] = field(default_factory=dict)
    claimed: Claimed | None = None
    receipt: Receipt | None = None
    receipt_damaged: bool = False
    fault: Text | None = None
    unbuilt: Text | None = None
    seed: int | None = None
    environment: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def fill(self) -> Fill | None:
        """The fill, also of a rejected submission where the lock could tell it."""
        return self.locked.fill if isinstance(self.locked, Rejection) else self.locked

    @property
    def evidence(self) -> Evidence:
        """The strongest thing that was done with the program."""
        if self.outcomes:
            return self.outcomes[0].evidence
        return Evidence.COMPILED if self.binary is not None else Evidence.STATIC

    @property
    def static_review_only(self) -> bool:
        """Whether nothing ran on a GPU for want of one, or of a compiler for it."""
        return self.evidence is not Evidence.GPU and (not self.gpu_at_hand or self.unbuilt is not None)

    def errors(self) -> tuple[Finding, ...]:
        """The findings that decide a verdict."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR)
