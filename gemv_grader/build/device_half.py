"""The device half of a program: scaffold with fill and harness, compiled to a cubin for one architecture.

A student's fill lies in device code, so this is all that is ever compiled of it. When a build fails in a way that
the fill alone does not explain (a time-out, a crash of the compiler, an error elsewhere), the same scaffold is built
with a neutral fill. If that fails as well the fault is ours; if not, the fill is to blame after all.
"""

from __future__ import annotations

import re
from dataclasses import asdict, replace

from gemv_grader import __version__
from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.cache import digest
from gemv_grader.build.compilation import NEUTRAL_FILL, SOURCE_NAME, Compilation, compile_unit, unit
from gemv_grader.build.diagnostics import parse
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program, splice
from gemv_grader.words import Text

_LOOP = re.compile(r"\b(for|while|do|goto)\b")

DEFAULT_ARCH = "sm_80"
"""Compiled for where no GPU is at hand: known to every nvcc we accept."""


def build(program: Program, exercise: Exercise, toolchain: Toolchain, arch: str | None = None) -> Binary:
    """Compile ``program`` for ``arch`` (such as "sm_90"; None: only to see whether it compiles).

    A Binary that is not ok is the fill's doing. Raises GraderFault when it is not.
    """
    arch = arch or DEFAULT_ARCH
    binary = _build(program, exercise, toolchain, arch)
    if not binary.ok and not any(error.line == program.fill_line for error in binary.errors):
        control = _build(splice(exercise, NEUTRAL_FILL), exercise, toolchain, arch)
        if not control.ok:
            template = HANGS if control.timed_out else BROKEN
            reason = control.errors[0].message if control.errors else "-"
            raise GraderFault(template.format(nvcc=toolchain.nvcc.path, reason=reason))
    return binary


def _build(program: Program, exercise: Exercise, toolchain: Toolchain, arch: str) -> Binary:
    flags = ("-std=c++17", "-cubin", f"-arch={arch}", *_unoptimised(program))
    source = unit(program, exercise)
    key = digest(__version__, *flags, toolchain.nvcc.identity(), source)
    if cached := _recall(toolchain, key):
        return cached
    compiled = compile_unit(toolchain, flags, {SOURCE_NAME: source})
    binary = _binary(compiled, source, toolchain, arch)
    # Time-outs and crashes depend on the machine's load: only what would come out the same again is kept.
    if binary.ok or any(error.line is not None for error in binary.errors):
        toolchain.cache.put(key, asdict(replace(binary, cubin=None)), binary.cubin or b"")
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
        cubin=compiled.artifact,
        tool="nvcc",
        version=toolchain.nvcc.release,
        command=compiled.command,
        seconds=finished.seconds,
        cached=False,
        diagnostics=diagnostics,
        arch=arch,
        timed_out=finished.timed_out,
    )


def _recall(toolchain: Toolchain, key: str) -> Binary | None:
    entry = toolchain.cache.get(key)
    if entry is None:
        return None
    facts, cubin = entry
    back = {
        "cubin": cubin or None,
        "cached": True,
        "command": tuple(facts["command"]),
        "diagnostics": tuple(Diagnostic(**d) for d in facts["diagnostics"]),
    }
    return Binary(**{**facts, **back})


HANGS = Text(
    zh="{nvcc} 连没有填过的骨架也编译不完，卡住了。请单独运行它检查，或用环境变量 NVCC 指定另一个。",
    en="{nvcc} hangs: it does not even finish the pristine scaffold. Run it by hand to see why, or name "
    "another with NVCC.",
)
BROKEN = Text(
    zh="{nvcc} 连没有填过的骨架也编译不了（{reason}）。请运行 gemv-grade doctor 检查工具链。",
    en="{nvcc} cannot compile even the pristine scaffold ({reason}). Run gemv-grade doctor to check it.",
)
