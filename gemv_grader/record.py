"""Makes the receipt of a finished trail, and says which program a trail is of."""

from __future__ import annotations

import hashlib

from gemv_grader import __version__
from gemv_grader.exercise import Exercise
from gemv_grader.lock import Fill
from gemv_grader.program import splice
from gemv_grader.receipt import BuiltBy, Digests, RanCase, Receipt
from gemv_grader.trail import Trail
from gemv_grader.words import Evidence


def receipt_of(trail: Trail) -> Receipt | None:
    """The receipt of a finished trail; None where no program came of the submission."""
    program = program_digest(trail)
    if program is None:
        return None
    binary = trail.binary
    return Receipt(
        receipt=1,
        exercise=trail.exercise.id,
        sha256=Digests(program, exercise_digest(trail.exercise), trail.rubric.sha256),
        evidence=trail.evidence,
        device=device_of(trail),
        environment=dict(trail.environment),
        toolchain=None if binary is None else BuiltBy(binary.tool, binary.version),
        seed=None if trail.seed is None else str(trail.seed),
        cases=tuple(RanCase(o.id, o.shape, 4 * o.elements, o.status, o.milliseconds) for o in trail.outcomes),
        tool_version=__version__,
        started_at=trail.started_at.isoformat(timespec="seconds"),
    )


def program_digest(trail: Trail) -> str | None:
    """What identifies the trail's program; None where the lock let none through."""
    if not isinstance(trail.locked, Fill) or not trail.locked.attempted or trail.errors():
        return None
    return splice(trail.exercise, trail.locked.text).digest


def device_of(trail: Trail) -> str | None:
    """The name of the GPU that ran the program."""
    if trail.evidence is not Evidence.GPU:
        return None
    return trail.environment.get("name") or trail.environment.get("device") or "GPU"


def exercise_digest(exercise: Exercise) -> str:
    """Digest of the files that decide how an exercise runs."""
    names = ("exercise.yaml", f"{exercise.id}.cu", "harness.cu")
    files = (exercise.directory / name for name in names)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files if file.is_file())).hexdigest()
