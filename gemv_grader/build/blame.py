"""Whose fault a failed build is. When the fill alone does not explain it, the same scaffold is built with a neutral
fill: if that fails as well the fault is ours or the machine's; if not, the fill is to blame after all.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gemv_grader.build.binary import Binary
from gemv_grader.build.compilation import NEUTRAL_FILL
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program, splice
from gemv_grader.words import Text


def build_or_blame(build: Callable[[Program], Binary], program: Program, exercise: Exercise, compiler: Path) -> Binary:
    """Build ``program``. A Binary that is not ok is the fill's doing; raises GraderFault when it is not."""
    binary = build(program)
    if not binary.ok and not any(error.line == program.fill_line for error in binary.errors):
        control = build(splice(exercise, NEUTRAL_FILL))
        if not control.ok:
            template = HANGS if control.timed_out else BROKEN
            reason = control.errors[0].message if control.errors else "-"
            raise GraderFault(template.format(compiler=compiler, reason=reason))
    return binary


HANGS = Text(
    zh="{compiler} 连没有填过的骨架也编译不完，卡住了。请单独运行它检查，"
    "或指定另一个：nvcc 用环境变量 NVCC，C++ 编译器用 CXX。",
    en="{compiler} hangs: it does not even finish the pristine scaffold. Run it by hand to see why, or name "
    "another: an nvcc with NVCC, a C++ compiler with CXX.",
)
BROKEN = Text(
    zh="{compiler} 连没有填过的骨架也编译不了（{reason}）。请运行 gemv-grade doctor 检查工具链。",
    en="{compiler} cannot compile even the pristine scaffold ({reason}). Run gemv-grade doctor to check it.",
)
