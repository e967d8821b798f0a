"""What became of a program, in a form that travels: between processes, and inside the folder of grades."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from pydantic import ConfigDict, TypeAdapter, ValidationError

from gemv_grader import __version__
from gemv_grader.batch.means import Means
from gemv_grader.build.binary import Binary
from gemv_grader.execution import Execution
from gemv_grader.outcome import Outcome
from gemv_grader.words import Text


@dataclass(frozen=True)
class Performed:
    """An execution without the memory it left behind, and what it was made with. ``seconds`` is what it took."""

    __pydantic_config__ = ConfigDict(ser_json_inf_nan="strings")

    seed: int
    binary: Binary | None
    outcomes: tuple[Outcome, ...]
    unbuilt: Text | None
    fault: Text | None
    environment: dict[str, str]
    seconds: float
    means: Means
    exercise_sha256: str
    tool_version: str = __version__

    @property
    def execution(self) -> Execution:
        """The execution, for the pipeline."""
        return Execution(self.seed, self.binary, None, self.outcomes, self.unbuilt, self.fault)

    def serves(self, means: Means, exercise_sha256: str) -> bool:
        """Whether ``means`` would bring nothing more to light."""
        if self.fault or (self.tool_version, self.exercise_sha256) != (__version__, exercise_sha256):
            return False
        if self.means.evidence is not means.evidence:
            return self.means.evidence.covers(means.evidence)
        if self.binary is None:
            return means.compilers.keys() <= self.means.compilers.keys()
        return not means.has_other(self.binary.tool, self.binary.version)


def performed(
    execution: Execution, environment: dict[str, str], seconds: float, means: Means, exercise_sha256: str
) -> Performed:
    """An execution without its memory images and its machine code."""
    binary = execution.binary and replace(execution.binary, code=None)
    return Performed(
        seed=execution.seed,
        binary=binary,
        outcomes=execution.outcomes,
        unbuilt=execution.unbuilt,
        fault=execution.fault,
        environment=environment,
        seconds=seconds,
        means=means,
        exercise_sha256=exercise_sha256,
    )


def to_json(result: Performed) -> bytes:
    """As JSON that `from_json` reads back; NaN and infinities are strings."""
    return _adapter().dump_json(result, indent=1)


def from_json(data: bytes) -> Performed | None:
    """What `to_json` wrote; None for anything else."""
    try:
        return _adapter().validate_json(data)
    except ValidationError:
        return None


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Performed]:
    return TypeAdapter(Performed)
