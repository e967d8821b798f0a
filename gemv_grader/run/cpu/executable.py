"""Builds a program into an executable for this machine: the rewritten source, linked with our runtime.

The flags keep to what a GPU computes. Each operation rounds by itself (-ffp-contract=off): the bound on errors holds
with and without fused multiply-adds, and so the result is the same on every processor. Denormals count, signed
integers wrap, any pointer may alias another through a cast, null may be dereferenced, and an endless loop is kept. The
checked build stops at -O1: beyond it compilers merge, vectorise and speculate loads that a GPU would make as written.
"""

from __future__ import annotations

import errno
import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from gemv_grader import __version__
from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.cache import BuildCache, digest
from gemv_grader.build.compilation import NO_PROCESS, NO_SPACE, SOURCE_NAME, raise_machine_fault
from gemv_grader.build.diagnostics import parse
from gemv_grader.build.remembered import recall, remember
from gemv_grader.build.time_limit import compile_seconds
from gemv_grader.errors import GraderFault
from gemv_grader.process import MIB, Command, Finished, Limits, clean_environment, private_directory, run
from gemv_grader.run.cpu.compiler import Compiler, Family
from gemv_grader.run.cpu.rewrite import NotRewritable, rewrite
from gemv_grader.run.cpu.unsupported import UNSUPPORTED, unsupported_name
from gemv_grader.words import Text

