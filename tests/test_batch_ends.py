"""A batch that is killed, interrupted or loses a worker: nothing is lost, nothing is left running."""

from __future__ import annotations

import contextlib
import importlib
import os
import pty
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from classes import FILLS, all_gone, batch, book, grades, hand_in, processes_with, verdicts
from commands import environment, fake_nvcc
from trails import RIGHT

from gemv_grader.batch import crew
from gemv_grader.batch.crew import LocalCrew, unpacked
from gemv_grader.batch.means import Means
from gemv_grader.words import Evidence

CLASS = {f"s{number:02}": list(FILLS.values())[number % 8] for number in range(48)} | {
    f"t{number:02}": f"{RIGHT} + {number}.0f - {number}.0f" for number in range(12)
}


@pytest.fixture
def slow_nvcc(tmp_path: Path) -> str:
    """A compiler that takes its time and refuses what names y."""
    script = "sleep 0.15; if grep -q 'row_A.* y *\\[' program.cu; then echo 'program.cu(72): error: no y'; exit 1; fi"
    return fake_nvcc(tmp_path, f"{script}; echo cubin >out")


@contextmanager
def running(source: Path, out: Path, nvcc: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A batch in a session of its own, as a terminal would have it; all of it is gone at the end."""
    command = (sys.executable, "-m", "gemv_grader", "batch", str(source), "--out", str(out), "--device", "none")
    process = subprocess.Popen(
        (*command, "--jobs", "2", *options),
        env=environment(NVCC=nvcc),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
    assert all_gone(str(out.parent)), "a process was left behind"


def is_under_way(out: Path) -> bool:
    """Wait until some program is being built, and say whether that came."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if any((out / "programs").glob("*.cu")):
            return True
        time.sleep(0.01)
    return False


def test_killed_ten_times_and_continued_it_comes_to_the_same(tmp_path: Path, slow_nvcc: str) -> None:
    source = hand_in(tmp_path / "class", CLASS)
    undisturbed = tmp_path / "undisturbed"
    started = time.monotonic()
    assert batch(source, undisturbed, "--jobs", "2", NVCC=slow_nvcc).code == 1
    seconds = time.monotonic() - started
    out = tmp_path / "killed"
    rng = random.Random(20_240_229)  # noqa: S311
    for _ in range(10):
        with running(source, out, slow_nvcc) as process:
            time.sleep(rng.uniform(0.1, 0.9) * seconds)
            process.kill()
    done = batch(source, out, "--jobs", "2", NVCC=slow_nvcc)
    assert done.code == 1
    assert (out / "gradebook.csv").read_bytes() == (undisturbed / "gradebook.csv").read_bytes()
    for key, grade in grades(undisturbed).items():
        again = grades(out)[key]
        for document in (grade, again):
            del document["started_at"], document["seconds"], document["seed"]
            (document["build"] or {}).update(seconds=0, reused=False)
            document["batch"].pop("looked", None)
        assert again == grade
    assert len(book(out)) == len(CLASS)


def test_an_interrupt_ends_all_of_it_within_two_seconds(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    hanging = fake_nvcc(tmp_path, "sleep 61.25 & sleep 61.25")
    with running(source, out, hanging) as process:
        assert is_under_way(out)
        while not processes_with("sleep\x0061.25"):
            time.sleep(0.01)
        started = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to everything in the terminal's foreground
        said = process.communicate()[1].decode()
        assert time.monotonic() - started < 2
        assert process.returncode == 130
        assert all_gone(str(tmp_path), 0.5)
        assert all_gone("sleep\x0061.25", 0.5)
    assert "the same command goes on" in said
    assert "Traceback" not in said
    (tmp_path / "nvcc").unlink()
    assert batch(source, out).code == 1
    assert set(verdicts(out)) == set(FILLS)


def test_a_worker_born_too_late_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.excepthook
    try:
        birth = importlib.import_module("gemv_grader.batch.birth")
        for error in (FileNotFoundError(2, "a lock"), EOFError(), BrokenPipeError()):
            sys.excepthook(type(error), error, None)
        assert capsys.readouterr().err == ""
        sys.excepthook(ValueError, ValueError("ours"), None)
        assert "ours" in capsys.readouterr().err
        assert birth.__name__ in crew._IMPORTED
    finally:
        sys.excepthook = before


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, slow_nvcc: str) -> None:
    source, out = hand_in(tmp_path / "class", CLASS), tmp_path / "grades"
    with running(source, out, slow_nvcc) as process:
        assert is_under_way(out)
        for worker in processes_with("multiprocessing.forkserver"):
            if os.getpgid(worker) == process.pid:
                os.kill(worker, signal.SIGKILL)
        said = process.communicate()[0].decode()
        assert process.returncode == 1, said
    assert "grader_fault" not in verdicts(out).values()
    assert len(verdicts(out)) == len(CLASS)


def test_two_batches_do_not_share_a_folder(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    with running(source, out, fake_nvcc(tmp_path, "sleep 60")):
        assert is_under_way(out)
        refused = batch(source, out)
    assert refused.code == 2
    assert "Another gemv-grade is at work" in refused.err


def test_a_terminal_shows_bars(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    ours, theirs = pty.openpty()
    command = (sys.executable, "-m", "gemv_grader", "batch", str(source), "--out", str(out), "--device", "none")
    with subprocess.Popen(command, env=environment(TERM="xterm"), stdout=theirs) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the other end is closed
            os.close(ours)
    assert process.returncode == 1
    text = shown.decode()
    assert re.search(r"graded .*━", text)
    assert "8/8" in text
    assert "8 students" in text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="workers are spawned there, by ourselves")
@pytest.mark.parametrize("delay", [0.0, 0.001, 0.002, 0.004, 0.008, 0.016, 0.03, 0.06])
def test_who_starts_the_workers_may_be_killed_while_starting_one(delay: float) -> None:
    crew = LocalCrew(2, "none", Means(Evidence.STATIC))
    (server,) = children_with("multiprocessing.forkserver", os.getpid())
    killer = threading.Timer(delay, os.kill, (server, signal.SIGKILL))
    killer.start()
    try:
        with contextlib.suppress(*crew.deaths):  # and nothing else
            crew.submit(len, ()).result(60)
        killer.join()
        crew.mend()
        assert unpacked(crew.submit(len, (1, 2)).result(60)) == 2
    finally:
        crew.close()


def children_with(words: str, parent: int) -> list[int]:
    """The children of a process that have ``words`` in their command."""
    return [pid for pid in processes_with(words) if int(stat_of(pid)[1]) == parent]


def stat_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
