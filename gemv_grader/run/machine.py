"""The machine's toolchain, and what a grade tells about the machine."""

from __future__ import annotations

import platform

from gemv_grader.build import BuildCache, Toolchain, find_nvcc
from gemv_grader.words import Text


def find_toolchain() -> Toolchain | Text:
    """nvcc with the user's build cache, or why there is no nvcc."""
    nvcc = find_nvcc()
    return nvcc if isinstance(nvcc, Text) else Toolchain(nvcc, BuildCache.default())


def toolchain_facts(toolchain: Toolchain | Text | None) -> dict[str, str]:
    """The compiler's version, where there is one."""
    return {"nvcc": toolchain.nvcc.release} if isinstance(toolchain, Toolchain) else {}


def machine_facts() -> dict[str, str]:
    """What every grade tells about its machine."""
    return {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
