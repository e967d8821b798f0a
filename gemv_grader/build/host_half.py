"""The host half of a program: the exercise's launcher and harness as a shared library.

It is made from the scaffold with a neutral fill: no student's code is in it, and one serves all students. It is
linked with ``run/shim.cpp`` in place of the CUDA runtime: its launches go to the runner, which starts the kernel of
the same name from the student's device half.
"""

from __future__ import annotations

from importlib import resources

from gemv_grader import __version__
from gemv_grader.build.cache import digest
from gemv_grader.build.compilation import NEUTRAL_FILL, SOURCE_NAME, compile_unit, unit
from gemv_grader.build.toolchain import Toolchain
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.program import splice
from gemv_grader.words import Text

SHIM_NAME = "shim.cpp"

# The device code in this half is never loaded, and PTX alone spares an assembler run. CUDA 13 would launch
# through handles that only its own runtime can make; the older way, which it keeps, goes through
# cudaLaunchKernel.
_FLAGS = (
    "-std=c++17",
    "-shared",
    "-cudart=none",
    "-arch=compute_80",
    "-code=compute_80",
    "-Xcompiler=-fPIC,-D__NV_LEGACY_LAUNCH",
    "-Xlinker=-z,defs,-Bsymbolic",
)


def build_host_half(exercise: Exercise, toolchain: Toolchain) -> bytes:
    """The shared library's bytes. Raises GraderFault: exercise or toolchain are at fault, never a student."""
    shim = (resources.files("gemv_grader.run") / SHIM_NAME).read_text(encoding="utf-8")
    sources = {SOURCE_NAME: unit(splice(exercise, NEUTRAL_FILL), exercise), SHIM_NAME: shim}
    key = digest(__version__, *_FLAGS, toolchain.nvcc.identity(), *sources.values())
    if cached := toolchain.cache.get(key):
        return cached[1]
    compiled = compile_unit(toolchain, _FLAGS, sources)
    if compiled.artifact is None:
        output = compiled.finished.output.strip()[-1000:]
        raise GraderFault(BROKEN.format(exercise=exercise.id, nvcc=toolchain.nvcc.path, output=output))
    toolchain.cache.put(key, {}, compiled.artifact)
    return compiled.artifact


BROKEN = Text(
    zh="练习 {exercise} 的启动部分编译不了（{nvcc}）。其中的函数只能启动核函数，不能调用别的 CUDA 接口。"
    "编译器说：\n{output}",
    en="The launcher of exercise {exercise} does not build ({nvcc}). It may start kernels and call nothing "
    "else of CUDA. The compiler says:\n{output}",
)
