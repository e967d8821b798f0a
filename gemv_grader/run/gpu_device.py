"""The device with a GPU: a program's two halves are built while the runner opens CUDA, then run on it."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from gemv_grader.build import Binary, build, build_host_half
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.machine import find_toolchain, machine_facts, toolchain_facts
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case


class GpuDevice:
    """One program on the GPU. The runner's start, the search for nvcc and the host half all go on side by side."""

    is_gpu = True
    can_run = True

    def __init__(self, runner: GpuRunner, helpers: ThreadPoolExecutor) -> None:
        self._runner = runner
        self._helpers = helpers
        self._toolchain = helpers.submit(find_toolchain)
        self._host_half: Future[bytes] | None = None
        self._device: dict[str, str] = {}

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Send the cases to the device's memory."""
        self._runner.upload(cases)

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile for this GPU's own architecture; the exercise's host half meanwhile, unless the cache has it."""
        toolchain = self._toolchain.result()
        if isinstance(toolchain, Text):
            return toolchain
        self._host_half = self._helpers.submit(build_host_half, exercise, toolchain)
        return build(program, exercise, toolchain, self._runner.arch())

    def run(self, binary: Binary, exercise: Exercise) -> Outputs:
        """Run the prepared cases in a CUDA context that no other program shares."""
        assert binary.code is not None  # noqa: S101 - the pipeline runs only what was built
        assert self._host_half is not None  # noqa: S101
        outputs = self._runner.run(binary.code, self._host_half.result(), exercise)
        self._device = outputs.device
        return outputs

    def facts(self) -> dict[str, str]:
        """Python, nvcc, GPU, driver, CuPy and how the runner was confined."""
        toolchain = None if self._toolchain.exception() else self._toolchain.result()
        return {**machine_facts(), **toolchain_facts(toolchain), **self._device}
