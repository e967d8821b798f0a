"""How long `gemv-grade submit` takes, beside `nvcc -std=c++17 -c` of the same file, all in one run.

    python benchmarks/submit.py [RUNS]

Each round hands in a right fill that no round before had, so the device half is compiled every time. The host
half is compiled once per exercise and toolchain; the first submission ever, which has to, is shown apart.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from timing import alternate, ratio, timed

from gemv_grader.exercise import load_exercise
from gemv_grader.run.presence import why_no_gpu

EXERCISE = load_exercise("03_gemv")
SUBMIT = (sys.executable, "-m", "gemv_grader", "submit")


def main() -> None:
    """Measure what this machine can measure, and say what it cannot."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {runs} rounds")
    with tempfile.TemporaryDirectory(prefix="gemv-grade-bench-") as folder:
        bench = Bench(Path(folder))
        if shutil.which("nvcc"):
            bench.against_nvcc(runs)
        else:
            print("no nvcc on PATH: nothing to compare with")
        bench.static(runs)


class Bench:
    """A folder of submissions and a build cache of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._env = {**os.environ, "GEMV_GRADE_CACHE": str(folder / "cache")}

    def against_nvcc(self, runs: int) -> None:
        """`submit` with the device there is, against a plain compilation."""
        device = "none" if why_no_gpu() else "gpu"
        first = timed((*SUBMIT, str(self._right_file(10_000)), "--device", device), self._env)
        print(f"{'first submission ever (builds the host half too)':<52} {first:7.3f} s")
        same = self._right_file(0)
        nvcc, fresh, cached = alternate(
            runs,
            {
                "nvcc -std=c++17 -c": lambda number: timed(
                    ("nvcc", "-std=c++17", "-c", str(self._right_file(number)), "-o", os.devnull)
                ),
                f"submit --device {device}": lambda number: timed(
                    (*SUBMIT, str(self._right_file(number)), "--device", device), self._env
                ),
                "the same, with the program in the build cache": lambda _: timed(
                    (*SUBMIT, str(same), "--device", device), self._env
                ),
            },
        )
        for series in (nvcc, fresh, cached):
            print(series.row())
        print(f"submit / nvcc -c: {ratio(fresh, nvcc)}   from the cache / nvcc -c: {ratio(cached, nvcc)}")
        self._stages(device)

    def static(self, runs: int) -> None:
        """`submit --device none` on a machine without nvcc."""
        env = {**self._env, "NVCC": str(self._folder / "no-nvcc-here")}
        command = (*SUBMIT, str(self._right_file(0)), "--device", "none")
        (series,) = alternate(runs, {"submit --device none, without nvcc": lambda _: timed(command, env)})
        print(series.row())

    def _stages(self, device: str) -> None:
        report = self._folder / "grade.json"
        timed((*SUBMIT, str(self._right_file(20_000)), "--device", device, "--json", str(report)), self._env)
        grade = json.loads(report.read_text())
        print(f"of which nvcc -cubin {grade['build']['seconds']:.3f} s, all stages {grade['seconds']:.3f} s")
        print(f"verdict {grade['verdict']}, evidence {grade['evidence']}")

    def _right_file(self, number: int) -> Path:
        path = self._folder / f"right_{number}.cu"
        if not path.exists():
            fill = f"row_A[col] * x[col + {number} - {number}]"
            path.write_text(EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill), encoding="utf-8")
        return path


if __name__ == "__main__":
    main()
