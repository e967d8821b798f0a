"""Stand-ins that tests put in the place of tools."""

from __future__ import annotations

import stat
from pathlib import Path

from gemv_grader.build import Nvcc


def fake_nvcc(directory: Path, script: str) -> Nvcc:
    """An nvcc that is the shell script ``script``, in ``directory``."""
    path = directory / "nvcc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Nvcc(path, "13.0.0")
