"""Runs `gemv-grade` as people do: a process of its own, with its own environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from trails import EXERCISE, RIGHT

NO_NVCC = "/nonexistent/nvcc"
NO_CXX = "/nonexistent/g++"
SUBMIT = (sys.executable, "-m", "gemv_grader", "submit", "--device", "none")
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Ended:
    """How the command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


def environment(**changes: str) -> dict[str, str]:
    """A plain environment in which no compiler is found and nothing is cached, with ``changes``."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    plain = {"LC_ALL": "C.UTF-8", "GEMV_GRADE_CACHE": "off", "PYTHONPATH": str(ROOT)}
    return {**kept, **plain, "NVCC": NO_NVCC, "CXX": NO_CXX, **changes}


def gemv_grade(*arguments: str | Path, prefix: tuple[str, ...] = (), cwd: Path | None = None, **env: str) -> Ended:
    """Run a command to its end. None of them may print a traceback, whatever happens."""
    command = (*prefix, sys.executable, "-m", "gemv_grader", *map(str, arguments))
    done = subprocess.run(
        command, cwd=cwd, env=environment(**env), capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    ended = Ended(done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in ended.said, ended.said
    assert not re.search(r"\bObject\b|<gemv_grader|Text\(", ended.said), ended.said
    return ended


def submit(path: str | Path, *options: str | Path, prefix: tuple[str, ...] = (), **env: str) -> Ended:
    """Grade a file without a GPU, wherever the tests run."""
    return gemv_grade("submit", path, "--device", "none", *options, prefix=prefix, cwd=None, **env)


def solution(directory: Path, fill: str = RIGHT) -> Path:
    """A file of a student's with ``fill`` in the blank."""
    path = directory / "ada.cu"
    path.write_text(EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill), encoding="utf-8")
    return path


def fake_nvcc(directory: Path, compile_script: str, version: str = "13.0") -> str:
    """A compiler that says it is nvcc and then does ``compile_script``; returns its path."""
    path = directory / "nvcc"
    answer = f"echo 'Cuda compilation tools, release {version}, V{version}.88'"
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then {answer}; exit; fi\n{compile_script}\n')
    path.chmod(0o755)
    return str(path)


def copy_of_installation(directory: Path) -> None:
    """The package and its data in ``directory``: what a process started there, with it as PYTHONPATH, imports."""
    for name in ("gemv_grader", "exercises", "rubrics"):
        shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
