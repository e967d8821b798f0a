"""What a runner hands back: raw memory and machine facts, no judgement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemv_grader.words import Evidence, Text


@dataclass(frozen=True)
class CaseOutput:
    """One case after its launch. ``slab`` is the whole memory block as the device left it (None if it did not run)."""

    id: str
    status: Literal["ran", "crashed", "skipped"]
    slab: NDArray[np.uint8] | None = None
    milliseconds: float | None = None
    detail: Text | None = None


@dataclass(frozen=True)
class Outputs:
    """All cases of one program. ``fault`` is the machine's own failure: it makes a `grader_fault`, never a zero."""

    cases: tuple[CaseOutput, ...]
    evidence: Evidence
    device: dict[str, str] = field(default_factory=dict)
    fault: Text | None = None
