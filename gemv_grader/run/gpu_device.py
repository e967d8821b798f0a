"""A GPU as a device of the pipeline: builds for its architecture and runs in a process of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from gemv_grader.build.binary import Binary
from gemv_grader.build.device_half import build
from gemv_grader.build.host_half import build_host_half
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.cases import Case
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.device import find_toolchain, machine_facts, toolchain_facts
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.outputs import Outputs
from gemv_grader.words import Text


class GpuDevice:
    """One program on one GPU. ``runner`` is started already: CUDA opens while the rest is imported."""

    is_gpu = True
    can_run = True

    def __init__(self, runner: GpuRunner) -> None:
        self._runner = runner
        self._toolchain: Toolchain | Text | None = None
        self._host_half = b""
        self._facts: dict[str, str] = {}

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Send the cases' memory ahead; called while the program is being built."""
        self._runner.upload(cases)

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile the program for this GPU, and the exercise's host half beside it unless that is cached."""
        self._toolchain = toolchain = find_toolchain()
        if isinstance(toolchain, Text):
            return toolchain
        with ThreadPoolExecutor(max_workers=1) as beside:
            host_half = beside.submit(build_host_half, exercise, toolchain)
            binary = build(program, exercise, toolchain, self._runner.arch())
        self._host_half = host_half.result()
        return binary

    def run(self, binary: Binary, exercise: Exercise) -> Outputs:
        """Run the prepared cases."""
        assert binary.cubin is not None  # noqa: S101 - a binary that is ok has one
        outputs = self._runner.run(binary.cubin, self._host_half, exercise)
        self._facts = outputs.device
        return outputs

    def facts(self) -> dict[str, str]:
        """Python, nvcc, and of the GPU what the runner told."""
        return {**machine_facts(), **toolchain_facts(self._toolchain), **self._facts}
