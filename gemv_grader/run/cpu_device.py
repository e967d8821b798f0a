"""The device of machines without a GPU: programs run on the CPU, where every access to memory can be watched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gemv_grader.build import Binary
from gemv_grader.build.blame import build_or_blame
from gemv_grader.build.compilation import SOURCE_NAME, unit
from gemv_grader.exercise import Exercise
from gemv_grader.program import Program
from gemv_grader.run.compiler_only import CompilerOnly
from gemv_grader.run.cpu.executable import CpuToolchain, build_executable
from gemv_grader.run.cpu.runner import Launch, Options, Parameter, Ran, run_executable
from gemv_grader.run.machine import machine_facts
from gemv_grader.run.outputs import AFTER_CRASH, CaseOutput, Outputs
from gemv_grader.words import Evidence, Text

if TYPE_CHECKING:
    from gemv_grader.cases import Case

_BLOCK_SECONDS = 8.0


class CpuDevice:
    """One program on the CPU. What it finds is emulated evidence, and stands in for no GPU run.

    ``checked`` programs run nearly as fast as others, and their faults name thread, array, index and line.
    """

    is_gpu = False
    can_run = True

    def __init__(self, toolchain: CpuToolchain, *, checked: bool = True) -> None:
        self._toolchain = toolchain
        self._checked = checked
        self._cases: tuple[Case, ...] = ()
        self._sandbox: dict[str, str] = {}

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """Keep the cases until the program is built."""
        self._cases = cases

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """Compile the program for this machine, or say what it uses that the CPU cannot do."""

        def build(candidate: Program) -> Binary:
            built = build_executable(unit(candidate, exercise), self._toolchain, checked=self._checked)
            if isinstance(built, Text):
                raise _Unsupported(built)
            return built

        try:
            return build_or_blame(build, program, exercise, self._toolchain.compiler.path)
        except _Unsupported as limit:
            # A name that looks like CUDA's may be a typing error: nvcc, where there is one, knows.
            known = CompilerOnly().build(program, exercise)
            return known if isinstance(known, Binary) and not known.ok else limit.text

    def run(self, binary: Binary, exercise: Exercise) -> Outputs | Text:
        """Run the prepared cases in a process of their own, or say what of CUDA they use that the CPU cannot do."""
        assert binary.code is not None  # noqa: S101 - the pipeline runs only what was built
        limits = exercise.limits
        options = Options(
            block_seconds=min(_BLOCK_SECONDS, limits.case_seconds),
            stop_after_crash=True,
            seconds=2 * limits.total_seconds,
        )
        launches = [launch(case, exercise) for case in self._cases]
        ran = run_executable(binary.code, parameters(exercise), launches, options)
        self._sandbox = {"sandbox": ran.sandbox}
        unsupported = (fault for report in ran.reports for fault in report.faults if fault.kind == "unsupported")
        if (fault := next(unsupported, None)) is not None:
            return fault.message(SOURCE_NAME)
        return Outputs(tuple(_outputs(ran, self._cases)), Evidence.EMULATED, self.facts())

    def facts(self) -> dict[str, str]:
        """Python, the compiler, and how the program was confined."""
        return {**machine_facts(), "compiler": self._toolchain.compiler.release, **self._sandbox}


def parameters(exercise: Exercise) -> tuple[Parameter, ...]:
    """The exercise's buffers as the runner takes them."""
    return tuple(Parameter(buffer.name, buffer.role) for buffer in exercise.buffers)


def launch(case: Case, exercise: Exercise) -> Launch:
    """A case as the runner takes it."""
    placed = {buffer.name: (buffer.offset, buffer.size) for buffer in case.buffers}
    return Launch(
        id=case.id,
        slab=case.slab,
        places=tuple(placed.get(buffer.name) for buffer in exercise.buffers),
        sizes=tuple(case.sizes[name] for name in exercise.sizes),
        blocks=case.blocks or 0,
    )


def _outputs(ran: Ran, cases: tuple[Case, ...]) -> Iterator[CaseOutput]:
    """One output per case. As on a GPU, whose context a crash ruins, nothing counts that ran after one."""
    crashed: str | None = None
    for number, (case, slab) in enumerate(zip(cases, ran.slabs, strict=True)):
        report = ran.reports[number] if number < len(ran.reports) else None
        if crashed is not None:
            yield CaseOutput(case.id, "skipped", detail=AFTER_CRASH.format(case=crashed))
        elif report is None:
            crashed = case.id
            yield CaseOutput(case.id, "crashed", detail=ran.ended)
        elif report.crashed:
            crashed = case.id
            yield CaseOutput(case.id, "crashed", faults=report.faults)
        else:
            yield CaseOutput(case.id, "ran", slab, report.milliseconds, None, report.faults, report.patterns)


class _Unsupported(Exception):
    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text