_HERE = Path(__file__).parent
_INCLUDE = _HERE / "include"
_RUNTIME = _HERE / "runtime"
_RUNTIME_UNITS = ("engine", "desk")
_LIMITS = Limits(output_bytes=MIB // 4, memory_bytes=4096 * MIB, file_bytes=64 * MIB)

_LANGUAGE = (
    "-std=c++17", "-fPIE", "-fno-exceptions", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
)  # fmt: skip
_AS_ON_A_GPU = (
    "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-finite-loops",
)  # fmt: skip
_CHECKED = ("-O1", "-fsanitize=thread", "-fno-tree-vectorize")
# What keeps each compiler from changing which accesses there are. g++ hoists a read out of a loop and a condition in it
# where it cannot trap, and could then read what nobody wrote; and it sorts variables, where fences must stay between
# them. clang leaves out a read that a write of the same address follows: enough for races, not for unwritten memory.
_AS_WRITTEN: dict[Family, tuple[str, ...]] = {
    "gcc": ("-fno-tree-loop-im", "-fno-toplevel-reorder"),
    "clang": ("-mllvm", "-tsan-instrument-read-before-write"),
}
_UNCHECKED = ("-O2",)
# Without statement frontiers g++ gives an empty endless loop the line of some other statement.
_LINES: dict[Family, tuple[str, ...]] = {"gcc": ("-g1", "-gstatement-frontiers"), "clang": ("-g1",)}
_WARNINGS = ("-Wall", "-Wno-unknown-pragmas", "-Wno-unused", "-fno-diagnostics-show-option")
# Switching stacks is no attack: a shadow stack would take it for one.
_NO_SHADOW_STACK = {"x86_64": ("-fcf-protection=none",), "aarch64": ("-mbranch-protection=none",)}


@dataclass(frozen=True)
class CpuToolchain:
    """A compiler with the cache of what it made. ``seconds`` is the wall-clock limit of one compilation."""

    compiler: Compiler
    cache: BuildCache = field(default_factory=BuildCache.default)
    seconds: float = field(default_factory=compile_seconds)


def build_executable(source: str, toolchain: CpuToolchain, *, checked: bool) -> Binary | Text:
    """Compile and link a whole translation unit of CUDA C++ that defines ``harness_launch``.

    ``checked`` instruments every access to memory. A Text says what the program uses that the CPU cannot do; a Binary
    that is not ok carries the compiler's diagnostics. Raises GraderFault when machine or toolchain fail.
    """
    try:
        text = rewrite(source)
    except NotRewritable as limit:
        return UNSUPPORTED.format(name=limit)
    family = toolchain.compiler.family
    mode = (*_CHECKED, *_AS_WRITTEN[family]) if checked else _UNCHECKED
    flags = (*_flags(), *mode, *_LINES[family], *_WARNINGS)
    key = digest(__version__, *flags, toolchain.compiler.identity(), _stamp(), text)
    binary = recall(toolchain.cache, key) or _build(text, source, flags, toolchain)
    if not binary.cached:
        remember(toolchain.cache, key, binary)
    names = [unsupported_name(error.message) for error in binary.errors]
    if names and all(names):
        return UNSUPPORTED.format(name=", ".join(dict.fromkeys(map(str, names))))
    return binary


def _flags() -> tuple[str, ...]:
    return (*_LANGUAGE, *_AS_ON_A_GPU, *_NO_SHADOW_STACK.get(platform.machine(), ()))


def _build(text: str, source: str, flags: tuple[str, ...], toolchain: CpuToolchain) -> Binary:
    compiler = toolchain.compiler
    argv = (str(compiler.path), *flags, "-I", str(_INCLUDE), "-include", "cuda_runtime.h", "-c", "program.cpp")
    try:
        with private_directory() as directory, ThreadPoolExecutor(max_workers=len(_RUNTIME_UNITS)) as helpers:
            (directory / "program.cpp").write_text(f'#line 1 "{SOURCE_NAME}"\n{text}', encoding="utf-8")
            runtime = [helpers.submit(_runtime, name, toolchain) for name in _RUNTIME_UNITS]
            finished = _call(argv, directory, toolchain.seconds)
            if finished.ok:
                objects = [f"{name}.o" for name in _RUNTIME_UNITS]
                for name, made in zip(objects, runtime, strict=True):
                    (directory / name).write_bytes(made.result())
                link = (str(compiler.path), "-pie", "program.o", *objects, "-pthread", "-o", "program")
                linked = _call(link, directory, toolchain.seconds)
                finished = replace(
                    linked, output=finished.output + linked.output, seconds=finished.seconds + linked.seconds
                )
            content = (directory / "program").read_bytes() if finished.ok else None
    except OSError as error:
        template = NO_SPACE if error.errno in (errno.ENOSPC, errno.EDQUOT) else NO_PROCESS
        raise GraderFault(template.format(reason=error)) from error
    if content is None:
        raise_machine_fault(finished.output)
    return _binary(content, finished, source, compiler, argv)


def _binary(content: bytes | None, finished: Finished, source: str, compiler: Compiler, argv: Sequence[str]) -> Binary:
    diagnostics = parse(finished.output, source.split("\n"), SOURCE_NAME)
    if content is None and not finished.timed_out and all(d.severity != "error" for d in diagnostics):
        diagnostics += (Diagnostic("error", None, None, _reason(finished)),)
    return Binary(
        ok=content is not None,
        code=content,
        tool=compiler.path.name,
        version=compiler.release,
        command=(compiler.path.name, *argv[1:]),
        seconds=finished.seconds,
        cached=False,
        diagnostics=diagnostics,
        arch=platform.machine(),
        timed_out=finished.timed_out,
    )


def _runtime(name: str, toolchain: CpuToolchain) -> bytes:
    """An object file of the runtime: compiled once per compiler, then from the cache. Raises GraderFault."""
    flags = (*_flags(), "-O2")
    key = digest(__version__, name, *flags, toolchain.compiler.identity(), _stamp())
    if cached := toolchain.cache.get(key):
        return cached[1]
    argv = (str(toolchain.compiler.path), *flags, "-c", str(_RUNTIME / f"{name}.cpp"), "-o", "made.o")
    with private_directory() as directory:
        finished = _call(argv, directory, toolchain.seconds)
        if not finished.ok:
            raise GraderFault(NO_RUNTIME.format(compiler=toolchain.compiler.path, reason=_reason(finished)))
        content = (directory / "made.o").read_bytes()
    toolchain.cache.put(key, {}, content)
    return content


def _stamp() -> str:
    """Changes whenever a header or the runtime does."""
    files = sorted((*_INCLUDE.rglob("*.h*"), *_RUNTIME.iterdir()))
    return digest(*(path.read_text(encoding="utf-8") for path in files))


def _call(argv: Sequence[str], directory: Path, seconds: float) -> Finished:
    limits = replace(_LIMITS, cpu_seconds=int(seconds) + 1)
    return run(Command(tuple(argv), directory, clean_environment(directory), limits), seconds)


def _reason(finished: Finished) -> str:
    lines = finished.output.strip().splitlines() or [f"exit status {finished.status}"]
    return next((line for line in lines if "error" in line), lines[-1])[:300]


NO_RUNTIME = Text(
    zh="{compiler} 编译不了 CPU 运行时（{reason}）。请检查它的安装（需要 C++ 标准库），"
    "或用环境变量 CXX 指定另一个编译器。",
    en="{compiler} cannot compile the CPU runtime ({reason}). Check its installation (it needs the C++ standard "
    "library), or name another compiler with CXX.",
)
