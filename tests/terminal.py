"""A real terminal for tests: a command in a pseudo-terminal, with the screen that a person would see."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
from commands import environment

PATIENCE = 60.0
"""Seconds until something that should be seen is missed; no test passes by waiting them out."""


class Terminal:
    """One command in a terminal of some size."""

    def __init__(self, command: list[str], columns: int, rows: int, **env: str) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(TERM="xterm-256color", COLUMNS="", LINES="", **env),
            start_new_session=True,
        )
        os.close(slave)

    @property
    def text(self) -> str:
        """What is on the screen now."""
        return "\n".join(self._screen.display)

    def send(self, keys: str) -> None:
        """Press keys, without waiting for what they do."""
        os.write(self._master, keys.encode())

    def see(self, what: str | Callable[[str], bool]) -> str:
        """The screen as soon as ``what`` is on it; fails if it does not come."""
        deadline = time.monotonic() + PATIENCE
        is_there = what if callable(what) else lambda text: what in text
        while not is_there(self.text):
            assert time.monotonic() < deadline, f"{what!r} is not on the screen:\n{self.text}"
            assert self._read() or is_there(self.text), f"it ended before {what!r} was seen:\n{self.text}"
        return self.text

    def ended(self) -> int:
        """The exit code, once the command has ended by itself."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < deadline, f"it does not end:\n{self.text}"
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End the command if it still runs."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def _read(self) -> bool:
        """Take what the command has written; False once nothing can come any more."""
        if not select.select([self._master], [], [], 0.05)[0]:
            return self._process.poll() is None
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # Linux: the other side is closed
            return False
        self._stream.feed(data)
        return bool(data)


@contextlib.contextmanager
def gemv_grade_in_terminal(*arguments: str | Path, columns: int = 80, rows: int = 24, **env: str) -> Iterator[Terminal]:
    """`gemv-grade` with these arguments, as a person runs it."""
    terminal = Terminal([sys.executable, "-m", "gemv_grader", *map(str, arguments)], columns, rows, **env)
    try:
        yield terminal
    finally:
        terminal.close()
