"""How the child that runs student code is kept from the rest of the machine.

What it runs is device code, which can make no system call, or for the CPU native code, of which the lock has made
sure that it names and changes nothing outside the fill; the walls are for what nobody thought of. The best there is
gets used: bubblewrap (no network, no other processes, a read-only file system without homes and temporary files);
else, for root, the user ``nobody``. Limits and a process group of its own it has in any case.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gemv_grader.process import Command, clean_environment, run

NOBODY = 65534
_HIDDEN = ("/tmp", "/var/tmp", "/home", "/root")  # noqa: S108 - what to hide, not to use


@dataclass(frozen=True)
class Confinement:
    """Walls around one child. ``prefix`` goes before its command; ``user`` is whom it runs as, None for ourselves."""

    kind: Literal["bubblewrap", "nobody", "none"]
    prefix: tuple[str, ...] = ()
    user: int | None = None


def confine(needs: tuple[Path, ...], devices: tuple[Path, ...] = ()) -> Confinement:
    """The strongest walls that work here around a Python that reads ``needs`` and opens ``devices``."""
    needs = tuple(path.resolve() for path in (Path(sys.base_prefix), *needs))
    if (bwrap := shutil.which("bwrap")) and _works(prefix := _bubblewrap(bwrap, needs, devices)):
        return Confinement("bubblewrap", prefix=prefix)
    if os.geteuid() == 0 and all(map(_open_to_all, needs)) and all(map(_usable_by_all, devices)):
        return Confinement("nobody", user=NOBODY)
    return Confinement("none")


def _bubblewrap(bwrap: str, needs: tuple[Path, ...], devices: tuple[Path, ...]) -> tuple[str, ...]:
    # No --die-with-parent: it would tie the child to the thread that started it. It watches its socket instead.
    options = ["--unshare-all", "--cap-drop", "ALL"]
    options += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    for device in devices:
        options += ["--dev-bind", str(device), str(device)]
    hidden = [path for path in dict.fromkeys((*map(Path, _HIDDEN), *_home())) if path.is_dir()]
    for path in hidden:
        options += ["--tmpfs", str(path)]
    for path in needs:
        if any(path.is_relative_to(covered) for covered in hidden):
            options += ["--ro-bind", str(path), str(path)]
    return (bwrap, *options, "--chdir", "/", "--")


def _home() -> tuple[Path, ...]:
    """Our home directory; none without $HOME and for a user whom this machine does not know."""
    try:
        return (Path.home(),)
    except RuntimeError:
        return ()


def _works(prefix: tuple[str, ...]) -> bool:
    """Try the walls on a process that does nothing: namespaces may be forbidden, as in many containers."""
    return run(Command((*prefix, "/bin/true"), Path("/"), clean_environment(Path("/"))), seconds=5).ok


def _open_to_all(path: Path) -> bool:
    """Whether anybody may read a file, or enter and list a directory, at ``path`` and on the way to it."""
    ways = [parent.stat().st_mode & stat.S_IXOTH for parent in path.parents]
    return all(ways) and bool(path.stat().st_mode & stat.S_IROTH)


def _usable_by_all(device: Path) -> bool:
    mode = device.stat().st_mode
    return stat.S_ISDIR(mode) or mode & 0o006 == 0o006
