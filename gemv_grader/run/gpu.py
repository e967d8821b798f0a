"""Runs a program's cases on the GPU, from the grader's side: hands out memory, keeps the time, takes stock.

Each program gets a child process and a CUDA context of its own, since an illegal access ruins a context for good. The
child is started before anything else, so that CUDA opens while nvcc compiles. Every case's memory travels in a memfd:
out with its inputs and poison, back with whatever the program left there. What a child prints is never read as a
result.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from gemv_grader.errors import GraderFault
from gemv_grader.run import cuda_errors
from gemv_grader.run.link import START_SECONDS, Link
from gemv_grader.words import Evidence, Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case
    from gemv_grader.cases.slab import Bytes
    from gemv_grader.exercise import Exercise, Limits
    from gemv_grader.run.outputs import CaseOutput, Outputs

LOAD_SECONDS = 20.0
_SCRIPT = Path(__file__).with_name("gpu_child.py")


class GpuRunner:
    """One program's run. Making it starts the child and returns at once; leaving its ``with`` block ends it.

    Raises GraderFault if no process can be started. ``script`` replaces the child's code in tests.
    """

    def __init__(self, script: Path = _SCRIPT) -> None:
        self._link = Link(script)
        self._memory: list[tuple[Case, int]] = []

    def arch(self) -> str:
        """The GPU's architecture, such as "sm_90", as soon as the child knows it. Raises GraderFault."""
        return str(self._link.expect("arch", START_SECONDS))

    def facts(self) -> dict[str, str]:
        """GPU, driver, CuPy and the child's walls, as soon as the GPU is open. Raises GraderFault."""
        ready: dict[str, str] = self._link.expect("ready", START_SECONDS)
        return self._link.facts | ready

    def upload(self, cases: Sequence[Case]) -> None:
        """Hand the cases' memory to the child, which copies it to the device as soon as it can."""
        for case in cases:
            fd = _memory(case.slab.data)
            self._memory.append((case, fd))
            self._link.send({"slab": case.slab.nbytes}, [fd])

    def run(self, cubin: bytes, host_half: bytes, exercise: Exercise) -> Outputs:
        """Run the uploaded cases in order with the two halves of a program. One call per runner."""
        from gemv_grader.run.outputs import Outputs  # noqa: PLC0415 - NumPy, not needed to start the child

        outputs: list[CaseOutput] = []
        device = dict(self._link.facts)
        fault: Text | None = None
        try:
            device |= self.facts()
            self._load(cubin, host_half, exercise.sizes)
            for output in self._collect(exercise.limits):
                outputs.append(output)  # noqa: PERF402 - what came before a fault is kept
        except GraderFault as failure:
            fault = failure.text
        self._link.kill()
        return Outputs(tuple(outputs), Evidence.GPU if outputs else Evidence.COMPILED, device, fault)

    def close(self) -> None:
        """Wait for the child's end and give its memory back. May be called again."""
        self._link.close()
        while self._memory:
            os.close(self._memory.pop()[1])

    def __enter__(self) -> GpuRunner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.kill()
        self.close()

    def _load(self, cubin: bytes, host_half: bytes, sizes: Sequence[str]) -> None:
        plan = [
            {
                "pointers": case.pointers,
                "sizes": [case.sizes[name] for name in sizes],
                "blocks": case.blocks or 0,
            }
            for case, _ in self._memory
        ]
        halves = [_memory(memoryview(cubin)), _memory(memoryview(host_half))]
        self._link.send({"program": plan}, halves)
        for fd in halves:
            os.close(fd)
        self._link.expect("loaded", LOAD_SECONDS)

    def _collect(self, limits: Limits) -> Iterator[CaseOutput]:
        """One output per planned case, in order; after a crash the rest is skipped, for the context is lost."""
        from gemv_grader.run.outputs import AFTER_CRASH, CaseOutput  # noqa: PLC0415

        deadline = time.monotonic() + limits.total_seconds
        crashed: str | None = None
        for number, (case, fd) in enumerate(self._memory):
            if crashed is not None:
                yield CaseOutput(case.id, "skipped", detail=AFTER_CRASH.format(case=crashed))
                continue
            answer = self._answer(number, limits.case_seconds, deadline)
            if isinstance(answer, Text):
                crashed = case.id
                yield CaseOutput(case.id, "crashed", detail=answer)
            else:
                yield CaseOutput(case.id, "ran", _read(fd, case.slab.nbytes), answer)

    def _answer(self, number: int, case_seconds: float, deadline: float) -> float | Text:
        """The milliseconds that a case took, or how it crashed. Raises GraderFault when the machine failed."""
        left = deadline - time.monotonic()
        try:
            message = self._link.receive(min(case_seconds, left))
        except TimeoutError:
            return (TOO_LONG if case_seconds <= left else TOO_LONG_IN_ALL).format(seconds=case_seconds)
        if message is None:
            return VANISHED.format(said=self._link.last_words())
        if message.get("ran") == number:
            return float(message["milliseconds"])
        if message.get("crashed") != number:
            return OUT_OF_STEP
        crash = cuda_errors.crash(message["code"], message["name"])
        if crash is None:
            raise GraderFault(cuda_errors.fault("run", message["code"], message["name"]))
        return crash


def _memory(content: memoryview) -> int:
    """A memfd that holds ``content``. Raises GraderFault when memory runs out."""
    fd = os.memfd_create("gemv-grade")
    try:
        left = content.cast("B")
        while left:
            left = left[os.write(fd, left) :]
    except OSError as error:
        os.close(fd)
        raise GraderFault(NO_MEMORY.format(reason=error)) from error
    return fd


def _read(fd: int, size: int) -> Bytes | None:
    """The ``size`` bytes of a memfd, read rather than mapped: under a mapping the child could still cut it short."""
    import numpy as np  # noqa: PLC0415

    content = np.empty(size, dtype=np.uint8)
    return content if os.preadv(fd, [content.data], 0) == size else None


NO_MEMORY = Text(
    zh="内存不足，放不下测试数据（{reason}）；请释放内存后重试。",
    en="There is no memory left for the test data ({reason}); free some, and try again.",
)
TOO_LONG = Text(
    zh="运行超过 {seconds:g} 秒仍未结束，已停止：填入的表达式里可能有死循环。",
    en="It did not finish within {seconds:g} seconds and was stopped: the expression may loop endlessly.",
)
TOO_LONG_IN_ALL = Text(
    zh="所有用例合计的运行时间用完了，已在这一例停止。",
    en="The time for all cases together ran out in this one, and it was stopped.",
)
VANISHED = Text(
    zh="运行这一例的进程中途消失了，没有交回结果（{said}）。",
    en="The process that ran this case went away without a result ({said}).",
)
OUT_OF_STEP = Text(
    zh="运行这一例的进程交回的不是这一例的结果。",
    en="The process that ran this case handed back something else than its result.",
)
