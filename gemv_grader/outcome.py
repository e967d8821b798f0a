"""The judgement of a case, as values: what `check` decides and everything after it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gemv_grader.run.cpu.faults import Fault
from gemv_grader.run.cpu.report import Pattern
from gemv_grader.words import CaseStatus, Evidence, Severity, Text


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
    magnitudes. On the CPU ``faults`` are the rules of CUDA's that the program broke, ``absent`` names the arrays that
    were null, and ``patterns`` tell how its accesses meet memory.
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
    faults: tuple[Fault, ...] = ()
    absent: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    @property
    def blame(self) -> Fault | None:
        """The fault that explains best why the case did not pass: what ended it, else what was seen first."""
        errors = [fault for fault in self.faults if fault.severity is Severity.ERROR]
        return next((fault for fault in errors if fault.fatal), errors[0] if errors else None)

    def located(self, file: str, line_of: Callable[[int], int]) -> Outcome:
        """The same with lines of a student's ``file`` in place of the program's."""
        faults = tuple(fault.moved(line_of) for fault in self.faults)
        patterns = tuple(replace(p, line=None if p.line is None else line_of(p.line)) for p in self.patterns)
        moved = replace(self, faults=faults, patterns=patterns)
        blame = moved.blame
        return moved if blame is None else replace(moved, detail=blame.message(file, self.absent))


def show(value: float | None) -> str:
    """A float with the nine digits that tell any two float32 values apart; a dash where there is none."""
    return "-" if value is None else f"{value:.9g}"
