"""One call of nvcc in a directory of its own, with the machine's faults told apart from the program's."""

from __future__ import annotations

import errno
import os
import re
import shutil
from dataclasses import dataclass, replace

from gemv_grader.build.toolchain import Toolchain
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.process import MIB, Command, Finished, Limits, clean_environment, private_directory, run
from gemv_grader.program import Program
from gemv_grader.words import Text

SOURCE_NAME = "program.cu"
HARNESS_NAME = "harness.cu"
NEUTRAL_FILL = "0"
"""Compiles wherever an expression may stand, and stands for no student's work."""

_LIMITS = Limits(output_bytes=MIB // 4, memory_bytes=4096 * MIB, file_bytes=64 * MIB)


@dataclass(frozen=True)
class Compilation:
    """What nvcc left behind: its output file if it made one, and how it ended."""

    artifact: bytes | None
    command: tuple[str, ...]
    finished: Finished


def unit(program: Program, exercise: Exercise) -> str:
    """The translation unit of both halves: the program and, with line numbers of its own, the harness."""
    return f'{program.source}\n#line 1 "{HARNESS_NAME}"\n{exercise.harness}'


def compile_unit(toolchain: Toolchain, flags: tuple[str, ...], sources: dict[str, str]) -> Compilation:
    """Compile ``sources`` (file name -> text) with ``flags``.

    Raises GraderFault where disk, memory or toolchain fail, whatever the sources are.
    """
    limits = replace(_LIMITS, cpu_seconds=int(toolchain.seconds) + 1)
    argv = (str(toolchain.nvcc.path), *flags, *sources, "-o", "out")
    try:
        with private_directory() as directory:
            for name, text in sources.items():
                (directory / name).write_text(text, encoding="utf-8")
            environment = clean_environment(directory, "NVCC_CCBIN")
            finished = run(Command(argv, directory, environment, limits), toolchain.seconds)
            made = directory / "out"
            artifact = made.read_bytes() if finished.ok and made.is_file() else None
            if artifact is None and shutil.disk_usage(directory).free < MIB:  # whatever nvcc took it for
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(directory))
    except OSError as error:
        template = NO_SPACE if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else NO_PROCESS
        raise GraderFault(template.format(reason=error)) from error
    if artifact is None:
        raise_machine_fault(finished.output)
    return Compilation(artifact, ("nvcc", *argv[1:]), finished)


def raise_machine_fault(output: str) -> None:
    """Raise GraderFault if a compiler's output shows that disk, memory or toolchain failed."""
    # A line that begins with a blank or the source's name may echo a student's words: it proves nothing.
    for line in output.splitlines():
        if not line.startswith((SOURCE_NAME, " ")):
            for pattern, template in _MACHINE_FAULTS:
                if re.search(pattern, line):
                    raise GraderFault(template.format(reason=line[:300]))


NO_SPACE = Text(
    zh="磁盘空间不足，无法编译（{reason}）。请清理临时目录（TMPDIR 或 /tmp）所在的磁盘后重试。",
    en="There is no disk space left to compile in ({reason}). Free some where temporary files go (TMPDIR or "
    "/tmp), and try again.",
)
NO_PROCESS = Text(
    zh="无法启动编译器（{reason}）。请检查临时目录、进程数限制与内存后重试。",
    en="The compiler could not be started ({reason}). Check the temporary directory, the limit on processes "
    "and the memory, and try again.",
)
NO_HOST_COMPILER = Text(
    zh="nvcc 找不到主机编译器（{reason}）。请安装 g++（Debian、Ubuntu 上是 apt-get install g++），或用 "
    "NVCC_CCBIN 指定。",
    en="nvcc finds no host compiler ({reason}). Install g++ (on Debian and Ubuntu: apt-get install g++), or "
    "name one with NVCC_CCBIN.",
)
HOST_COMPILER_TOO_NEW = Text(
    zh="nvcc 不支持这个版本的 g++（{reason}）。请用 NVCC_CCBIN 指定较旧的版本，或升级 CUDA 工具包。",
    en="nvcc does not support this g++ ({reason}). Name an older one with NVCC_CCBIN, or upgrade the CUDA toolkit.",
)
NO_ARCH = Text(
    zh="这个 nvcc 不认识本机 GPU 的架构（{reason}）。请安装支持它的 CUDA 工具包，并用 NVCC 指定。",
    en="This nvcc does not know the GPU's architecture ({reason}). Install a CUDA toolkit that does, and "
    "name it with NVCC.",
)
NO_MEMORY = Text(
    zh="编译器被系统杀死，多半是内存不足（{reason}）。请释放内存或减少并行任务后重试。",
    en="The system killed the compiler, most likely for lack of memory ({reason}). Free some or run fewer "
    "jobs, and try again.",
)
_MACHINE_FAULTS = (
    (r"No space left on device|Disk quota exceeded", NO_SPACE),
    (r"Failed to preprocess host compiler properties|Cannot find compiler", NO_HOST_COMPILER),
    (r"unsupported GNU version|unsupported clang version", HOST_COMPILER_TOO_NEW),
    (r"Unsupported gpu architecture|not defined for option 'gpu-architecture'", NO_ARCH),
    (r"died due to signal 9\b|Killed signal terminated program", NO_MEMORY),
)
