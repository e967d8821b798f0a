"""Small classes for the tests of batches, and what came of them."""

from __future__ import annotations

import csv
import json
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commands import ROOT, Ended, gemv_grade
from trails import EXERCISE, RIGHT

WRONG, CRASHES = "row_A[tid] * x[tid]", "x[col + 99999]"
FILLS: dict[str, str] = {
    "ada": RIGHT,
    "bob": f"{RIGHT} /* mine */",
    "cid": WRONG,
    "dan": CRASHES,
    "eve": "row_A[col] * y[col]",  # no such name there: a compiler says so
    "fay": "x[col]++",
    "gil": EXERCISE.blank.marker,
    "hal": "row_A［col］ * x[col]",
}
TESTS = Path(__file__).parent
GPU, POISON = "stand_in_gpu", "stand_in_poison"


def hand_in(folder: Path, fills: Mapping[str, str] = FILLS, *, with_answers: bool = False) -> Path:
    """A folder for each student."""
    for name, fill in fills.items():
        home = folder / name
        home.mkdir(parents=True)
        text = EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill)
        (home / "03_gemv.cu").write_text(text, encoding="utf-8")
        if with_answers:
            shutil.copy(ROOT / "solutions" / "03_gemv.answers.md", home / "answers.md")
    return folder


def batch(source: Path, out: Path, *options: str, stand_in: str = "", device: str = "none", **env: str) -> Ended:
    """Run `batch` on it, with one worker if the ``options`` ask for no other."""
    jobs = () if "--jobs" in options else ("--jobs", "1")
    return command("batch", source, "--out", out, "--device", device, *jobs, *options, stand_in=stand_in, **env)


def command(*arguments: str | Path, stand_in: str = "", **env: str) -> Ended:
    """Run any command, with a stand-in in every process."""
    given: dict[str, Any] = {**standing_in(stand_in), **env}
    return gemv_grade(*arguments, **given)


def standing_in(name: str) -> dict[str, str]:
    """The environment in which a stand-in is loaded into every process; none by the empty name."""
    if not name:
        return {}
    return {"PYTHONPATH": os.pathsep.join((str(TESTS / "site"), str(ROOT), str(TESTS))), "STAND_IN": name}


def grades(out: Path) -> dict[str, dict[str, Any]]:
    """Every grade, by key."""
    return {path.parent.name: json.loads(path.read_text()) for path in sorted(out.glob("*/grade.json"))}


def verdicts(out: Path) -> dict[str, str]:
    """The verdict of each student."""
    return {key: grade["verdict"] for key, grade in grades(out).items()}


def book(out: Path) -> list[dict[str, str]]:
    """The rows of the gradebook."""
    with (out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def processes_with(mark: str) -> list[int]:
    """Living processes whose command line or environment mentions ``mark``."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_zombie = "Z" in (process / "stat").read_text().rpartition(")")[2].split()[:1]
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:  # it ended meanwhile
            continue
        if mark.encode() in told and not is_zombie and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


def all_gone(mark: str, seconds: float = 2.0) -> bool:
    """Whether no process mentions ``mark`` any more, at the latest after ``seconds``."""
    deadline = time.monotonic() + seconds
    while processes_with(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not processes_with(mark)
