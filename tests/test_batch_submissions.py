"""Every folder in ``submissions/``, handed in as one class: a batch must find what `submit` finds."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from classes import batch, book, grades, verdicts
from commands import NO_NVCC
from test_submissions import EXPECTED, FOLDERS

from gemv_grader.batch.store import GradeStore
from gemv_grader.marks import ItemMark, Marks
from gemv_grader.pipeline import Request, submit
from gemv_grader.report.json_report import as_dict
from gemv_grader.run.device import open_device

BUILT = [folder for folder in FOLDERS if EXPECTED[folder.name]["stage"] == "build"]


def class_of(folders: list[Path], target: Path) -> Path:
    for folder in folders:
        home = target / folder.name
        home.mkdir(parents=True)
        shutil.copy(folder / "submission.cu", home / "submission.cu")
    return target


def without_circumstances(grade: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in grade.items() if key not in ("started_at", "seconds", "seed", "batch")}
    return {**kept, "environment": None, "submission": {**grade["submission"], "path": None, "student": None}}


def test_a_batch_finds_what_submit_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC", NO_NVCC)
    batch(class_of(FOLDERS, tmp_path / "class"), tmp_path / "grades", "--jobs", "2", "--lang", "en")
    found = grades(tmp_path / "grades")
    assert len(found) == len(FOLDERS)
    for folder in FOLDERS:
        with open_device("none") as device:
            alone = as_dict(submit(Request(folder / "submission.cu", exercise_id="03_gemv"), device), "en")
        assert without_circumstances(found[folder.name]) == without_circumstances(alone), folder.name


@pytest.mark.nvcc
def test_with_a_compiler(tmp_path: Path) -> None:
    nvcc = {name: os.environ.get(name, "") for name in ("NVCC", "GEMV_GRADE_CACHE")}
    batch(class_of(BUILT, tmp_path / "class"), tmp_path / "grades", "--jobs", "2", **nvcc)
    assert set(verdicts(tmp_path / "grades").values()) == {"compile_error"}
    assert len(verdicts(tmp_path / "grades")) == len(BUILT)


@pytest.mark.gpu
@pytest.mark.nvcc
def test_on_a_gpu(tmp_path: Path) -> None:
    out, nvcc = tmp_path / "grades", {"NVCC": os.environ.get("NVCC", "")}
    source = class_of(FOLDERS, tmp_path / "class")
    batch(source, out, "--jobs", "8", device="gpu", **nvcc)
    expected = {name: wanted["verdict"] for name, wanted in EXPECTED.items()}
    assert verdicts(out) == expected
    assert not any(grade["static_review_only"] for grade in grades(out).values())


@pytest.mark.gpu
@pytest.mark.nvcc
def test_what_was_graded_without_a_gpu_is_settled_on_one(tmp_path: Path) -> None:
    from classes import command  # noqa: PLC0415

    out = tmp_path / "grades"
    batch(class_of(FOLDERS, tmp_path / "class"), out)
    by_ann = ItemMark("Ann", "2026-01-02T03:04:05+00:00", points=1.5, machine=0.0, comment="见批注")
    store = GradeStore(out)
    for folder in FOLDERS:
        store.put_marks(folder.name, Marks({"q1": by_ann}))
    ended = command("verify", out, NVCC=os.environ.get("NVCC", ""))
    assert ended.code in (0, 1), ended.said
    assert {row["confirmed"] for row in book(out)} == {"1.5"}
    assert all(store.marks(folder.name) == Marks({"q1": by_ann}) for folder in FOLDERS)
    assert verdicts(out) == {name: wanted["verdict"] for name, wanted in EXPECTED.items()}
    assert command("pending", out).code == 0
