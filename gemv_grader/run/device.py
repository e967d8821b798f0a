"""Where a program is built and run. The pipeline asks a device; it never asks which kind it is.

`open_device` gives the strongest one at hand: a GPU, or only a compiler, or neither.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

from gemv_grader.build.binary import Binary
from gemv_grader.build.cache import BuildCache
from gemv_grader.build.device_half import build
from gemv_grader.build.nvcc import find_nvcc
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.outputs import Outputs
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


@contextmanager
def open_device(choice: Choice) -> Iterator[Device]:
    """The device for one program; leaving the block ends every process it started."""
    if choice == "gpu":
        raise UsageProblem(NO_GPU)
    yield CompilerOnly()


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
    zh="要求用 GPU（--device gpu），但这里没有可用的 GPU。运行 gemv-grade doctor 看缺什么，"
    "或去掉 --device gpu 只做静态审查。",
    en="--device gpu was asked for, but no GPU can be used here. `gemv-grade doctor` says what is missing; "
    "without --device gpu the file gets a static review.",
)
