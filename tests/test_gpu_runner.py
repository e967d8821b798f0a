"""The GPU runner against children that misbehave in every way that its protocol has."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hang import no_hang
from survivors import survivors

from gemv_grader.cases import Case, plan
from gemv_grader.check import check
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.run import gpu_child
from gemv_grader.run.gpu import GpuRunner
from gemv_grader.run.outputs import Outputs
from gemv_grader.run.presence import why_no_gpu
from gemv_grader.words import CaseStatus, Evidence

SEED = 20240601
IDS = ("walkthrough", "wide", "bias_null")

# What every fake child begins with. `take` receives all that the grader sends before the first case.
PRELUDE = f"""
import json, mmap, os, socket, sys, time
grader = socket.socket(fileno=int(sys.argv[1]))
def send(**message): grader.send(json.dumps(message).encode())
def take():
    send(arch="sm_90")
    send(ready={{"name": "fake"}})
    slabs = []
    for _ in range({len(IDS)}):
        data, fds, *_ = socket.recv_fds(grader, 65536, 4)
        slabs.append(mmap.mmap(fds[0], json.loads(data)["slab"]))
    data, fds, *_ = socket.recv_fds(grader, 65536, 4)
    send(loaded=True)
    return slabs, json.loads(data)["program"], fds
"""


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise("03_gemv")


@pytest.fixture
def short(exercise: Exercise) -> Exercise:
    """Three small cases and short limits."""
    cases = tuple(case for case in exercise.cases if case.id in IDS)
    limits = exercise.limits.model_copy(update={"case_seconds": 0.5, "total_seconds": 1.2})
    return exercise.model_copy(update={"cases": cases, "limits": limits})


def run_fake(directory: Path, exercise: Exercise, script: str) -> tuple[tuple[Case, ...], Outputs]:
    path = directory / "child.py"
    path.write_text(PRELUDE + script)
    cases = plan(exercise, SEED)
    with GpuRunner(path) as runner:
        runner.upload(cases)
        return cases, runner.run(b"cubin", b"host half", exercise)


def statuses(outputs: Outputs) -> list[str]:
    return [output.status for output in outputs.cases]


def test_memory_goes_out_and_comes_back(tmp_path: Path, short: Exercise) -> None:
    script = """
slabs, program, fds = take()
assert [os.pread(fd, 100, 0) for fd in fds] == [b"cubin", b"host half"]
assert [case["blocks"] for case in program] == [0, 0, 0]
for number, slab in enumerate(slabs):
    assert program[number]["sizes"] == [[3, 1024], [5, 4099], [17, 500]][number]
    assert (program[number]["pointers"][2] is None) == (number == 2)
    slab[0] = number
    send(ran=number, milliseconds=0.5)
time.sleep(60)
"""
    cases, outputs = run_fake(tmp_path, short, script)
    assert statuses(outputs) == ["ran"] * 3
    assert outputs.fault is None
    assert outputs.evidence is Evidence.GPU
    assert outputs.device["name"] == "fake"
    for number, (case, output) in enumerate(zip(cases, outputs.cases, strict=True)):
        assert output.id == case.id
        assert output.milliseconds == 0.5
        assert output.slab is not None
        assert output.slab[0] == number
        assert np.array_equal(output.slab[1:], case.slab[1:])


def test_a_hang_is_stopped_and_the_rest_skipped(tmp_path: Path, short: Exercise) -> None:
    with no_hang():
        _, outputs = run_fake(tmp_path, short, "take(); send(ran=0, milliseconds=1.0); time.sleep(60)")
    assert statuses(outputs) == ["ran", "crashed", "skipped"]
    assert "0.5" in str(outputs.cases[1].detail)
    assert "wide" in str(outputs.cases[2].detail)


def test_the_time_for_all_cases_is_limited(tmp_path: Path, short: Exercise) -> None:
    script = "take()\nfor n in range(3): time.sleep(0.45); send(ran=n, milliseconds=1.0)"
    _, outputs = run_fake(tmp_path, short, script)
    assert statuses(outputs) == ["ran", "ran", "crashed"]


@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(0)", "os.abort()", "raise SystemExit('bye')"])
def test_a_child_without_results_has_crashed(tmp_path: Path, short: Exercise, end: str) -> None:
    _, outputs = run_fake(tmp_path, short, f"take(); send(ran=0, milliseconds=1.0); {end}")
    assert statuses(outputs) == ["ran", "crashed", "skipped"]
    assert outputs.fault is None


@pytest.mark.parametrize("answer", ["ran=2, milliseconds=1.0", "score=10", "ran='0', milliseconds=0"])
def test_only_the_next_cases_answer_counts(tmp_path: Path, short: Exercise, answer: str) -> None:
    _, outputs = run_fake(tmp_path, short, f"take(); send({answer}); time.sleep(60)")
    assert statuses(outputs) == ["crashed", "skipped", "skipped"]


def test_printing_changes_nothing(tmp_path: Path, short: Exercise) -> None:
    script = """
