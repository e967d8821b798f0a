"""Every folder in ``submissions/``: a file as a student might hand it in, and the verdict it must get.

Without a GPU the lock's and the compiler's verdicts are tested, and that what would run stays unverified; with
one, every final verdict is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemv_grader.grade import Grade
from gemv_grader.pipeline import Request, submit
from gemv_grader.run.device import Choice, open_device
from gemv_grader.words import CaseStatus, Evidence, Verdict

FOLDERS = sorted((Path(__file__).parent / "submissions").iterdir())
EXPECTED: dict[str, dict[str, Any]] = {f.name: json.loads((f / "expected.json").read_text()) for f in FOLDERS}
RUN = [folder for folder in FOLDERS if EXPECTED[folder.name]["stage"] == "run"]
REFUSED = [folder for folder in FOLDERS if folder not in RUN]


def graded(folder: Path, device: Choice) -> Grade:
    with open_device(device) as opened:
        return submit(Request(folder / "submission.cu", exercise_id="03_gemv"), opened)


def raised(grade: Grade) -> list[str]:
    return [veto.id for veto in grade.score.vetoes if veto.state == "raised"]


@pytest.mark.nvcc
@pytest.mark.parametrize("folder", REFUSED, ids=lambda folder: folder.name)
def test_refused_before_any_run(folder: Path) -> None:
    expected = EXPECTED[folder.name]
    grade = graded(folder, "none")
    assert grade.verdict.value == expected["verdict"]
    assert raised(grade) == expected["veto"]
    assert grade.score.earned == 0
    assert all(reason.zh and reason.en for reason in grade.reasons)


@pytest.mark.nvcc
@pytest.mark.parametrize("folder", RUN, ids=lambda folder: folder.name)
def test_accepted_but_unverified_without_a_gpu(folder: Path) -> None:
    grade = graded(folder, "none")
    assert grade.verdict is Verdict.UNVERIFIED
    assert grade.trail.evidence is Evidence.COMPILED
    assert grade.trail.static_review_only
    assert raised(grade) == []
    assert grade.score.earned == 0
    assert grade.score.pending == 3


@pytest.mark.gpu
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_final_verdict_on_a_gpu(folder: Path) -> None:
    expected = EXPECTED[folder.name]
    grade = graded(folder, "gpu")
    assert grade.verdict.value == expected["verdict"]
    assert raised(grade) == expected["veto"]
    assert not grade.trail.static_review_only
    bad = {o.group for o in grade.trail.outcomes if o.status in (CaseStatus.FAILED, CaseStatus.CRASHED)}
    if expected.get("only_edge"):
        assert bad == {"edge"}
    if grade.verdict is Verdict.CORRECT:
        assert grade.score.earned == 3
        suspected = [veto.id for veto in grade.score.vetoes if veto.state == "suspected"]
        assert suspected == expected.get("suspected", [])


@pytest.mark.parametrize("folder", RUN, ids=lambda folder: folder.name)
def test_final_verdict_in_emulation(folder: Path) -> None:
    expected = EXPECTED[folder.name]
    grade = graded(folder, "cpu")
    assert grade.verdict.value == expected["verdict"]
    assert grade.trail.evidence is Evidence.EMULATED
    assert grade.trail.static_review_only
    assert grade.score.earned == 0
    assert grade.score.pending == 3
    bad = {o.group for o in grade.trail.outcomes if o.status in (CaseStatus.FAILED, CaseStatus.CRASHED)}
    if expected.get("only_edge"):
        assert bad == {"edge"}
