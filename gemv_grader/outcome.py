"""The judgement of a case, as values: what `check` decides and everything after it reads."""

from __future__ import annotations

from dataclasses import dataclass

from gemv_grader.words import CaseStatus, Evidence, Text


@dataclass(frozen=True)
class Example:
    """The first wrong element of a failed case. ``expected`` is None where nothing was to be written."""

    element: str
    expected: float | None
    computed: float | None


@dataclass(frozen=True)
class Outcome:
    """The judgement of one case.

    ``elements`` counts the floats of its data; ``worst`` is the largest error in units of 2^-24 of the summed
    magnitudes.
    """

    id: str
    group: str
    status: CaseStatus
    evidence: Evidence
    shape: str
    elements: int
    detail: Text
    example: Example | None = None
    worst: float | None = None
    milliseconds: float | None = None


def show(value: float | None) -> str:
    """A float with the nine digits that tell any two float32 values apart; a dash where there is none."""
    return "-" if value is None else f"{value:.9g}"
