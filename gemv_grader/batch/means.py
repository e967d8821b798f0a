"""What there is to perform programs with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Means:
    """``nvcc`` is its release, empty for none, None where nobody asked."""

    is_gpu: bool
    can_run: bool
    nvcc: str | None
