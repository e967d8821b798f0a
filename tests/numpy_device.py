"""A device that computes with NumPy what a few known fills compute, so that whole runs can be tried anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from trails import Multiply, binary_of, honest

from gemv_grader.build.binary import Binary
from gemv_grader.cases import Case
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.outputs import CaseOutput, Outputs
from gemv_grader.words import Evidence, Text

CRASH = Text(zh="越界", en="out of range")


class NumpyDevice:
    """``products`` maps fills to what makes their products; None crashes in the first case. Others do not compile."""

    is_gpu = True
    can_run = True

    def __init__(self, products: Mapping[str, Multiply | None], fault: Text | None = None) -> None:
        self._products = {"".join(fill.split()): multiply for fill, multiply in products.items()}
        self._fault = fault
        self._cases: tuple[Case, ...] = ()
        self._fill = ""

    def prepare(self, cases: tuple[Case, ...]) -> None:
        self._cases = cases

    def build(self, program: Program, exercise: Exercise) -> Binary:
        self._fill = "".join(program.fill.split())
        return binary_of(program) if self._fill in self._products else binary_of(program, ("unknown fill", 0))

    def run(self, binary: Binary, exercise: Exercise) -> Outputs:
        if self._fault is not None:
            return Outputs((), Evidence.COMPILED, fault=self._fault)
        multiply = self._products[self._fill]
        if multiply is None:
            crashed, *skipped = self._cases
            results = [CaseOutput(crashed.id, "crashed", detail=CRASH)]
            results += [CaseOutput(case.id, "skipped", detail=CRASH) for case in skipped]
        else:
            results = [CaseOutput(case.id, "ran", honest(case, multiply)) for case in self._cases]
        return Outputs(tuple(results), Evidence.GPU)

    def facts(self) -> dict[str, str]:
        return {"device": "NumPy"}


@contextmanager
def open_numpy(products: Mapping[str, Multiply | None]) -> Iterator[NumpyDevice]:
    """A fresh device, as `open_device` gives one for each program."""
    yield NumpyDevice(products)
