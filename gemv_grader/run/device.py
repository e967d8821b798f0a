"""Where a program is built and run. The pipeline asks a device; it never asks which kind it is.

`open_device` gives the strongest one at hand: a GPU, or only a compiler, or neither.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

from gemv_grader.build.binary import Binary
from gemv_grader.build.cache import BuildCache
from gemv_grader.build.device_half import build
from gemv_grader.build.host_half import build_host_half
from gemv_grader.build.nvcc import find_nvcc
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.outputs import Outputs
from gemv_grader.run.presence import why_no_gpu
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case

Choice = Literal["auto", "gpu", "none"]


class Device(Protocol):
    """Builds and runs one program. A GraderFault from any method is the machine's, never the program's."""

    @property
    def is_gpu(self) -> bool:
        """Whether its runs are evidence of a GPU run."""

    @property
    def can_run(self) -> bool:
        """Whether it runs programs at all, and not only compiles them."""

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Take the cases; called while the program is being built."""

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile the program, or say why nothing here can."""

    def run(self, binary: Binary, exercise: Exercise) -> Outputs:
        """Run the prepared cases on a binary that is ok."""

    def facts(self) -> dict[str, str]:
        """What a reader of the grade needs to know about the machine."""


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


class Gpu:
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
        assert binary.cubin is not None  # noqa: S101 - the pipeline runs only what was built
        assert self._host_half is not None  # noqa: S101
        outputs = self._runner.run(binary.cubin, self._host_half.result(), exercise)
        self._device = outputs.device
        return outputs

    def facts(self) -> dict[str, str]:
        """Python, nvcc, GPU, driver, CuPy and how the runner was confined."""
        toolchain = None if self._toolchain.exception() else self._toolchain.result()
        return {**machine_facts(), **toolchain_facts(toolchain), **self._device}


@contextmanager
def open_device(choice: Choice) -> Iterator[Device]:
    """The device for one program; leaving the block ends every process it started.

    Raises UsageProblem if a GPU is asked for and there is none.
    """
    missing = why_no_gpu() if choice in ("auto", "gpu") else None
    if choice == "gpu" and missing is not None:
        raise UsageProblem(NO_GPU.format(why=missing))
    if choice == "none" or missing is not None:
        yield CompilerOnly()
        return
    with GpuRunner() as runner, ThreadPoolExecutor(max_workers=2) as helpers:
        yield Gpu(runner, helpers)


def find_toolchain() -> Toolchain | Text:
    """nvcc with the user's build cache, or why there is no nvcc."""
    nvcc = find_nvcc()
    return nvcc if isinstance(nvcc, Text) else Toolchain(nvcc, BuildCache.default())


def toolchain_facts(toolchain: Toolchain | Text | None) -> dict[str, str]:
    """The compiler's version, where there is one."""
    return {"nvcc": toolchain.nvcc.release} if isinstance(toolchain, Toolchain) else {}


def machine_facts() -> dict[str, str]:
    """What every grade tells about its machine."""
    return {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}


NO_GPU = Text(
    zh="要求用 GPU（--device gpu），但用不了：{why}\n"
    "运行 gemv-grade doctor 看缺什么，或去掉 --device gpu 只做静态审查。",
    en="--device gpu was asked for, but there is none to use: {why}\n"
    "`gemv-grade doctor` says what is missing; without --device gpu the file gets a static review.",
)
