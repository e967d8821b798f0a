"""What a runner hands back: raw memory and machine facts, no judgement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gemv_grader.words import Evidence, Text

if TYPE_CHECKING:  # NumPy is not needed to hold its arrays
    from gemv_grader.cases.slab import Bytes
    from gemv_grader.run.cpu.faults import Fault
    from gemv_grader.run.cpu.report import Pattern


@dataclass(frozen=True)
class CaseOutput:
    """One case after its launch. ``slab`` is its memory as the device left it, None if it did not run.

    Only the CPU sees ``faults``, and how the program's ``patterns`` of access meet memory.
    """

    id: str
    status: Literal["ran", "crashed", "skipped"]
    slab: Bytes | None = None
    milliseconds: float | None = None
    detail: Text | None = None
    faults: tuple[Fault, ...] = ()
    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True)
class Outputs:
    """All cases of one program. ``fault`` is the machine's failure: it makes a `grader_fault`, never a zero."""

    cases: tuple[CaseOutput, ...]
    evidence: Evidence
    device: dict[str, str] = field(default_factory=dict)
    fault: Text | None = None


AFTER_CRASH = Text(
    zh="没有运行：{case} 一例崩溃之后，GPU 上下文已不能再用。",
    en="not run: after the crash in case {case} the GPU context is of no more use.",
)
