"""A receipt: what a run of a program leaves behind, so that an answer which tells of the run can be held against it.

It lies beside the student's file and carries no secret: whoever has it can edit it. So it supports what the student
says as far as it agrees with itself, with the program and with what we find, and no grade rests on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from gemv_grader.words import CaseStatus, Evidence

MAX_BYTES = 1 << 20

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Line = Annotated[str, Field(max_length=500)]


@dataclass(frozen=True)
class Digests:
    """SHA-256 of the program's tokens, of the exercise's files, and of the rubric."""

    program: Digest
    exercise: Digest
    rubric: Digest


@dataclass(frozen=True)
class BuiltBy:
    """The compiler."""

    tool: Line
    version: Line


@dataclass(frozen=True)
class RanCase:
    """One case. ``bytes`` is the size of its data; ``milliseconds`` None where it did not run to its end."""

    id: Line
    shape: Line
    bytes: Annotated[int, Field(ge=0)]
    status: CaseStatus
    milliseconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None


@dataclass(frozen=True)
class Receipt:
    """What was run, where, and what became of it. ``device`` is the GPU's name, None unless the program ran on one."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    receipt: Literal[1]
    exercise: Line
    sha256: Digests
    evidence: Evidence
    device: Line | None
    environment: dict[Line, Line]
    toolchain: BuiltBy | None
    seed: Annotated[str, Field(pattern=r"^\d{1,20}$")] | None
    cases: tuple[RanCase, ...]
    tool_version: Line
    started_at: Line


def to_json(receipt: Receipt) -> bytes:
    """The receipt as a file's content."""
    return _adapter().dump_json(receipt, indent=2) + b"\n"


def from_json(data: bytes) -> Receipt | None:
    """The receipt in a file's content; None for anything that `to_json` cannot have written."""
    if len(data) > MAX_BYTES:
        return None
    try:
        return _adapter().validate_json(data)
    except ValidationError:
        return None


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Receipt]:
    return TypeAdapter(Receipt)
