"""The walk-through of one block, from a real run on the CPU."""

from __future__ import annotations

import secrets
from pathlib import Path

from gemv_grader.cases import plan
from gemv_grader.errors import GraderFault, UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.lock import Rejection, lock
from gemv_grader.mutants import load_mutants
from gemv_grader.program import splice
from gemv_grader.run.cpu.compiler import find_compiler
from gemv_grader.run.cpu.executable import CpuToolchain
from gemv_grader.run.cpu.runner import Options, run_executable
from gemv_grader.run.cpu.trace import Walk, walk
from gemv_grader.run.cpu_device import CpuDevice, launch, parameters
from gemv_grader.submission import read_submission
from gemv_grader.tryout import Shape, case_spec
from gemv_grader.verdict import NOT_ATTEMPTED
from gemv_grader.words import Text

_MOST_ELEMENTS = 1 << 22  # every access of the block is written down: a trace is for cases that a person can follow


def trace_block(exercise: Exercise, fill: str, shape: Shape, block: int) -> Walk:
    """Run one case of ``shape`` with ``fill`` in the blank, and tell what ``block`` did.

    Raises UsageProblem where there is no such case or block, or no compiler for the CPU.
    """
    compiler = find_compiler()
    if isinstance(compiler, Text):
        raise UsageProblem(compiler)
    spec = case_spec(exercise, shape)
    (case,) = plan(exercise.model_copy(update={"cases": (spec,)}), secrets.randbits(64))
    if case.slab.nbytes > 4 * _MOST_ELEMENTS:
        raise UsageProblem(TOO_LARGE)
    device = CpuDevice(CpuToolchain(compiler))
    binary = device.build(splice(exercise, fill), exercise)
    if isinstance(binary, Text):
        raise UsageProblem(binary)
    if binary.code is None:
        raise UsageProblem(DOES_NOT_COMPILE.format(reason=binary.errors[0].message if binary.errors else "-"))
    ran = run_executable(binary.code, parameters(exercise), [launch(case, exercise)], Options(traced=block))
    if not ran.reports:
        raise GraderFault(ran.ended or TOO_LARGE)
    (report,) = ran.reports
    if not report.events:
        raise UsageProblem(NO_SUCH_BLOCK.format(block=block, blocks=report.blocks))
    return walk(report.events, [buffer.name for buffer in exercise.inputs])


def fill_to_trace(exercise: Exercise, file: Path | None) -> str:
    """The canonical fill of a student's file; without one, the first right fill that the exercise comes with."""
    if file is None:
        return load_mutants(exercise).right[0].fill
    locked = lock(read_submission(file), exercise)
    if isinstance(locked, Rejection):
        raise UsageProblem(locked.reasons[0])
    if not locked.attempted:
        raise UsageProblem(NOT_ATTEMPTED)
    return locked.text


TOO_LARGE = Text(
    zh="这个规模太大，逐步跟踪没有意义：请用小一些的，例如 3x1024。",
    en="That is too large to follow step by step: take a smaller shape, such as 3x1024.",
)
DOES_NOT_COMPILE = Text(zh="编译不通过：{reason}", en="It does not compile: {reason}")
NO_SUCH_BLOCK = Text(
    zh="没有第 {block} 个 block：这次启动有 {blocks} 个，从 0 数起。",
    en="There is no block {block}: this launch has {blocks}, counted from 0.",
)
