"""The grader's end of the wire to the child that holds the GPU: starts it, talks to it, ends it.

Messages are one JSON object each, some with file descriptors; ``gpu_child`` lists them. Nobody waits for one longer
than allowed, and the end of the wire tells that the child has died.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gemv_grader.errors import GraderFault
from gemv_grader.process import MIB, Child, Command, Limits, clean_environment
from gemv_grader.run import cuda_errors
from gemv_grader.run.confine import confine
from gemv_grader.run.presence import device_nodes, find_cupy
from gemv_grader.words import Text

START_SECONDS = 60.0
"""A machine with many GPUs can take tens of seconds to open CUDA for the first time."""

_LONGEST_MESSAGE = 1 << 16
_LAST_WORDS_SECONDS = 1.0
_LIMITS = Limits(output_bytes=64 * 1024, file_bytes=64 * MIB)
_ENVIRONMENT = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")


class Link:
    """A running child and the socket to it. ``facts`` is what is known of it: its CuPy, and the walls around it."""

    def __init__(self, script: Path) -> None:
        cupy = find_cupy()
        script, *sites = (path.resolve() for path in (script, *((cupy.site,) if cupy else ())))
        walls = confine((script, *sites), device_nodes())
        self.facts = {"cupy": cupy.distribution if cupy else "", "sandbox": walls.kind}
        self._heard: dict[str, Any] = {}
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        python = (os.path.realpath(sys.executable), "-I", "-S", str(script), str(theirs.fileno()))
        command = Command(
            argv=(*walls.prefix, *python, *map(str, sites)),
            cwd=Path("/"),
            env={**clean_environment(Path("/nonexistent"), *_ENVIRONMENT), "CUDA_CACHE_DISABLE": "1"},
            limits=_LIMITS,
            pass_fds=(theirs.fileno(),),
            user=walls.user,
        )
        try:
            with theirs:
                self._child = Child(command)
        except OSError as error:
            self._socket.close()
            raise GraderFault(NO_PROCESS.format(reason=error)) from error

    def send(self, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
        """Send one message. If the child is gone or stuck, the next `receive` tells."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        with contextlib.suppress(ConnectionError, TimeoutError):
            self._socket.sendmsg([json.dumps(message).encode()], rights)

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None when the child has ended. Raises TimeoutError."""
        self._socket.settimeout(max(seconds, 0.001))
        try:
            data = self._socket.recv(_LONGEST_MESSAGE)
        except ConnectionError:
            # The child ended without reading all of ours; what it said before can still be read.
            data = self._socket.recv(_LONGEST_MESSAGE)
        message: dict[str, Any] | None = json.loads(data) if data else None
        return message

    def expect(self, key: str, seconds: float) -> Any:
        """What the child says under ``key``, now or earlier. Raises GraderFault if it fails, ends or is too slow."""
        deadline = time.monotonic() + seconds
        while key not in self._heard:
            try:
                message = self.receive(deadline - time.monotonic())
            except TimeoutError:
                raise GraderFault(SILENT.format(seconds=round(seconds))) from None
            if message is None:
                raise GraderFault(DIED.format(said=self.last_words()))
            if "fault" in message:
                raise GraderFault(cuda_errors.fault(message["fault"], message["code"], message["name"]))
            self._heard |= message
        return self._heard[key]

    def last_words(self) -> str:
        """The last line that an ended child printed: a traceback ends with what went wrong."""
        self._child.wait(_LAST_WORDS_SECONDS)
        finished = self._child.end()
        lines = finished.output.strip().splitlines()
        return lines[-1] if lines else f"status {finished.status}, signal {finished.signal}"

    def kill(self) -> None:
        """Kill the child with its whole group, without waiting for its end."""
        self._child.kill()

    def close(self) -> None:
        """Wait for the end of the child, and let go of it. May be called again."""
        self._child.end()
        self._socket.close()


NO_PROCESS = Text(
    zh="无法启动 GPU 子进程（{reason}）。请检查进程数限制与内存后重试。",
    en="The GPU process could not be started ({reason}). Check the limit on processes and the memory, and try again.",
)
SILENT = Text(
    zh="GPU 子进程在 {seconds} 秒内没有就绪；请用 nvidia-smi 检查 GPU 是否正常。",
    en="The GPU process was not ready within {seconds} seconds; check with nvidia-smi that the GPU is well.",
)
DIED = Text(
    zh="GPU 子进程在运行任何一例之前就结束了（{said}）；请运行 gemv-grade doctor 检查 GPU 与 CuPy。",
    en="The GPU process ended before any case was run ({said}); run gemv-grade doctor to check GPU and CuPy.",
)
