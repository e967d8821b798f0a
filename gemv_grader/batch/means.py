"""What there is to perform programs with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gemv_grader.words import Evidence


@dataclass(frozen=True)
class Means:
    """The strongest ``evidence`` to be had, and the release of each compiler by the name that its builds give.

    Of a cluster nobody knows the compilers.
    """

    evidence: Evidence
    compilers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_gpu(self) -> bool:
        """Whether programs run on a GPU."""
        return self.evidence is Evidence.GPU

    @property
    def is_emulated(self) -> bool:
        """Whether programs run on the CPU."""
        return self.evidence is Evidence.EMULATED

    def has_other(self, tool: str, version: str) -> bool:
        """Whether this compiler is at hand, in another version."""
        return self.compilers.get(tool, version) != version
