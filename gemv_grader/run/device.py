"""Where a program is built and run. The pipeline asks a device; it never asks which kind it is.

`open_device` gives the strongest one at hand: a GPU, or only a compiler, or neither. It comes before everything
else in a command, since a GPU takes its time to start: nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

from gemv_grader.errors import UsageProblem
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.presence import why_no_gpu
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.build import Binary
    from gemv_grader.cases import Case
    from gemv_grader.exercise import Exercise
    from gemv_grader.program import Program
    from gemv_grader.run.outputs import Outputs

Choice = Literal["auto", "gpu", "cpu", "none"]


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

    def run(self, binary: Binary, exercise: Exercise) -> Outputs | Text:
        """Run the prepared cases on a binary that is ok, or say what of it cannot be run here."""

    def facts(self) -> dict[str, str]:
        """What a reader of the grade needs to know about the machine."""


@contextmanager
def open_device(choice: Choice) -> Iterator[Device]:
    """The device for one program; leaving the block ends every process it started.

    ``auto`` takes a GPU, else the CPU if there is a C++ compiler, else only what nvcc says. Raises UsageProblem if
    a device is asked for that is not there.
    """
    missing = why_no_gpu() if choice in ("auto", "gpu") else None
    if choice == "gpu" and missing is not None:
        raise UsageProblem(NO_GPU.format(why=missing))
    if choice in ("none", "cpu") or missing is not None:
        yield _without_gpu(choice)
        return
    with GpuRunner() as runner, ThreadPoolExecutor(max_workers=2) as helpers:
        from gemv_grader.run.gpu_device import GpuDevice  # noqa: PLC0415 - while the runner starts

        yield GpuDevice(runner, helpers)


def _without_gpu(choice: Choice) -> Device:
    from gemv_grader.run.compiler_only import CompilerOnly  # noqa: PLC0415
    from gemv_grader.run.cpu.compiler import Compiler, find_compiler  # noqa: PLC0415

    compiler = find_compiler() if choice != "none" else None
    if isinstance(compiler, Compiler):
        from gemv_grader.run.cpu.executable import CpuToolchain  # noqa: PLC0415
        from gemv_grader.run.cpu_device import CpuDevice  # noqa: PLC0415

        return CpuDevice(CpuToolchain(compiler))
    if choice == "cpu":
        raise UsageProblem(NO_CPU.format(why=compiler))
    return CompilerOnly()


NO_GPU = Text(
    zh="要求用 GPU（--device gpu），但用不了：{why}\n"
    "运行 gemv-grade doctor 看缺什么，或去掉 --device gpu 只做静态审查。",
    en="--device gpu was asked for, but there is none to use: {why}\n"
    "`gemv-grade doctor` says what is missing; without --device gpu the file gets a static review.",
)
NOT_VERIFIED = Text(
    zh="没有能用的 GPU，无法验证，什么都没有改动：{why}\n"
    "运行 gemv-grade doctor 看缺什么，或把这个文件夹带到有 GPU 的机器上再运行。",
    en="There is no GPU to verify on, and nothing was changed: {why}\n"
    "`gemv-grade doctor` says what is missing; or take this folder to a machine that has one, and run it there.",
)
NO_CPU = Text(
    zh="要求在 CPU 上模拟（--device cpu），但做不到：{why}",
    en="--device cpu was asked for, but programs cannot be run on this CPU: {why}",
)
