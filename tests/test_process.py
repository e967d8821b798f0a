"""Children that hang, flood, fork and crash must end in time and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemv_grader.process import (
    MIB,
    Child,
    Command,
    Finished,
    Limits,
    clean_environment,
    private_directory,
    run,
)

ROOT = Path(__file__).parents[1]


def command(cwd: Path, *argv: str) -> Command:
    return Command(argv, cwd, clean_environment(cwd))


def python(script: str, cwd: Path, seconds: float = 20, limits: Limits = Limits()) -> Finished:  # noqa: B008
    argv = (sys.executable, "-I", "-S", "-c", script)
    return run(Command(argv, cwd, clean_environment(cwd), limits), seconds)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def gone_soon(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def test_output_and_status_come_back(tmp_path: Path) -> None:
    script = "import sys; print('out'); print('错', file=sys.stderr); sys.exit(3)"
    finished = python(script, tmp_path)
    assert (finished.status, finished.signal) == (3, None)
    assert not finished.timed_out
    assert not finished.truncated
    assert sorted(finished.output.split()) == ["out", "错"]
    assert not finished.ok


def test_a_hanging_child_is_killed_in_time(tmp_path: Path) -> None:
    finished = python("import time; time.sleep(60)", tmp_path, 0.3)
    assert finished.timed_out
    assert finished.signal == signal.SIGKILL
    assert finished.seconds < 5


def test_a_child_cannot_ignore_its_end(tmp_path: Path) -> None:
    script = "import signal\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\nwhile True: pass"
    assert python(script, tmp_path, 0.5).signal == signal.SIGKILL


def test_endless_output_is_bounded(tmp_path: Path) -> None:
    script = "import os\nwhile True: os.write(1, b'x' * 65536)"
    finished = python(script, tmp_path, 0.5, Limits(output_bytes=1000))
    assert finished.timed_out
    assert finished.output == "x" * 1000
    assert finished.truncated


def test_ten_megabytes_do_not_block_the_child(tmp_path: Path) -> None:
    finished = python("import sys; sys.stdout.write('y' * 10_000_000)", tmp_path, limits=Limits(output_bytes=10))
    assert finished.ok
    assert finished.output == "y" * 10


def test_output_that_is_no_text_is_replaced(tmp_path: Path) -> None:
    assert python("import os; os.write(1, b'a\\xff')", tmp_path).output == "a�"


@pytest.mark.parametrize("after", ["time.sleep(60)", "sys.exit(0)"])
def test_grandchildren_are_killed_with_the_group(tmp_path: Path, after: str) -> None:
    script = f"""
import subprocess, sys, time
p = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"])
print(p.pid, flush=True)
{after}
"""
    finished = python(script, tmp_path, 1.0)
    assert finished.timed_out == (after != "sys.exit(0)")
    assert gone_soon(int(finished.output))


def test_a_process_that_left_the_group_is_not_waited_for(tmp_path: Path) -> None:
    script = """
import subprocess, sys
argv = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(30)"]
p = subprocess.Popen(argv, start_new_session=True)
print(p.pid, flush=True)
"""
    finished = python(script, tmp_path)
    assert finished.ok
    assert finished.seconds < 5
    os.kill(int(finished.output), signal.SIGKILL)


def test_the_signal_of_a_crash_is_told(tmp_path: Path) -> None:
    finished = python("import os; os.abort()", tmp_path)
    assert (finished.status, finished.signal, finished.timed_out) == (None, signal.SIGABRT, False)


def test_memory_files_and_processor_time_are_limited(tmp_path: Path) -> None:
    assert "MemoryError" in python("b'x' * (1 << 30)", tmp_path, limits=Limits(memory_bytes=256 * MIB)).output
    script = "open('f', 'wb').write(b'x' * 2_000_000)"
    big = python(script, tmp_path, limits=Limits(file_bytes=MIB))
    assert not big.ok
    assert (tmp_path / "f").stat().st_size <= MIB
    busy = python("while True: pass", tmp_path, limits=Limits(cpu_seconds=1))
    assert busy.signal in (signal.SIGXCPU, signal.SIGKILL)


def test_a_missing_program_is_a_status(tmp_path: Path) -> None:
    assert run(command(tmp_path, str(tmp_path / "absent")), 10).status == 127


def test_arguments_reach_the_program_unchanged(tmp_path: Path) -> None:
    script = "import sys; print(ascii(sys.argv[1:]))"
    given = ["a b", "$HOME", "`id`", "'\"", ""]
    finished = run(command(tmp_path, sys.executable, "-I", "-S", "-c", script, *given), 10)
    assert finished.output.strip() == ascii(given)


def test_the_environment_is_scrubbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "--use_fast_math")
    monkeypatch.setenv("KEPT", "1")
    env = clean_environment(tmp_path, "KEPT", "ABSENT")
    assert set(env) <= {"PATH", "LD_LIBRARY_PATH", "KEPT", "HOME", "TMPDIR", "LC_ALL"}
    assert env["HOME"] == env["TMPDIR"] == str(tmp_path)


def test_the_private_directory_is_private_and_goes(tmp_path: Path) -> None:
    with private_directory() as directory:
        assert directory.stat().st_mode & 0o777 == 0o700
    assert not directory.exists()


def test_an_exception_kills_the_child(tmp_path: Path) -> None:
    sleeper = command(tmp_path, sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)")
    with pytest.raises(KeyboardInterrupt), Child(sleeper) as child:
        raise KeyboardInterrupt
    assert child.exited()
    assert child.end().signal == signal.SIGKILL


def test_the_group_goes_when_we_are_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"echo $$ >{pids}.new; sleep 60 & echo $! >>{pids}.new; mv {pids}.new {pids}; trap '' INT TERM; sleep 60"
    grader = f"""
from pathlib import Path
from gemv_grader.process import Command, clean_environment, run
run(Command(("/bin/sh", "-c", {script!r}), Path("/"), clean_environment(Path("/"))), 60)
"""
    with subprocess.Popen((sys.executable, "-c", grader), env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        while not pids.exists():
            time.sleep(0.01)
        process.kill()
    assert all(gone_soon(int(pid)) for pid in pids.read_text().split())


def test_a_passed_descriptor_reaches_the_program_and_stdin_is_empty(tmp_path: Path) -> None:
    script = "import os, sys; print(os.read(int(sys.argv[1]), 99).decode(), repr(sys.stdin.read()))"
    argv = (sys.executable, "-I", "-S", "-c", script)
    reading, writing = os.pipe()
    os.write(writing, b"handed down")
    command = Command((*argv, str(reading)), tmp_path, clean_environment(tmp_path), pass_fds=(reading,))
    assert run(command, 20).output == "handed down ''\n"
    for fd in (reading, writing):
        os.close(fd)


def test_threads_stop_waiting_when_we_are_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopping = threading.Event()
    monkeypatch.setattr("gemv_grader.process._stopping", stopping)
    with ThreadPoolExecutor() as helpers:
        waiting = helpers.submit(run, command(tmp_path, "/bin/sleep", "60"), 60)
        stopping.set()
    assert waiting.result().signal == signal.SIGKILL
    assert waiting.result().seconds < 30
