"""Finds the source lines of code addresses in an executable, with the linker's own tool."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from gemv_grader.process import MIB, Command, Limits, clean_environment, run

_SECONDS = 10.0
_PLACE = re.compile(r"(?P<file>.*):(?P<line>\d+)(?: \(discriminator \d+\))?")


def lines_of(executable: int, addresses: Iterable[int], name: str) -> Mapping[int, int]:
    """The line of the file ``name`` that each address (an offset in the executable's file) was compiled from.

    ``executable`` is an open file descriptor. Where a function of ours was inlined, the line is that of the program's
    call. Addresses of other files are missing, and so are all of them where neither addr2line nor its LLVM twin is.
    """
    wanted = sorted(set(addresses))
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if not wanted or tool is None:
        return {}
    argv = (tool, "-a", "-i", "-e", f"/proc/self/fd/{executable}", *map(hex, wanted))
    limits = Limits(output_bytes=4 * MIB)
    command = Command(argv, Path("/"), clean_environment(Path("/")), limits, pass_fds=(executable,))
    return _read(run(command, _SECONDS).output, name)


def _read(output: str, name: str) -> dict[int, int]:
    """An address, then its places from the innermost inlined function outwards: the first one in ``name`` counts."""
    found: dict[int, int] = {}
    address = 0
    for text in output.splitlines():
        if text.startswith("0x"):
            address = int(text, 16)
        elif (place := _PLACE.fullmatch(text)) and PurePosixPath(place["file"]).name == name:
            found.setdefault(address, int(place["line"]))
    return found
