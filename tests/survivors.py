"""Looks for processes that should be gone."""

from __future__ import annotations

import time
from pathlib import Path

from gemv_grader.run import gpu_child


def survivors(script: Path = Path(gpu_child.__file__)) -> list[int]:
    """Processes that still run the child's code, once they have had time to end."""
    deadline = time.monotonic() + 5
    while (found := running(script)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def running(script: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it ended meanwhile
            continue
        if str(script).encode() in arguments:
            found.append(int(process.name))
    return found
