"""What building needs beside the source: the compiler, the cache of what it made, and a time limit."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemv_grader.build.cache import BuildCache
from gemv_grader.build.nvcc import Nvcc
from gemv_grader.build.time_limit import compile_seconds


@dataclass(frozen=True)
class Toolchain:
    """A compiler with its cache. ``seconds`` is the wall-clock limit of one compilation."""

    nvcc: Nvcc
    cache: BuildCache
    seconds: float = field(default_factory=compile_seconds)
