"""What becomes of a program: built, run on its cases and checked, once for everybody who sent it.

A student waits for the compiler and the GPU, so the cases are made and uploaded while the compiler runs.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemv_grader.build.binary import Binary
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.outcome import Outcome
from gemv_grader.program import Program
from gemv_grader.run.device import Device
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case


@dataclass(frozen=True)
class Execution:
    """How far a program came; None or empty for what it did not come to.

    ``seed`` is what its cases were drawn from. ``unbuilt`` says why nothing here could compile or run it, ``fault``
    what failed of ours or the machine's. Places in ``outcomes`` are the program's.
    """

    seed: int
    binary: Binary | None = None
    outputs: Outputs | None = None
    outcomes: tuple[Outcome, ...] = ()
    unbuilt: Text | None = None
    fault: Text | None = None


def execute(program: Program, exercise: Exercise, device: Device, seed: int, *, may_run: bool) -> Execution:
    """Build the program, run it if it ``may_run`` and the device can, and check it. The machine's faults are kept."""
    will_run = may_run and device.can_run
    try:
        # The compiler is waited for in this thread, where an interrupt from the keyboard ends it at once.
        with ThreadPoolExecutor(max_workers=1) as helper:
            preparing = helper.submit(_prepare, exercise, seed, device) if will_run else None
            binary = device.build(program, exercise)
            cases = preparing.result() if preparing else ()
    except GraderFault as fault:
        return Execution(seed, fault=fault.text)
    if isinstance(binary, Text):
        return Execution(seed, unbuilt=binary)
    if not (binary.ok and will_run):
        return Execution(seed, binary)
    try:
        outputs = device.run(binary, exercise)
    except GraderFault as fault:
        return Execution(seed, binary, fault=fault.text)
    if isinstance(outputs, Text):
        return Execution(seed, unbuilt=outputs)
    # What the machine failed to run says nothing about the program.
    outcomes = _check(cases, outputs) if outputs.fault is None else ()
    return Execution(seed, binary, outputs, outcomes, fault=outputs.fault)


# NumPy takes a tenth of a second to import: it comes in while the compiler runs, and not at all if nothing will.
def _prepare(exercise: Exercise, seed: int, device: Device) -> tuple[Case, ...]:
    from gemv_grader.cases import plan  # noqa: PLC0415

    cases = plan(exercise, seed)
    device.prepare(cases)
    return cases


def _check(cases: tuple[Case, ...], outputs: Outputs) -> tuple[Outcome, ...]:
    from gemv_grader.check import check  # noqa: PLC0415

    return check(cases, outputs)
