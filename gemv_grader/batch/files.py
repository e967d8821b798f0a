"""Files written whole or not at all."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path


def replace_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Put ``data`` at ``path``: written beside it and renamed, and if ``durable`` on the disk before this returns.

    Raises OSError if the disk does not take it; an earlier file stays then.
    """
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    new.replace(path)


def sync(folder: Path) -> None:
    """Wait until everything written to the file system of ``folder`` is on the disk: one wait for many files."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(fd):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
    finally:
        os.close(fd)
