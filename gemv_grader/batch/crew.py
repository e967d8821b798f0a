"""Who does the work: processes of this machine. `cluster` has the crew of a Dask cluster.

Each worker holds the reading end of a pipe and ends when the other end closes. So the crew goes with us, however we
end, and what a worker has started (compilers, runners) goes with the worker: `process` and `gpu_child` see to that.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import cycle
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, Protocol

from gemv_grader.batch.lane import Lane, visible_gpus
from gemv_grader.batch.means import Means
from gemv_grader.run.device import Choice

PROGRAMS_PER_GPU = 4
"""While one runs, the next ones open CUDA, compile and upload. Each takes about half a gigabyte of the GPU's memory."""

PROGRAMS_ON_CPU = 2
"""One runs, on all cores, and the next one is compiled."""

_TRIES, _PAUSE = 5, 0.05
"""For starting a worker; the pause is in seconds."""

MOST_SECONDS_TO_CLOSE = 1.0
"""Whoever presses Ctrl-C waits no longer for a worker that does not end."""

# What every worker needs is imported once, by the process that they are forked from.
_IMPORTED = (
    "gemv_grader.cli",
    "gemv_grader.batch.tasks",
    "gemv_grader.review",
    "gemv_grader.prose.assess",
    "gemv_grader.batch.drawing",
    "gemv_grader.batch.birth",
)

Deaths = tuple[type[BaseException], ...]


class Crew(Protocol):
    """Runs tasks; what they return comes back packed, see `unpacked`."""

    @property
    def size(self) -> int:
        """How many tasks that need no GPU run at once."""

    @property
    def means(self) -> Means:
        """What there is to perform programs with."""

    @property
    def deaths(self) -> Deaths:
        """What a future, or `submit`, raises when a worker died."""

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """Start a task that needs no GPU."""

    def perform(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """Start a task on a program, which gets the device to choose and its lane as further arguments."""

    def mend(self) -> None:
        """Replace workers that died. Futures from before are as good as dead."""

    def close(self) -> None:
        """End now, whatever is still running."""


def packed(task: Callable[..., Any], *arguments: Any) -> bytes:
    """Do a task, in a worker. Small results go through a pipe in one piece: a death cannot leave half of one there."""
    return zlib.compress(pickle.dumps(task(*arguments)), 1)


def unpacked(result: bytes) -> Any:
    """What the task returned."""
    return pickle.loads(zlib.decompress(result))  # noqa: S301 - from our own workers


class LocalCrew:
    """Worker processes of this machine; those that run programs are apart, so that the others need not wait."""

    deaths: Deaths = (BrokenProcessPool,)

    def __init__(self, size: int, choice: Choice, means: Means) -> None:
        self.size = size
        self.means = means
        self._choice = choice
        self._scratch = Path(tempfile.mkdtemp(prefix="gemv-grade-batch-"))
        self._lanes = self._places()
        self._next_lane = cycle(self._lanes or [None])
        self._context = warm_up()
        self._theirs, self._lifeline = self._context.Pipe(duplex=False)
        self._pools: dict[str, ProcessPoolExecutor] = {}

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """In any process."""
        return self._start("cores", self.size, task, *arguments)

    def perform(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """In a process for programs, the GPUs by turns; in any process if programs are only built."""
        arguments = (*arguments, self._choice, next(self._next_lane))
        if not self._lanes:
            return self.submit(task, *arguments)
        at_once = PROGRAMS_PER_GPU * len(self._lanes) if self.means.is_gpu else PROGRAMS_ON_CPU
        return self._start("programs", at_once, task, *arguments)

    def mend(self) -> None:
        """Let go of all pools: the next task starts new ones."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        self._pools = {}

    def close(self) -> None:
        """End every worker, with all that it has started."""
        self._lifeline.close()
        self._theirs.close()
        _wait_for(self._pools.values())
        self.mend()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _places(self) -> list[Lane]:
        if self.means.is_emulated:
            return [Lane(None, self._scratch / "cpu.lock")]
        gpus = visible_gpus() if self.means.is_gpu else ()
        return [Lane(gpu, self._scratch / f"gpu-{number}.lock") for number, gpu in enumerate(gpus)]

    def _start(self, kind: str, size: int, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        for _ in range(_TRIES):
            if kind not in self._pools:
                self._pools[kind] = ProcessPoolExecutor(
                    size, self._context, initializer=_enlist, initargs=(self._theirs, str(self._scratch))
                )
            try:
                with _uninterrupted():
                    return self._pools[kind].submit(packed, task, *arguments)
            except (EOFError, ConnectionError):
                # Whoever starts our workers was killed while starting one; another is started for the next.
                self._pools.pop(kind).shutdown(wait=False, cancel_futures=True)
                time.sleep(_PAUSE)
        raise BrokenProcessPool


def _wait_for(pools: Iterable[ProcessPoolExecutor]) -> None:
    """Wait a little until pools whose workers have ended notice it.

    One that is still at that when the interpreter exits prints a traceback over its closed pipes.
    """
    waiting = [threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True}, daemon=True) for pool in pools]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join(MOST_SECONDS_TO_CLOSE)


def warm_up() -> BaseContext:
    """How workers are started; what all of them need is imported meanwhile, by the process they are forked from."""
    resource_tracker.ensure_running()  # it would undo `_uninterrupted` if it started later
    if sys.version_info < (3, 11):
        return multiprocessing.get_context("spawn")  # the other would import from the current directory first
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_IMPORTED))
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        with _uninterrupted():
            forkserver.ensure_running()
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before
    return context


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Start processes that the terminal's Ctrl-C does not reach: it is for us, and we end them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enlist(lifeline: Connection, scratch: str) -> None:
    """Begin as a worker: temporary files go where the crew's are removed."""
    os.environ["TMPDIR"] = scratch
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)
