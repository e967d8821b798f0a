"""Looks at the machine: what `submit` can do here, what it lacks, and how to mend that.

Whatever needs a process of its own to be looked at (compilers, the GPU, the sandbox) gets one: CUDA is never opened
in this process, and what hangs is stopped.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gemv_grader.build import BuildCache, Nvcc, Toolchain, build, find_nvcc
from gemv_grader.build.compilation import NEUTRAL_FILL
from gemv_grader.errors import GradeError, GraderFault
from gemv_grader.exercise import load_exercise
from gemv_grader.paths import list_exercises
from gemv_grader.process import MIB, Command, clean_environment, run
from gemv_grader.program import splice
from gemv_grader.rubric import load_rubric
from gemv_grader.run.confine import confine
from gemv_grader.run.cpu.compiler import find_compiler
from gemv_grader.run.cpu.executable import CpuToolchain
from gemv_grader.run.cpu_device import CpuDevice
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.presence import NO_CUPY, device_nodes, find_cupy, why_no_gpu
from gemv_grader.words import Evidence, Text

_ENOUGH_DISK = 256 * MIB  # a compilation leaves a few megabytes; this is room for many at once
_VERSION_SECONDS = 10.0


@dataclass(frozen=True)
class Check:
    """One thing that was looked for.

    ``missing`` keeps `submit` from even a static review, ``optional`` only from what needs it. ``found`` says what is
    there, ``mend`` what to do.
    """

    name: Text
    state: Literal["ok", "missing", "optional"]
    found: str = ""
    mend: Text | None = None


@dataclass(frozen=True)
class Diagnosis:
    """All checks, and the strongest evidence that `submit` can give here; None if it cannot grade at all."""

    checks: tuple[Check, ...]

    @property
    def evidence(self) -> Evidence | None:
        """What a grade can rest on here."""
        well = {check.name for check in self.checks if check.state == "ok"}
        if any(check.state == "missing" for check in self.checks):
            return None
        if {TRIAL, GPU} <= well:
            return Evidence.GPU
        if EMULATION in well:
            return Evidence.EMULATED
        return Evidence.COMPILED if TRIAL in well else Evidence.STATIC


def diagnose() -> Diagnosis:
    """Look at everything. Takes a few seconds, most of them for the trial compilation and the GPU."""
    nvcc = _found_nvcc()
    return Diagnosis(
        (
            Check(PYTHON, "ok", f"{platform.python_version()} ({sys.executable})"),
            _exercises(),
            _output(),
            _emulation(),
            *_compilers(nvcc),
            _gpu(),
            _cupy(),
            _sandbox(),
            _cache(BuildCache.default()),
            _temporary_files(),
        )
    )


def _exercises() -> Check:
    try:
        names = list_exercises()
        for name in names:
            load_rubric(load_exercise(name))
    except GradeError as problem:
        return Check(EXERCISES, "missing", mend=problem.text)
    return Check(EXERCISES, "ok" if names else "missing", ", ".join(names), None if names else NO_EXERCISES)


def _output() -> Check:
    encoding = sys.stdout.encoding or "ascii"
    try:
        "✓ 依据".encode(encoding)
    except UnicodeError:
        return Check(OUTPUT, "optional", encoding, NOT_UTF8)
    return Check(OUTPUT, "ok", encoding)


def _emulation() -> Check:
    """Whether programs can be built for the CPU: the compiler, and a trial."""
    compiler = find_compiler()
    if isinstance(compiler, Text):
        return Check(EMULATION, "optional", mend=compiler)
    found = f"{compiler.release} ({compiler.path})"
    try:
        exercise = load_exercise(list_exercises()[0])
        binary = CpuDevice(CpuToolchain(compiler, BuildCache(None))).build(splice(exercise, NEUTRAL_FILL), exercise)
    except (GradeError, IndexError) as problem:
        return Check(EMULATION, "optional", found, getattr(problem, "text", NO_EXERCISES))
    if isinstance(binary, Text):
        return Check(EMULATION, "optional", found, binary)
    return Check(EMULATION, "ok", f"{found}, {binary.seconds:.2f} s")


def _found_nvcc() -> Nvcc | Text:
    try:
        return find_nvcc()
    except GradeError as problem:
        return problem.text


def _compilers(nvcc: Nvcc | Text) -> Iterator[Check]:
    """nvcc, the host compiler that it needs, and whether the two compile an exercise."""
    if isinstance(nvcc, Text):
        yield Check(NVCC, "optional", mend=nvcc)
    else:
        yield Check(NVCC, "ok", f"{nvcc.release} ({nvcc.path})")
    chosen = os.environ.get("NVCC_CCBIN", "g++")
    host = shutil.which(chosen)
    version = _first_line(host, "--version") if host else None
    yield Check(HOST, "ok", f"{version} ({host})") if version else Check(HOST, "optional", mend=_no_host(chosen))
    yield _trial(nvcc) if isinstance(nvcc, Nvcc) else Check(TRIAL, "optional", mend=NEEDS_NVCC)


def _no_host(chosen: str) -> Text:
    other = next(filter(shutil.which, ("clang++", "g++")), None)
    return NO_HOST.format(chosen=chosen) if other is None else OTHER_HOST.format(chosen=chosen, other=other)


def _first_line(program: str, *arguments: str) -> str | None:
    """The first line that a program says, None if it fails or hangs."""
    command = Command((str(Path(program).resolve()), *arguments), Path("/"), clean_environment(Path("/")))
    finished = run(command, _VERSION_SECONDS)
    return next(iter(finished.output.splitlines()), None) if finished.ok else None


def _trial(nvcc: Nvcc) -> Check:
    try:
        exercise = load_exercise(list_exercises()[0])
        binary = build(splice(exercise, NEUTRAL_FILL), exercise, Toolchain(nvcc, BuildCache(None)))
    except (GradeError, IndexError) as problem:
        return Check(TRIAL, "optional", mend=getattr(problem, "text", NO_EXERCISES))
    return Check(TRIAL, "ok", f"{binary.arch}, {binary.seconds:.2f} s")


def _gpu() -> Check:
    """The GPU as the runner's own child sees it."""
    if (reason := why_no_gpu()) is not None:
        nodes = ", ".join(node.name for node in device_nodes())
        return Check(GPU, "optional", nodes, reason)
    try:
        with GpuRunner() as runner:
            facts = runner.facts()
    except GraderFault as fault:
        return Check(GPU, "optional", mend=fault.text)
    return Check(GPU, "ok", f"{facts['name']} ({facts['arch']}), CUDA {facts['driver']}")