take()
for n in range(3):
    os.write(1, b'{"ran": 2, "score": 10} PASS\\n' * 100_000)
    send(ran=n, milliseconds=1.0)
"""
    cases, outputs = run_fake(tmp_path, short, script)
    assert statuses(outputs) == ["ran"] * 3
    assert {outcome.status for outcome in check(cases, outputs)} == {CaseStatus.FAILED}


def test_memory_cut_short_is_no_result(tmp_path: Path, short: Exercise) -> None:
    script = """
grader_memory = None
send(arch="sm_90"); send(ready={})
fds = [socket.recv_fds(grader, 65536, 4)[1][0] for _ in range(3)]
os.ftruncate(fds[0], 10)
grader.recv(65536)
send(loaded=True)
send(ran=0, milliseconds=1.0)
"""
    cases, outputs = run_fake(tmp_path, short, script)
    assert outputs.cases[0].slab is None
    assert check(cases, outputs)[0].status is CaseStatus.CRASHED


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise ValueError('no such thing')", "no such thing"),
        ("send(fault='open', code=100, name='CUDA_ERROR_NO_DEVICE')", "CUDA_VISIBLE_DEVICES"),
        ("send(arch='sm_90'); send(fault='open', code=803, name='SYSTEM_DRIVER_MISMATCH')", "restart"),
        (
            "send(arch='sm_90'); send(ready={}); send(fault='allocate', code=2, name='memory')",
            "out of memory",
        ),
        ("send(fault='cupy', code=0, name='No module')", "gemv-grade[gpu]"),
        ("send(fault='load', code=200, name='INVALID_IMAGE')", "cannot be loaded"),
        ("send(fault='open', code=12345, name='NEW')", "nvidia-smi"),
        ("take(); send(crashed=0, code=214, name='ECC')", "gone"),
        ("take(); send(crashed=0, code=2, name='memory')", "out of memory"),
    ],
)
def test_the_machines_failure_is_a_fault(tmp_path: Path, short: Exercise, script: str, said: str) -> None:
    _, outputs = run_fake(tmp_path, short, script)
    assert outputs.fault is not None
    assert said in outputs.fault.en
    assert outputs.fault.zh
    assert not outputs.cases


def test_a_crash_is_explained(tmp_path: Path, short: Exercise) -> None:
    _, outputs = run_fake(tmp_path, short, "take(); send(crashed=0, code=700, name='cudaErrorIllegalAddress')")
    detail = outputs.cases[0].detail
    assert detail is not None
    assert "index out of range" in detail.en
    assert "cudaErrorIllegalAddress" in detail.zh


def test_the_architecture_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "child.py"
    path.write_text(PRELUDE + "send(arch='sm_87'); time.sleep(60)")
    with GpuRunner(path) as runner:
        assert runner.arch() == "sm_87"
        assert runner.arch() == "sm_87"
    path.write_text(PRELUDE + "send(fault='open', code=100, name='NO_DEVICE')")
    with GpuRunner(path) as runner, pytest.raises(GraderFault):
        runner.arch()


@pytest.mark.skipif(why_no_gpu() is None, reason="there is a GPU")
def test_without_a_driver_the_real_child_says_so() -> None:
    with GpuRunner() as runner, pytest.raises(GraderFault) as raised:
        runner.arch()
    assert raised.value.text.en


def test_nothing_survives_the_grader(tmp_path: Path) -> None:
    child = tmp_path / "child.py"
    real = Path(gpu_child.__file__).read_text(encoding="utf-8").replace("    main()\n", "    spin()\n")
    spin = """
def spin():
    channel = Channel(int(sys.argv[1]))
    channel.die_with_grader()
    channel.send(arch="sm_90")
    while True:
        pass

if __name__"""
    child.write_text(real.replace("\nif __name__", spin))
    script = f"""
import os
from pathlib import Path
from gemv_grader.run.gpu import GpuRunner
runner = GpuRunner(Path({str(child)!r}))
runner.arch()
os.kill(os.getpid(), 9)
"""
    finished = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert finished.returncode == -signal.SIGKILL, finished.stderr
    assert not survivors(child)
