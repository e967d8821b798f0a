"""The device half of a program: scaffold with fill and harness, compiled to a cubin for one architecture.

A student's fill lies in device code, so this is all that is ever compiled of it.
"""

from __future__ import annotations

import re

from gemv_grader import __version__
from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.blame import build_or_blame
from gemv_grader.build.cache import digest
from gemv_grader.build.compilation import SOURCE_NAME, Compilation, compile_unit, unit
from gemv_grader.build.diagnostics import parse
from gemv_grader.build.remembered import recall, remember
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program

_LOOP = re.compile(r"\b(for|while|do|goto)\b")

DEFAULT_ARCH = "sm_80"
"""Compiled for where no GPU is at hand: known to every nvcc we accept."""


def build(program: Program, exercise: Exercise, toolchain: Toolchain, arch: str | None = None) -> Binary:
    """Compile ``program`` for ``arch`` (such as "sm_90"; None: only to see whether it compiles).

    A Binary that is not ok is the fill's doing. Raises GraderFault when it is not.
    """
    return build_or_blame(
        lambda candidate: _build(candidate, exercise, toolchain, arch or DEFAULT_ARCH),
        program,
        exercise,
        toolchain.nvcc.path,
    )


def _build(program: Program, exercise: Exercise, toolchain: Toolchain, arch: str) -> Binary:
    flags = ("-std=c++17", "-cubin", f"-arch={arch}", *_unoptimised(program))
    source = unit(program, exercise)
    key = digest(__version__, *flags, toolchain.nvcc.identity(), source)
    if cached := recall(toolchain.cache, key):
        return cached
    compiled = compile_unit(toolchain, flags, {SOURCE_NAME: source})
    binary = _binary(compiled, source, toolchain, arch)
    remember(toolchain.cache, key, binary)
    return binary


def _unoptimised(program: Program) -> tuple[str, ...]:
    """A loop in the fill is compiled as written: C++ lets an optimiser delete one that never ends."""
    return ("-G",) if _LOOP.search(program.fill) else ()


def _binary(compiled: Compilation, source: str, toolchain: Toolchain, arch: str) -> Binary:
    finished = compiled.finished
    diagnostics = parse(finished.output, source.split("\n"), SOURCE_NAME)
    ok = compiled.artifact is not None
    if not ok and not finished.timed_out and all(d.severity != "error" for d in diagnostics):
        last = finished.output.strip().rsplit("\n", 1)[-1]
        diagnostics += (Diagnostic("error", None, None, last or f"nvcc: exit status {finished.status}"),)
    return Binary(
        ok=ok,
        code=compiled.artifact,
        tool="nvcc",
        version=toolchain.nvcc.release,
        command=compiled.command,
        seconds=finished.seconds,
        cached=False,
        diagnostics=diagnostics,
        arch=arch,
        timed_out=finished.timed_out,
    )
