"""How long `gemv-grade batch` takes for a made-up class, all in one run.

    python benchmarks/batch.py [--students N] [--programs N] [--big N]

- The class on this machine's device, beside compiling and running each submission by hand, one after another: nvcc and
  one launch on a sample of 20, scaled up. Without a GPU neither runs anything.
- Review only, on two cores and without a compiler: submissions per second, without answers and with.
- A big class the same way: seconds per submission, and memory of all processes together.
- Each again with nothing changed.

`school` makes the class: re-indented, commented, in several encodings, with CRLF; most students share few programs.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from school import make_class
from timing import timed

from gemv_grader.encoding import decode
from gemv_grader.run.presence import why_no_gpu

SAMPLE = 20
ALONE = {"NVCC": "/nonexistent/nvcc", "CXX": "/nonexistent/g++"}
# What a person adds who grades by hand: one launch, compared on the host.
MAIN = """
#include <cstdio>
#include <vector>
int main() {
    const int M = 512, N = 1024;
    std::vector<float> a(M * N, 0.5f), x(N, 2.0f), b(M, 1.0f), y(M);
    float *da, *dx, *db, *dy;
    cudaMalloc(&da, 4 * M * N); cudaMalloc(&dx, 4 * N); cudaMalloc(&db, 4 * M); cudaMalloc(&dy, 4 * M);
    cudaMemcpy(da, a.data(), 4 * M * N, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), 4 * N, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), 4 * M, cudaMemcpyHostToDevice);
    launch_gemv(da, dx, db, dy, M, N, 0);
    cudaMemcpy(y.data(), dy, 4 * M, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (float v : y) wrong += v != N + 1.0f;
    printf("%d wrong\\n", wrong);
}
"""


@dataclass(frozen=True)
class Run:
    """One batch: its wall-clock seconds, and the memory of all its processes at their most."""

    students: int
    seconds: float
    megabytes: float

    def row(self, name: str) -> str:
        """Seconds, rate and memory."""
        rate, each = self.students / self.seconds, self.seconds / self.students * 1000
        return f"{name:<46} {self.seconds:7.2f} s  {rate:7.0f}/s  {each:6.2f} ms each  {self.megabytes:5.0f} MB"


def main() -> None:
    """Measure what this machine can measure, and say what it cannot."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--big", type=int, default=20_000)
    asked = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, {asked.programs} programs")
    with tempfile.TemporaryDirectory(prefix="gemv-grade-bench-") as name:
        folder = Path(name)
        small = folder / "class"
        make_class(small, asked.students, asked.programs, answers=False)
        if shutil.which("nvcc"):
            against_nvcc(folder, small, asked.students)
        else:
            print("no nvcc on PATH: nothing to compare with")
        review_only(folder / "review", small, "review only")
        talkative = folder / "with answers"
        make_class(talkative, asked.students, asked.programs, answers=True)
        review_only(folder / "read", talkative, "review only, 80 % with answers")
        big = folder / "big class"
        make_class(big, asked.big, asked.programs, answers=False)
        review_only(folder / "big", big, "review only, big class")


def against_nvcc(folder: Path, source: Path, students: int) -> None:
    """The class on the strongest device, and by hand."""
    device = "none" if why_no_gpu() else "gpu"
    by_hand = [by_itself(path, folder) for path in sorted(source.glob("*/*.cu"))[:SAMPLE]]
    hours = sum(by_hand) / len(by_hand) * students
    print(f"{'by hand, ' + str(SAMPLE) + ' measured and scaled':<46} {hours:7.0f} s")
    env = {"GEMV_GRADE_CACHE": str(folder / "cache")}
    done = graded(source, folder / "grades", ("--device", device), env)
    print(done.row(f"batch --device {device}, empty cache"))
    print(f"{'  faster':<46} {hours / done.seconds:7.0f} x")
    print(graded(source, folder / "grades", ("--device", device), env).row("  again, nothing changed"))


def by_itself(path: Path, folder: Path) -> float:
    """Seconds to compile one submission with nvcc, and to run it where there is a GPU."""
    program, executable = folder / "by_hand.cu", folder / "by_hand"
    program.write_text(decode(path.read_bytes()).text + MAIN, encoding="utf-8")
    arch = () if why_no_gpu() else ("-arch=native",)
    started = time.perf_counter()
    nvcc = shutil.which("nvcc") or "nvcc"
    subprocess.run((nvcc, "-std=c++17", *arch, program, "-o", executable), capture_output=True, check=False)
    if executable.exists() and not why_no_gpu():
        subprocess.run((executable,), capture_output=True, check=False, timeout=60)
    executable.unlink(missing_ok=True)
    return time.perf_counter() - started


def review_only(out: Path, source: Path, name: str) -> None:
    """On two cores, without a compiler."""
    for title in (f"{name}, 2 cores", "  again, nothing changed"):
        print(graded(source, out, ("--device", "none", "--jobs", "2"), ALONE, cores="0,1").row(title), flush=True)


def graded(source: Path, out: Path, options: tuple[str, ...], env: dict[str, str], cores: str = "") -> Run:
    """Run `batch`. Raises RuntimeError if it ends with anything but 0 or 1."""
    command = (sys.executable, "-m", "gemv_grader", "batch", str(source), "--out", str(out), *options, "--lang", "en")
    pinned = ("taskset", "-c", cores) if cores and shutil.which("taskset") else ()
    with watched() as memory:
        seconds = timed((*pinned, *command), {**os.environ, **env}, statuses=(0, 1))
    return Run(sum(1 for _ in source.iterdir()), seconds, max(memory, default=0.0))


@contextmanager
def watched() -> Iterator[list[float]]:
    """Megabytes that all our descendants use together, looked at five times a second."""
    seen: list[float] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.2):
            seen.append(sum(_megabytes(pid) for pid in _descendants()))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def _descendants() -> list[int]:
    parents = {int(process.name): _parent(process) for process in Path("/proc").glob("[0-9]*")}
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:  # it ended meanwhile
        return 0


def _megabytes(pid: int) -> float:
    """A process's share of memory: what several share counts once."""
    try:
        shares = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:
        return 0.0
    return int(shares[1]) / 1024 if shares else 0.0


if __name__ == "__main__":
    main()
