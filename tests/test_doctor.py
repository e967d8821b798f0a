"""What the doctor finds on machines that lack something, and what it says `submit` can do there."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import copy_of_installation, fake_nvcc, gemv_grade

from gemv_grader import doctor
from gemv_grader.doctor import Check, Diagnosis
from gemv_grader.words import Evidence, Text


def found(name: Text) -> Check:
    return next(check for check in doctor.diagnose().checks if check.name == name)


@pytest.mark.parametrize(
    ("states", "evidence"),
    [
        ({}, Evidence.GPU),
        ({doctor.GPU: "optional"}, Evidence.EMULATED),
        ({doctor.TRIAL: "optional"}, Evidence.EMULATED),
        ({doctor.GPU: "optional", doctor.EMULATION: "optional"}, Evidence.COMPILED),
        ({doctor.TRIAL: "optional", doctor.EMULATION: "optional"}, Evidence.STATIC),
        ({doctor.EXERCISES: "missing"}, None),
        ({doctor.SANDBOX: "optional", doctor.CACHE: "optional"}, Evidence.GPU),
    ],
)
def test_what_submit_can_do(states: dict[Text, str], evidence: Evidence | None) -> None:
    names = (doctor.EXERCISES, doctor.EMULATION, doctor.TRIAL, doctor.GPU, doctor.SANDBOX, doctor.CACHE)
    checks = tuple(Check(name, states.get(name, "ok")) for name in names)  # type: ignore[arg-type]
    assert Diagnosis(checks).evidence is evidence


def test_what_is_not_well_has_a_mend() -> None:
    for check in doctor.diagnose().checks:
        assert (check.state == "ok") == (check.mend is None)
        assert check.found or check.mend


@pytest.mark.parametrize(
    ("script", "said"),
    [("exit 1", "pristine scaffold"), ("echo 'nvcc fatal : Cannot find compiler'; exit 1", "g++")],
)
def test_an_nvcc_that_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str) -> None:
    monkeypatch.setenv("NVCC", fake_nvcc(tmp_path, script))
    assert found(doctor.NVCC).state == "ok"
    trial = found(doctor.TRIAL)
    assert trial.state == "optional"
    assert trial.mend is not None
    assert said in trial.mend.en


def test_an_nvcc_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nvcc").write_text("#!/bin/sh\nsleep 60\n")
    (tmp_path / "nvcc").chmod(0o755)
    monkeypatch.setenv("NVCC", str(tmp_path / "nvcc"))
    monkeypatch.setenv("GEMV_GRADE_COMPILE_SECONDS", "0.3")
    assert "did not answer" in str(found(doctor.NVCC).mend)


def test_a_host_compiler_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC_CCBIN", str(tmp_path / "g++-99"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install g++" in str(found(doctor.HOST).mend)
    (tmp_path / "clang++").write_text("#!/bin/sh\necho clang version 17\n")
    (tmp_path / "clang++").chmod(0o755)
    assert "set NVCC_CCBIN=clang++" in str(found(doctor.HOST).mend)
    monkeypatch.setenv("NVCC_CCBIN", "clang++")
    assert found(doctor.HOST).found == f"clang version 17 ({tmp_path / 'clang++'})"


def test_the_cache_must_be_ours_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMV_GRADE_CACHE", str(tmp_path / "cache"))
    assert found(doctor.CACHE).found == f"{tmp_path / 'cache'}, 0.0 MiB"
    assert list((tmp_path / "cache").iterdir()) == []
    (tmp_path / "cache").chmod(0o777)
    assert found(doctor.CACHE).state == "optional"
    monkeypatch.setenv("GEMV_GRADE_CACHE", "off")
    assert found(doctor.CACHE).found == "off"


def test_a_terminal_without_chinese_is_told() -> None:
    assert "? output encoding  ascii\n    This encoding" in gemv_grade("doctor", PYTHONIOENCODING="ascii").out


def test_an_installation_with_broken_data_cannot_grade(tmp_path: Path) -> None:
    copy_of_installation(tmp_path)
    rubric = tmp_path / "rubrics" / "03_gemv.yaml"
    rubric.write_text(rubric.read_text().replace("total: 10", "total: 11"))
    ended = gemv_grade("doctor", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert ended.code == 5
    assert "✗ exercises" in ended.out
    assert f"{rubric}:" in ended.out
    assert "cannot work here" in ended.out.splitlines()[-1]
