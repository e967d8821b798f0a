"""What a compilation hands on: code ready for the device, or the compiler's reasons why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DiagnosticSeverity = Literal["error", "warning"]


@dataclass(frozen=True)
class Diagnostic:
    """One message of a compiler, in the program's coordinates: lines and columns count from 1.

    ``line`` is None for a message about the compilation as a whole or about a file other than the program.
    """

    severity: DiagnosticSeverity
    line: int | None
    column: int | None
    message: str


@dataclass(frozen=True)
class Binary:
    """A program for one device, or the diagnostics of a failed build.

    ``code`` is what runs there: the cubin of its device half for a GPU, an executable for a CPU; ``arch`` says which.
    ``seconds`` is what the compiler took, also when the result now comes from the cache.
    """

    ok: bool
    code: bytes | None
    tool: str
    version: str
    command: tuple[str, ...]
    seconds: float
    cached: bool
    diagnostics: tuple[Diagnostic, ...]
    arch: str
    timed_out: bool

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that made the build fail."""
        return tuple(d for d in self.diagnostics if d.severity == "error")
