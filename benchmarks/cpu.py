"""How fast programs build and run on the CPU, all in one run.

    python benchmarks/cpu.py [RUNS] [--mlsys PYTHON]

PYTHON is an interpreter with mlsys-lab 0.4 (pip install mlsys-lab==0.4.0), whose software GPU interprets CUDA C in
Python; without it that comparison is left out. Both then run the kernel of lesson 3 on rows of the same length, on one
core each, and are compared per thread.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from mlsys_gemv import SCRIPT
from timing import Series, alternate, stopwatch

from gemv_grader.build import Binary
from gemv_grader.build.cache import BuildCache
from gemv_grader.cases import Case, plan, plan_case
from gemv_grader.exercise import CaseSpec, Exercise, load_exercise
from gemv_grader.program import splice
from gemv_grader.run.cpu.compiler import find_compiler
from gemv_grader.run.cpu.executable import CpuToolchain
from gemv_grader.run.cpu.runner import Options, run_executable
from gemv_grader.run.cpu_device import CpuDevice, launch, parameters
from gemv_grader.words import Text

EXERCISE = load_exercise("03_gemv")
ROWS, COLUMNS, BLOCK = 2000, 256, 256


def main() -> None:
    """Print build seconds, seconds for all cases, microseconds per block, and the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("runs", type=int, nargs="?", default=5)
    parser.add_argument("--mlsys", metavar="PYTHON")
    arguments = parser.parse_args()
    compiler = find_compiler()
    if isinstance(compiler, Text):
        raise SystemExit(compiler.en)
    cores = len(os.sched_getaffinity(0))
    print(f"{platform.machine()}, {cores} cores, {compiler.release}, {arguments.runs} rounds")
    with tempfile.TemporaryDirectory(prefix="gemv-grade-bench-") as folder:
        bench = Bench(EXERCISE, CpuToolchain(compiler, BuildCache(Path(folder))))
        bench.builds(arguments.runs)
        bench.all_cases(arguments.runs)
        per_thread = bench.blocks(arguments.runs)
    if arguments.mlsys:
        against_mlsys(arguments.mlsys, per_thread)
    else:
        print("no --mlsys: nothing to compare with")


class Bench:
    """The exercise's right program, on a build cache that starts empty."""

    def __init__(self, exercise: Exercise, toolchain: CpuToolchain) -> None:
        self._exercise = exercise
        self._devices = {checked: CpuDevice(toolchain, checked=checked) for checked in (True, False)}

    def builds(self, runs: int) -> None:
        """A program that no cache has, with and without the checker; the first also builds the runtime."""
        first = stopwatch(lambda: self._build(10_000, checked=True))
        print(f"{'first build ever (builds the runtime too)':<52} {first:7.3f} s")
        self._print(runs, {f"build, checker {_on(checked)}": self._building(checked) for checked in (True, False)})

    def all_cases(self, runs: int) -> None:
        """Every case of the exercise, on all cores."""
        cases = plan(self._exercise, seed=1)
        tasks = {}
        for checked, device in self._devices.items():
            device.prepare(cases)
            binary = self._build(0, checked=checked)
            tasks[f"all {len(cases)} cases, checker {_on(checked)}"] = self._running(device, binary)
        self._print(runs, tasks)

    def blocks(self, runs: int) -> float:
        """One core on many rows; returns the seconds per thread with the checker on."""
        spec = CaseSpec.model_validate(
            {
                "id": "rows",
                "group": "normal",
                "sizes": {"M": ROWS, "N": COLUMNS},
                "data": "signed",
                "note": {"zh": "-", "en": "-"},
            }
        )
        case = plan_case(self._exercise, spec, (1,))
        seconds = {}
        for checked in (True, False):
            binary = self._build(0, checked=checked)
            seconds[checked] = min(self._launch(case, binary) for _ in range(runs))
            name = f"a block of {BLOCK} threads, 1 core, checker {_on(checked)}"
            print(f"{name:<52} {1e6 * seconds[checked] / ROWS:7.1f} us  (best of {runs})")
        return seconds[True] / (ROWS * BLOCK)

    def _build(self, number: int, *, checked: bool) -> Binary:
        program = splice(self._exercise, f"row_A [ col ] * x [ col + {number} - {number} ]")
        binary = self._devices[checked].build(program, self._exercise)
        if isinstance(binary, Text) or not binary.ok:
            raise RuntimeError(f"a right program does not build: {binary}")
        return binary

    def _building(self, checked: bool) -> Callable[[int], float]:
        return lambda number: stopwatch(lambda: self._build(number, checked=checked))

    def _running(self, device: CpuDevice, binary: Binary) -> Callable[[int], float]:
        return lambda _: stopwatch(lambda: device.run(binary, self._exercise))

    def _launch(self, case: Case, binary: Binary) -> float:
        launches = [launch(case, self._exercise)]
        ran = run_executable(binary.code or b"", parameters(self._exercise), launches, Options(workers=1))
        return ran.reports[0].milliseconds / 1000

    def _print(self, runs: int, tasks: dict[str, Callable[[int], float]]) -> None:
        series: Series
        for series in alternate(runs, tasks):
            print(series.row())


def against_mlsys(python: str, per_thread: float) -> None:
    """The same kernel on mlsys-lab's software GPU."""
    done = subprocess.run([python, "-c", SCRIPT, str(COLUMNS)], capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    if not theirs["right"]:
        raise RuntimeError("mlsys-lab computed something else")
    print(f"{'mlsys-lab, per thread':<52} {1e6 * theirs['seconds_per_thread']:7.2f} us")
    print(f"{'ours with the checker on, per thread':<52} {1e6 * per_thread:7.3f} us")
    print(f"{'ratio':<52} {theirs['seconds_per_thread'] / per_thread:7.0f}")


def _on(checked: bool) -> str:
    return "on" if checked else "off"


if __name__ == "__main__":
    main()
