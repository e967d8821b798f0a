"""The device of a machine without a GPU: it compiles where nvcc is found, and runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gemv_grader.build import Binary, Toolchain, build
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.machine import find_toolchain, machine_facts, toolchain_facts
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case


class CompilerOnly:
    """No GPU: programs are compiled where nvcc is found, and nothing runs."""

    is_gpu = False
    can_run = False

    def __init__(self) -> None:
        self._toolchain: Toolchain | Text | None = None

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Nothing runs here."""

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile to check; the result is for a default architecture and is not run."""
        self._toolchain = find_toolchain()
        return self._toolchain if isinstance(self._toolchain, Text) else build(program, exercise, self._toolchain)

    def run(self, binary: Binary, exercise: Exercise) -> Outputs:
        """Never called: `can_run` is false."""
        raise NotImplementedError

    def facts(self) -> dict[str, str]:
        """Python, and nvcc where it was looked for and found."""
        return {**machine_facts(), **toolchain_facts(self._toolchain)}