def _cupy() -> Check:
    cupy = find_cupy()
    if cupy is not None:
        return Check(CUPY, "ok", cupy.distribution)
    return Check(CUPY, "optional", mend=NO_CUPY if device_nodes() else NEEDS_GPU)


def _sandbox() -> Check:
    """How the child that runs student code would be walled in."""
    cupy = find_cupy()
    kind = confine((cupy.site,) if cupy else (), device_nodes()).kind
    if kind != "none":
        return Check(SANDBOX, "ok", kind)
    return Check(SANDBOX, "optional", mend=BWRAP_BLOCKED if shutil.which("bwrap") else NO_BWRAP)


def _cache(cache: BuildCache) -> Check:
    directory = cache.directory
    if directory is None:
        return Check(CACHE, "ok", "off")
    cache.put("doctor", {}, b"")
    if cache.get("doctor") is None:
        return Check(CACHE, "optional", str(directory), NO_CACHE)
    (directory / "doctor").unlink()
    size = sum(path.stat().st_size for path in directory.iterdir())
    return Check(CACHE, "ok", f"{directory}, {size / MIB:.1f} MiB")


def _temporary_files() -> Check:
    try:
        directory = tempfile.gettempdir()
        free = shutil.disk_usage(directory).free
    except OSError as error:
        return Check(TEMPORARY, "optional", str(error), NO_ROOM)
    found = f"{directory}, {free // MIB} MiB"
    return Check(TEMPORARY, "ok", found) if free >= _ENOUGH_DISK else Check(TEMPORARY, "optional", found, NO_ROOM)


PYTHON = Text(zh="Python", en="Python")
EXERCISES = Text(zh="练习与评分标准", en="exercises")
OUTPUT = Text(zh="输出编码", en="output encoding")
EMULATION = Text(zh="CPU 模拟", en="CPU emulation")
NVCC = Text(zh="nvcc", en="nvcc")
HOST = Text(zh="nvcc 的主机编译器", en="nvcc's compiler")
TRIAL = Text(zh="nvcc 试编译", en="nvcc's trial")
GPU = Text(zh="GPU", en="GPU")
CUPY = Text(zh="CuPy", en="CuPy")
SANDBOX = Text(zh="沙箱", en="sandbox")
CACHE = Text(zh="编译缓存", en="build cache")
TEMPORARY = Text(zh="临时目录空间", en="temporary space")

NO_EXERCISES = Text(
    zh="没有找到任何练习；请重新安装 gemv-grade。", en="There are no exercises; install gemv-grade again."
)
NOT_UTF8 = Text(
    zh="终端的编码显示不了中文和 ✓ 等符号，它们会变成问号。请设 LC_ALL=C.UTF-8，或改用 --lang en。",
    en="This encoding has no Chinese and no ✓: they show as question marks. Set LC_ALL=C.UTF-8.",
)
NO_HOST = Text(
    zh="没有找到能用的 {chosen}，nvcc 需要它。Debian、Ubuntu 上请运行 apt-get install g++，或用 NVCC_CCBIN 指定。",
    en="There is no working {chosen}, which nvcc needs. On Debian and Ubuntu run apt-get install g++, or name a "
    "compiler with NVCC_CCBIN.",
)
OTHER_HOST = Text(
    zh="没有找到能用的 {chosen}，但有 {other}：请设 NVCC_CCBIN={other}。",
    en="There is no working {chosen}, but there is {other}: set NVCC_CCBIN={other}.",
)
NEEDS_NVCC = Text(zh="需要 nvcc。", en="Needs nvcc.")
NEEDS_GPU = Text(zh="这里没有 GPU，用不到。", en="Not needed without a GPU.")
NO_BWRAP = Text(
    zh="没有 bwrap：运行学生程序的子进程只有资源限制，没有隔离。请安装 bubblewrap（apt-get install bubblewrap）。",
    en="There is no bwrap: the process that runs student code has limits, but no walls. Install bubblewrap "
    "(apt-get install bubblewrap).",
)
BWRAP_BLOCKED = Text(
    zh="有 bwrap 但用不了，多半是容器或内核不允许用户命名空间：运行学生程序的子进程只有资源限制，没有隔离。",
    en="bwrap is there but does not work, most likely because user namespaces are forbidden in this container or "
    "kernel: the process that runs student code has limits, but no walls.",
)
NO_CACHE = Text(
    zh="缓存目录不可用（须归自己所有、他人不可写），每次都要重新编译。请改权限，或用 GEMV_GRADE_CACHE 另指一个。",
    en="The cache is of no use (it must be yours, and writable by nobody else): every build starts anew. Mend its "
    "permissions, or name another directory with GEMV_GRADE_CACHE.",
)
NO_ROOM = Text(
    zh="临时文件的空间太小，可能无法编译。请清理，或用 TMPDIR 另指一个目录。",
    en="There is too little room for temporary files; builds may fail. Free some, or name another directory with "
    "TMPDIR.",
)
