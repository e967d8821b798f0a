"""A batch on a Dask cluster of one machine: the same grades as without, also when a worker is killed."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from classes import FILLS, GPU, all_gone, batch, hand_in, standing_in, verdicts
from commands import environment

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="Dask is not installed (the extra `cluster`)"
)

SCHEDULER = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
WORKER = ("-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--nworkers", "1")


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A process of Dask with the stand-in for a GPU, and the address that it says it listens at."""
    log = folder / f"{len(list(folder.iterdir()))}.log"
    env: dict[str, Any] = {**standing_in(GPU), "STAND_IN_SECONDS": "0.5"}
    with log.open("wb") as file:
        process = subprocess.Popen(
            (sys.executable, *arguments), env=environment(**env), cwd=folder, stdout=file, stderr=file
        )
    try:
        deadline = time.monotonic() + 30
        while not (said := re.search(r"(?:Scheduler at|Start worker at):\s+(\S+)", log.read_text())):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield process, said[1]
    finally:
        process.kill()
        process.wait()


def test_a_cluster_gives_the_same_grades_even_if_a_worker_is_killed(tmp_path: Path) -> None:
    fills = FILLS | {f"{name}{number}": fill for name, fill in FILLS.items() for number in range(3)}
    source, out, logs = hand_in(tmp_path / "class", fills), tmp_path / "grades", tmp_path / "logs"
    logs.mkdir()
    batch(source, tmp_path / "alone", stand_in=GPU, device="gpu")
    with started(logs, *SCHEDULER) as (_, address):
        worker = (*WORKER, "--no-nanny", "--resources", "GPU=1", address)
        with started(logs, *worker) as (victim, _), started(logs, *worker):
            command = (sys.executable, "-m", "gemv_grader", "batch", str(source), "--out", str(out))
            with subprocess.Popen(
                (*command, "--device", "gpu", "--scheduler", address), env=environment(), stdout=subprocess.PIPE
            ) as process:
                assert process.stdout is not None
                assert any(b": started" in line for line in process.stdout)
                victim.kill()
                said = process.communicate()[0]
            assert process.returncode == 0, said
    assert verdicts(out) == verdicts(tmp_path / "alone")
    assert (out / "gradebook.csv").read_bytes() == (tmp_path / "alone" / "gradebook.csv").read_bytes()
    assert all_gone(str(logs))


def test_a_cluster_that_is_not_there_or_has_no_gpu_is_refused(tmp_path: Path) -> None:
    source, logs = hand_in(tmp_path / "class", {"gil": "______"}), tmp_path / "logs"
    logs.mkdir()
    absent = batch(source, tmp_path / "grades", "--scheduler", "tcp://127.0.0.1:1")
    assert (absent.code, "No Dask scheduler" in absent.err) == (2, True)
    with started(logs, *SCHEDULER) as (_, address), started(logs, *WORKER, "--no-nanny", address):
        refused = batch(source, tmp_path / "grades", "--scheduler", address, device="gpu")
        assert (refused.code, "no worker" in refused.err) == (2, True)
        assert batch(source, tmp_path / "grades", "--scheduler", address).code == 0
    assert verdicts(tmp_path / "grades") == {"gil": "not_attempted"}
