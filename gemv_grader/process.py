"""The one way to run a child process: bounded in time, output and resources, and gone afterwards.

Every child leads a session of its own. A shell sets its limits before the program starts, so nothing it does
can come before them; the shell also leaves a guard in the group, which kills the group when we are gone, however
we ended. Its output is read to the end but kept only up to a bound, so an endless writer neither blocks nor fills
our memory. When we are done with a child, for whatever reason, its whole group is killed before the leader is
reaped: as long as the leader is a zombie, its group id cannot belong to anybody else.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO

MIB = 1 << 20

_stopping = threading.Event()

_POLL_SECONDS = 0.002
_DRAIN_SECONDS = 1.0
_REAP_SECONDS = 30.0  # a killed process can take its time in a driver; we do not wait for ever


@dataclass(frozen=True)
class Limits:
    """What each process of a child may use, and how much of their common output is kept."""

    output_bytes: int = MIB
    memory_bytes: int | None = None
    file_bytes: int | None = None
    cpu_seconds: int | None = None

    def shell(self) -> str:
        """The limits as a shell command; core dumps are always off."""
        commands = ["ulimit -c 0"]
        if self.memory_bytes is not None:
            commands.append(f"ulimit -v {self.memory_bytes // 1024}")
        if self.file_bytes is not None:
            commands.append(f"ulimit -f {self.file_bytes // 512}")
        if self.cpu_seconds is not None:
            commands.append(f"ulimit -t {self.cpu_seconds}")
        return " && ".join(commands)


@dataclass(frozen=True)
class Command:
    """What to run and how. ``argv[0]`` is an absolute path: a missing one shows as exit status 127.

    ``user`` is a user and group id to run under, which only root may choose. A child that gets ``pass_fds`` has no
    guard: it notices our end by them.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    limits: Limits = Limits()
    pass_fds: tuple[int, ...] = ()
    user: int | None = None


@dataclass(frozen=True)
class Finished:
    """How a child ended. ``status`` is its exit status, or None when a signal (ours too) ended it."""

    status: int | None
    signal: int | None
    timed_out: bool
    output: str
    truncated: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.status == 0


class Child:
    """A running child. Leaving the ``with`` block kills its group and reaps it.

    Raises OSError if no process can be started at all.
    """

    def __init__(self, command: Command) -> None:
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _script(command), "sh", *command.argv],
            cwd=command.cwd,
            env=dict(command.env),
            stdin=subprocess.PIPE,  # nothing is ever written: its end tells the guard that we are gone
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=command.pass_fds,
            user=command.user,
            group=command.user,
            extra_groups=None if command.user is None else [],
        )
        assert self._process.stdout is not None  # noqa: S101 - stdout=PIPE just above
        self._capture = _Capture(self._process.stdout, command.limits.output_bytes)
        self._capture.start()

    def exited(self) -> bool:
        """Whether the leader has ended; it stays a zombie until ``end``."""
        if self._process.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def wait(self, seconds: float) -> bool:
        """Wait for the leader's end, at most ``seconds``, or until we are to stop; returns whether it came."""
        return self._wait(seconds, stoppable=True)

    def _wait(self, seconds: float, *, stoppable: bool) -> bool:
        deadline = time.monotonic() + seconds
        while not self.exited():
            if time.monotonic() >= deadline or (stoppable and _stopping.is_set()):
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def kill(self) -> None:
        """Kill the whole group, without waiting for its end."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self, *, timed_out: bool = False) -> Finished:
        """Kill whatever is left of the group, reap the leader, and say how it ended. May be called again."""
        if self._process.returncode is None:
            self.kill()
            if self._wait(_REAP_SECONDS, stoppable=False):
                self._process.wait()
            self._capture.finish()
            assert self._process.stdin is not None  # noqa: S101 - stdin=PIPE
            self._process.stdin.close()
        code = self._process.returncode
        if code is None:
            code = -signal.SIGKILL  # killed, but not gone yet
        return Finished(
            status=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            timed_out=timed_out,
            output=bytes(self._capture.kept).decode("utf-8", errors="replace"),
            truncated=self._capture.truncated,
            seconds=time.monotonic() - self._started,
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _script(command: Command) -> str:
    """Sets the limits, leaves the guard, and becomes the program, which reads nothing from us.

    The guard would keep passed descriptors open after the program's end.
    """
    guard = "" if command.pass_fds else "exec 3<&0; { read -r _ <&3; kill -9 0; } & exec 3<&-\n"
    return f'{command.limits.shell()} || exit 126\n{guard}exec "$@" </dev/null'


class _Capture(threading.Thread):
    """Reads a child's output to its end, keeping the first ``most`` bytes."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        super().__init__(name="capture", daemon=True)
        self._stream = stream
        self._most = most
        self._abandoned = False
        self.kept = bytearray()
        self.truncated = False

    def run(self) -> None:
        with self._stream:
            while not self._abandoned and (chunk := os.read(self._stream.fileno(), 65536)):
                room = self._most - len(self.kept)
                self.kept += chunk[:room]
                self.truncated = self.truncated or len(chunk) > room

    def finish(self) -> None:
        """Wait for the rest. A process that left the group may hold the pipe open: it is not waited for."""
        self.join(_DRAIN_SECONDS)
        self._abandoned = True


def end_in_order() -> None:
    """Make Ctrl-C, SIGTERM and SIGHUP unwind us, so that every ``with`` block ends its children and directories.

    Other threads stop waiting for theirs. What was ignored, as under nohup, stays ignored.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _unwind)


def _unwind(number: int, _frame: FrameType | None) -> None:
    _stopping.set()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    for polite in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)  # a second one would interrupt the cleaning up
    raise SystemExit(128 + number)


def run(command: Command, seconds: float) -> Finished:
    """Run ``command`` to its end, at most ``seconds``. Raises OSError if it cannot be started at all."""
    with Child(command) as child:
        timed_out = not child.wait(seconds)
        return child.end(timed_out=timed_out)


def clean_environment(home: Path, *keep: str) -> dict[str, str]:
    """Search paths, a UTF-8 locale, ``home`` for all that is written, and our own values of ``keep``."""
    names = ("PATH", "LD_LIBRARY_PATH", *keep)
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C.UTF-8"}


@contextlib.contextmanager
def private_directory() -> Iterator[Path]:
    """A temporary directory that only we can read; it is gone after the ``with`` block."""
    with tempfile.TemporaryDirectory(prefix="gemv-grade-", ignore_cleanup_errors=True) as path:
        yield Path(path)
