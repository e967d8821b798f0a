"""Finding nvcc: the first that will do, or the reason why none does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes import fake_nvcc

from gemv_grader.build import Nvcc, find_nvcc
from gemv_grader.build.time_limit import compile_seconds
from gemv_grader.errors import GraderFault, UsageProblem
from gemv_grader.words import Text


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'Cuda compilation tools, release 11.8, V11.8.89'", "11.8.89"),
        ("echo hello", "no working nvcc"),
        ("exit 3", "no working nvcc"),
    ],
)
def test_an_nvcc_that_will_not_do_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    monkeypatch.setenv("NVCC", str(fake_nvcc(tmp_path, script).path))
    found = find_nvcc()
    assert isinstance(found, Text)
    assert said in found.en


def test_an_nvcc_that_hangs_is_the_machines_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC", str(fake_nvcc(tmp_path, "sleep 60").path))
    monkeypatch.setenv("GEMV_GRADE_COMPILE_SECONDS", "0.3")
    with pytest.raises(GraderFault) as raised:
        find_nvcc()
    assert "within 0.3 seconds" in raised.value.text.en


def test_the_time_limit_of_compilers_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMV_GRADE_COMPILE_SECONDS", raising=False)
    assert compile_seconds() == 30
    monkeypatch.setenv("GEMV_GRADE_COMPILE_SECONDS", "90.5")
    assert compile_seconds() == 90.5
    for wrong in ("0", "-1", "ten", "inf", "1e3"):
        monkeypatch.setenv("GEMV_GRADE_COMPILE_SECONDS", wrong)
        with pytest.raises(UsageProblem, match=wrong):
            compile_seconds()


def test_a_good_nvcc_is_found_behind_a_bad_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NVCC", raising=False)
    (tmp_path / "old").mkdir()
    (tmp_path / "new" / "bin").mkdir(parents=True)
    old = fake_nvcc(tmp_path / "old", "echo 'release 11.0, V11.0.1'")
    new = fake_nvcc(tmp_path / "new" / "bin", "echo 'release 12.4, V12.4.131'")
    monkeypatch.setenv("PATH", f"{old.path.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "new"))
    assert find_nvcc() == Nvcc(new.path, "12.4.131")
