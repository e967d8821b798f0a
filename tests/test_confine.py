"""The walls around the child that runs student code, tried on a Python that looks for gaps."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from gemv_grader.process import Command, clean_environment, run
from gemv_grader.run.confine import Confinement, _bubblewrap, confine

SCRIPT = """
import os, socket, sys
from pathlib import Path

def tried(action):
    try:
        return bool(action())
    except OSError:
        return False

def connect():
    with socket.socket() as s:
        s.settimeout(1)
        return s.connect_ex(("127.0.0.1", int(sys.argv[2]))) == 0

print("secret", tried(lambda: Path(sys.argv[1]).read_text()))
print("write", tried(lambda: Path("/etc/gemv-grade-test").write_text("x")))
print("processes", sum(name.isdigit() for name in os.listdir("/proc")) > 5)
print("network", tried(connect))
print("user", os.getuid())
"""

walled = pytest.mark.skipif(
    shutil.which("bwrap") is None or confine(()).kind != "bubblewrap", reason="bubblewrap does not work here"
)


def findings(walls: Confinement, script: Path, secret: Path) -> dict[str, str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        argv = (os.path.realpath(sys.executable), "-I", "-S", str(script), str(secret), str(server.getsockname()[1]))
        command = Command((*walls.prefix, *argv), Path("/"), clean_environment(Path("/")), user=walls.user)
        finished = run(command, seconds=20)
    assert finished.ok, finished.output
    return dict(line.split() for line in finished.output.splitlines())


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "answers.txt"
    path.write_text("the answers of all students")
    return path


@walled
def test_bubblewrap_leaves_only_what_is_needed(script: Path, secret: Path) -> None:
    found = findings(confine((script,)), script, secret)
    assert {name: found[name] for name in ("secret", "write", "processes", "network")} == {
        "secret": "False",
        "write": "False",
        "processes": "False",
        "network": "False",
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_runs_as_nobody_where_there_is_no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    walls = confine((Path("/usr/lib"),), (Path("/dev/null"),))
    assert walls == Confinement("nobody", user=65534)
    command = Command(("/usr/bin/id", "-u"), Path("/"), clean_environment(Path("/")), user=walls.user)
    assert run(command, seconds=10).output.strip() == "65534"


def test_nobody_needs_to_read_what_the_child_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    tmp_path.chmod(0o700)
    assert confine((tmp_path,)).kind == "none"


def test_a_bubblewrap_that_does_not_work_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert confine(()).kind in ("nobody", "none")


def test_a_user_without_a_home_has_none_to_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("os.getuid", lambda: 54321)
    assert "/tmp" in _bubblewrap("bwrap", (), ())
