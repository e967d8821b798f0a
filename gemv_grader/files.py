"""Reads files that somebody named: regular ones only, and no more of them than asked for."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


class NotRegularError(OSError):
    """The path is a pipe, a device or a socket: reading it may wait for ever, or never come to an end."""


def read_at_most(path: Path, most: int) -> bytes:
    """The file's first ``most`` bytes. Raises OSError where it cannot be read, NotRegularError where it is no file."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise NotRegularError(errno.EINVAL, "not a regular file", str(path))
    with path.open("rb") as file:
        return file.read(most)
