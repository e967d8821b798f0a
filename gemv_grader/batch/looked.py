"""A trail without its program's fate, in a form that travels: what `verify` needs of a student, and nothing else does.

Exercise and rubric are left out, for they are the same in all of a class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from gemv_grader.batch.course import Part
from gemv_grader.lock import Fill, Rejection
from gemv_grader.prose import Answers
from gemv_grader.prose.claimed import Claimed
from gemv_grader.prose.reading import Reading
from gemv_grader.receipt import Receipt
from gemv_grader.submission import Submission
from gemv_grader.trail import Trail
from gemv_grader.words import Finding


@dataclass(frozen=True)
class Looked:
    """What reading, lock and review found out about one submission."""

    submission: Submission
    started_at: datetime
    locked: Fill | Rejection | None
    findings: tuple[Finding, ...]
    answers: Answers | None
    readings: Mapping[str, Reading]
    claimed: Claimed | None
    receipt: Receipt | None
    receipt_damaged: bool
    seconds: float


def to_json(trail: Trail, *, with_text: bool) -> bytes:
    """The trail of a submission whose program has yet to be built. A run on the CPU finds places in its text."""
    looked = Looked(
        submission=trail.submission if with_text else replace(trail.submission, text=""),
        started_at=trail.started_at,
        locked=trail.locked,
        findings=trail.findings,
        answers=trail.answers,
        readings=trail.readings,
        claimed=trail.claimed,
        receipt=trail.receipt,
        receipt_damaged=trail.receipt_damaged,
        seconds=trail.seconds,
    )
    return _adapter().dump_json(looked)


def from_json(data: bytes, part: Part, *, gpu_at_hand: bool) -> Trail | None:
    """The trail that `to_json` wrote, with its exercise and rubric; None for anything else."""
    try:
        looked = _adapter().validate_json(data)
    except ValidationError:
        return None
    return Trail(
        submission=looked.submission,
        exercise=part.exercise,
        rubric=part.rubric,
        started_at=looked.started_at,
        gpu_at_hand=gpu_at_hand,
        locked=looked.locked,
        findings=looked.findings,
        answers=looked.answers,
        readings=looked.readings,
        claimed=looked.claimed,
        receipt=looked.receipt,
        receipt_damaged=looked.receipt_damaged,
        seconds=looked.seconds,
    )


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Looked]:
    return TypeAdapter(Looked)
