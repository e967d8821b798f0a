"""The device without a GPU that still runs programs: emulated on the CPU, every access to memory checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gemv_grader.build import Binary
from gemv_grader.build.compilation import NEUTRAL_FILL, unit
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program, splice
from gemv_grader.run.cpu.compiler import Compiler
from gemv_grader.run.cpu.executable import SOURCE_NAME, CpuToolchain, build_executable
from gemv_grader.run.machine import machine_facts
from gemv_grader.run.outputs import AFTER_CRASH, CaseOutput, Outputs
from gemv_grader.words import Evidence, Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case
    from gemv_grader.run.cpu.runner import Ran

_SLOWER = 4  # the exercise's limits are meant for a GPU


class CpuDevice:
    """One program on the CPU."""

    is_gpu = False
    can_run = True

    def __init__(self, compiler: Compiler) -> None:
        self._toolchain = CpuToolchain(compiler)
        self._cases: tuple[Case, ...] = ()
        self._sandbox = ""

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Keep the cases until the program is built."""
        self._cases = cases

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile the program for this machine, or say what of CUDA in it the CPU cannot do."""
        built = self._compile(program, exercise)
        if isinstance(built, Text) or built.ok or any(error.line == program.fill_line for error in built.errors):
            return built
        control = self._compile(splice(exercise, NEUTRAL_FILL), exercise)
        if isinstance(control, Binary) and not control.ok:
            reason = control.errors[0].message if control.errors else "-"
            raise GraderFault(BROKEN.format(compiler=self._toolchain.compiler.path, reason=reason))
        return built

    def run(self, binary: Binary, exercise: Exercise) -> Outputs | Text:
        """Run the prepared cases, in a process of their own, behind walls."""
        from gemv_grader.run.cpu.runner import Launch, Options, Parameter, run_executable  # noqa: PLC0415 - NumPy

        assert binary.cubin is not None  # noqa: S101 - the pipeline runs only what was built
        parameters = [Parameter(buffer.name, buffer.role) for buffer in exercise.buffers]
        launches = []
        for case in self._cases:
            placed = {buffer.name: (buffer.offset, buffer.size) for buffer in case.buffers}
            places = tuple(placed.get(buffer.name) for buffer in exercise.buffers)
            sizes = tuple(case.sizes[name] for name in exercise.sizes)
            launches.append(Launch(case.id, case.slab, places, sizes, case.blocks or 0))
        ran = run_executable(
            binary.cubin, parameters, launches, Options(seconds=_SLOWER * exercise.limits.total_seconds)
        )
        self._sandbox = ran.sandbox
        if unsupported := [fault for report in ran.reports for fault in report.faults if fault.kind == "unsupported"]:
            return unsupported[0].message(SOURCE_NAME)
        return Outputs(tuple(_outputs(ran, self._cases)), Evidence.EMULATED)

    def facts(self) -> dict[str, str]:
        """Python, the compiler, and how the program was confined."""
        sandbox = {"sandbox": self._sandbox} if self._sandbox else {}
        return {**machine_facts(), "compiler": self._toolchain.compiler.release, **sandbox}

    def _compile(self, program: Program, exercise: Exercise) -> Binary | Text:
        return build_executable(unit(program, exercise), self._toolchain, checked=True)


def _outputs(ran: Ran, cases: tuple[Case, ...]) -> Iterator[CaseOutput]:
    """One output per case. As on a GPU, whose context a crash ruins, nothing counts that ran after one."""
    crashed: str | None = None
    for number, case in enumerate(cases):
        report = ran.reports[number] if number < len(ran.reports) else None
        if crashed is not None:
            yield CaseOutput(case.id, "skipped", detail=AFTER_CRASH.format(case=crashed))
        elif report is None or report.crashed:
            crashed = case.id
            detail = ran.ended if report is None or not report.faults else None
            yield CaseOutput(case.id, "crashed", detail=detail, faults=report.faults if report else ())
        else:
            slab = ran.slabs[number]
            yield CaseOutput(case.id, "ran", slab, report.milliseconds, None, report.faults, report.patterns)


BROKEN = Text(
    zh="{compiler} 连没有填过的骨架也编译不了（{reason}）。请运行 gemv-grade doctor 检查工具链。",
    en="{compiler} cannot compile even the pristine scaffold ({reason}). Run gemv-grade doctor to check it.",
)
