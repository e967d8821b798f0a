"""How long intake takes as classes grow, and how much memory, for an export of each kind.

    python benchmarks/intake.py [COUNT ...]

Time per submission should not grow with the class. Each measurement is a process of its own; memory is its peak.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.paths import data_root

PROGRAM = (data_root() / "solutions" / "03_gemv.cu").read_bytes()
ANSWERS = (data_root() / "solutions" / "03_gemv.answers.md").read_bytes()

MEASURE = """
import json, resource, sys, time
from pathlib import Path
from gemv_grader.batch.intake import save_students, take_in
source, students = Path(sys.argv[1]), Path(sys.argv[2])
start = time.perf_counter()
found = take_in(source)
taken = time.perf_counter()
save_students(students, found)
saved = time.perf_counter()
take_in(source, previous=students)
again = time.perf_counter()
read = sum(len(entry.program.read(1 << 20)) for entry in found.entries if entry.program)
ended = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([len(found.entries), taken - start, again - saved, ended - again, peak]))
"""


def main() -> None:
    """Make each class in a temporary folder and measure it."""
    counts = [int(count) for count in sys.argv[1:]] or [1_000, 20_000]
    print(f"{'export':<28} {'students':>8} {'intake':>9} {'per file':>10} {'again':>8} {'read all':>9} {'peak':>8}")
    for name, make in EXPORTS.items():
        for count in counts:
            with tempfile.TemporaryDirectory(prefix="gemv-grade-bench-") as folder:
                source = make(Path(folder), count)
                print(measured(source, Path(folder) / "students.csv").row(name))


@dataclass(frozen=True)
class Measured:
    """Seconds of intake, of the next one that follows students.csv, and of reading; peak memory in MB."""

    count: int
    first: float
    again: float
    reading: float
    peak: float

    def row(self, name: str) -> str:
        """One line of the table."""
        each = self.first / self.count * 1e6
        times = f"{self.first:>7.2f} s {each:>7.0f} µs {self.again:>6.2f} s {self.reading:>7.2f} s"
        return f"{name:<28} {self.count:>8} {times} {self.peak:>5.0f} MB"


def measured(source: Path, students: Path) -> Measured:
    """Measure in a fresh process."""
    command = (sys.executable, "-c", MEASURE, str(source), str(students))
    ended = subprocess.run(command, capture_output=True, check=True, text=True)
    return Measured(*json.loads(ended.stdout))


def one_file_each(folder: Path, count: int) -> Path:
    """A flat folder of ``.cu`` files."""
    source = folder / "class"
    source.mkdir()
    for number in range(count):
        (source / f"student{number:05}.cu").write_bytes(PROGRAM)
    return source


def moodle_folders(folder: Path, count: int) -> Path:
    """Moodle's folders, with program and answers."""
    for number in range(count):
        source = folder / "class" / f"学生 {number}_{100_000 + number}_assignsubmission_file"
        source.mkdir(parents=True)
        (source / "03_gemv.cu").write_bytes(PROGRAM)
        (source / "answers.md").write_bytes(ANSWERS)
    return folder / "class"


def canvas_zip(folder: Path, count: int) -> Path:
    """Canvas's own archive."""
    path = folder / "submissions.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(count):
            packed.writestr(f"student{number}_{100_000 + number}_{900_000 + number}_03_gemv.cu", PROGRAM)
    return path


def archive_each(folder: Path, count: int) -> Path:
    """A folder of zips, one for each student."""
    source = folder / "class"
    source.mkdir()
    for number in range(count):
        with zipfile.ZipFile(source / f"student{number:05}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("gemv/03_gemv.cu", PROGRAM)
            packed.writestr("gemv/answers.md", ANSWERS)
    return source


EXPORTS: dict[str, Callable[[Path, int], Path]] = {
    "one file each": one_file_each,
    "Moodle folders": moodle_folders,
    "Canvas, one zip": canvas_zip,
    "a zip each": archive_each,
}

if __name__ == "__main__":
    main()
