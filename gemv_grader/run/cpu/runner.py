"""Runs an executable on its cases, from the grader's side: hands out memory, keeps the time, reads the report.

What a program is made of is native code here, so it runs behind walls and in a session of its own, and nothing that it
prints is read. Executable, plan and memory travel as anonymous files: the program sees no path of ours. Its report only
explains; whether the outputs are right is decided from the memory it leaves, in this process.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import select
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemv_grader.build.compilation import SOURCE_NAME
from gemv_grader.errors import GraderFault
from gemv_grader.process import MIB, Child, Command, Limits, clean_environment
from gemv_grader.run.confine import Confinement, confine
from gemv_grader.run.cpu.lines import lines_of
from gemv_grader.run.cpu.report import CaseReport, Malformed, parse_report, read_cases
from gemv_grader.words import Text

Bytes = NDArray[np.uint8]

_MOST_REPORT = 256 * MIB
_LIMITS = Limits(output_bytes=64 * 1024, file_bytes=0)
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


@dataclass(frozen=True)
class Parameter:
    """An array that a program gets: its name, what it may do with it, and the bytes of an element."""

    name: str
    role: Literal["input", "output"]
    element: int = 4


@dataclass(frozen=True)
class Launch:
    """One case to run. ``places`` says for each parameter where it lies in ``slab`` (offset, bytes); None: null."""

    id: str
    slab: Bytes
    places: tuple[tuple[int, int] | None, ...]
    sizes: tuple[int, ...]
    blocks: int = 0


@dataclass(frozen=True)
class Options:
    """How to run. ``block_seconds`` is the processor time after which one block counts as endless.

    ``sample_blocks`` of a launch are looked at closely, to count how its accesses coalesce; ``traced`` is the number of
    the block whose events are reported; ``seconds`` bounds the whole run by the clock on the wall. After a crash the
    other cases still run where that is possible, unless ``stop_after_crash``.
    """

    workers: int | None = None
    block_seconds: float = 2.0
    sample_blocks: int = 16
    traced: int | None = None
    stop_after_crash: bool = False
    seconds: float = 60.0


@dataclass(frozen=True)
class Ran:
    """What came back: a report for each case that ran, in order, and the memory of every case, as it was left.

    There are fewer reports than cases after a crash that the program could not be brought back from (the last report
    tells of it), and when it vanished or took too long (``ended`` tells how).
    """

    reports: tuple[CaseReport, ...]
    slabs: tuple[Bytes, ...]
    ended: Text | None
    sandbox: str


def run_executable(
    executable: bytes, parameters: Sequence[Parameter], launches: Sequence[Launch], options: Options | None = None
) -> Ran:
    """Run all launches in one process. Raises GraderFault where the machine or the runtime fails."""
    options = options or Options()
    walls = confine(())
    with contextlib.ExitStack() as files:
        program = files.enter_context(_file(executable))
        plan = files.enter_context(_file(_plan(parameters, launches, options).encode()))
        slabs = files.enter_context(_file(*(launch.slab.tobytes() for launch in launches)))
        text, ended = _execute((program, plan, slabs), walls, options.seconds)
        try:
            raw = parse_report(text)
            if raw.grader_fault is not None or not raw.ready:
                raise GraderFault(RUNTIME_FAULT.format(reason=raw.grader_fault or ended))
            reports = read_cases(raw, lines_of(program, raw.addresses(), SOURCE_NAME))
        except Malformed:
            reports, ended = (), SCRAMBLED
        stopped_itself = len(reports) == len(launches) or (reports and reports[-1].crashed)
        return Ran(reports, tuple(_read_back(slabs, launches)), None if stopped_itself else ended, walls.kind)


def _plan(parameters: Sequence[Parameter], launches: Sequence[Launch], options: Options) -> str:
    """What main.cpp of the runtime reads."""
    lines = [
        f"workers {options.workers or len(os.sched_getaffinity(0))} block_seconds {options.block_seconds}",
        f"sample_blocks {options.sample_blocks} trace_block {-1 if options.traced is None else options.traced}",
        f"after_crash {'stop' if options.stop_after_crash else 'go_on'}",
        f"arrays {len(parameters)}",
        *(f"{parameter.name} {parameter.role} {parameter.element}" for parameter in parameters),
    ]
    offset = 0
    for launch in launches:
        places = " ".join("-1 0" if place is None else f"{place[0]} {place[1]}" for place in launch.places)
        sizes = " ".join(map(str, (len(launch.sizes), *launch.sizes)))
        lines.append(f"case {launch.id} {offset} {launch.slab.nbytes} {launch.blocks} sizes {sizes} {places}")
        offset += launch.slab.nbytes
    return "\n".join(lines) + "\n"


def _execute(files: tuple[int, int, int], walls: Confinement, seconds: float) -> tuple[str, Text]:
    """Run the program to its end; returns its report, and how it ended in case the report is incomplete."""
    program, plan, slabs = files
    reading, writing = os.pipe()
    command = Command(
        argv=(*walls.prefix, f"/proc/self/fd/{program}", str(plan), str(slabs), str(writing)),
        cwd=Path("/"),
        env=clean_environment(Path("/nonexistent")),
        limits=_LIMITS,
        pass_fds=(*files, writing),
        user=walls.user,
    )
    with os.fdopen(reading, "rb", buffering=0) as report:
        try:
            child = Child(command)
        except OSError as error:
            raise GraderFault(NO_PROCESS.format(reason=error)) from error
        finally:
            os.close(writing)
        with child:
            text, closed = _read_report(report.fileno(), time.monotonic() + seconds)
            finished = child.end(timed_out=not (closed and child.wait(1.0)))
    if not closed:
        return text, TOO_LONG.format(seconds=seconds)
    how = f"signal {finished.signal}" if finished.status is None else f"status {finished.status}"
    return text, VANISHED.format(how=how)


def _read_report(reading: int, deadline: float) -> tuple[str, bool]:
    """All that comes until the pipe is closed, the deadline, or too much; whether it was closed."""
    content = bytearray()
    while len(content) < _MOST_REPORT:
        ready, _, _ = select.select([reading], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return content.decode(errors="replace"), False
        chunk = os.read(reading, MIB)
        if not chunk:
            return content.decode(errors="replace"), True
        content += chunk
    return "", False


@contextlib.contextmanager
def _file(*contents: bytes) -> Iterator[int]:
    """An anonymous file that holds ``contents`` and keeps its length, whoever has it open. Raises GraderFault."""
    fd = os.memfd_create("gemv-grade", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        with open(fd, "wb", closefd=False) as file:
            file.writelines(contents)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
        os.lseek(fd, 0, os.SEEK_SET)
        yield fd
    except OSError as error:
        raise GraderFault(NO_MEMORY.format(reason=error)) from error
    finally:
        os.close(fd)


def _read_back(slabs: int, launches: Sequence[Launch]) -> Iterator[Bytes]:
    """The memory of each case. The file's length is sealed, so a mapping of it is safe to read."""
    total = sum(launch.slab.nbytes for launch in launches)
    if not total:
        yield from (launch.slab.copy() for launch in launches)
        return
    memory = np.frombuffer(mmap.mmap(slabs, total, prot=mmap.PROT_READ), dtype=np.uint8)
    offset = 0
    for launch in launches:
        yield memory[offset : offset + launch.slab.nbytes]
        offset += launch.slab.nbytes


RUNTIME_FAULT = Text(zh="CPU 运行时自己失败了：{reason}", en="the CPU runtime itself failed: {reason}")
NO_PROCESS = Text(
    zh="无法启动 CPU 上的程序（{reason}）。请检查进程数限制与内存后重试。",
    en="The program could not be started on the CPU ({reason}). Check the limit on processes and the memory, and try "
    "again.",
)
NO_MEMORY = Text(
    zh="内存不足，放不下测试数据（{reason}）；请释放内存后重试。",
    en="There is no memory left for the test data ({reason}); free some, and try again.",
)
SCRAMBLED = Text(
    zh="程序交回的记录读不懂，结果不可信。",
    en="What the program handed back cannot be read, so its results do not count.",
)
TOO_LONG = Text(
    zh="运行超过 {seconds:g} 秒仍未结束，已停止。", en="It did not finish within {seconds:g} seconds and was stopped."
)
VANISHED = Text(
    zh="运行这一例的进程中途消失了，没有交回结果（{how}）。",
    en="The process that ran this case went away without a result ({how}).",
)
