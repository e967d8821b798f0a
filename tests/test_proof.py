"""A proof of a case list finds what is wrong with it: survivors, groups that do not fit, right fills that fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy_device import open_numpy
from trails import EXERCISE, RIGHT, Floats, Multiply, by_thread

from gemv_grader.exercise import Exercise
from gemv_grader.proof import Trial, prove
from gemv_grader.report.proof_report import trial_line
from gemv_grader.run.device import open_device

TID = "row_A[tid] * x[tid]"
CASES = ("square", "bias_null", "block_plus_one")  # one normal; in the first, a block has as many threads as columns


def rounded_up(a: Floats, x: Floats) -> Floats:
    products = np.multiply(a, x)
    return np.asarray(products + np.abs(products) * np.float32(2.0**-21))


def only_x(a: Floats, x: Floats) -> Floats:
    return np.broadcast_to(x, a.shape)


PRODUCTS: dict[str, Multiply | None] = {
    RIGHT: np.multiply,
    TID: by_thread,
    "x[col]": only_x,
    "x[col] * row_A[col]": rounded_up,
    "row_A[-1]": None,
}


def prove_one(directory: Path, kind: str, fill: str, fails: str = "") -> Trial:
    """The trial of one fill; another of the other kind is there because there must be one."""
    named = f'{{id: tried, fill: "{fill}", {fails} why: {{zh: "因", en: "why"}}}}'
    other_fails = "fails: [edge], " if kind == "right" else ""
    other_fill = TID if kind == "right" else RIGHT
    other = f'{{id: other, fill: "{other_fill}", {other_fails}why: {{zh: "因", en: "why"}}}}'
    other_kind = "wrong" if kind == "right" else "right"
    (directory / "mutants.yaml").write_text(f"{kind}: [{named}]\n{other_kind}: [{other}]\n")
    cases = tuple(case for case in EXERCISE.cases if case.id in CASES)
    exercise: Exercise = EXERCISE.model_copy(update={"directory": directory, "cases": cases})
    trials = {trial.id: trial for trial in prove(exercise, lambda: open_numpy(PRODUCTS), seed=1)}
    assert trials["other"].problem is None
    assert trials["other"].outcomes
    return trials["tried"]


@pytest.mark.parametrize(
    ("kind", "fill", "fails", "problem"),
    [
        ("right", RIGHT, "", None),
        ("right", "x[col]", "", "a right fill that fails: square"),
        ("right", "x[col] * row_A[col]", "", "over 2"),
        ("right", "x[col]++", "", "the lock rejects"),
        ("right", "row_A[cal]", "", "unknown fill"),
        ("wrong", TID, "fails: [edge],", None),
        ("wrong", TID, "fails: [normal, edge],", "fails lists normal"),
        ("wrong", TID, "fails: [normal],", "fails lists normal"),
        ("wrong", "x[col]", "fails: [edge],", "normal fails too"),
        ("wrong", "x[col] * row_A[col]", "fails: [edge],", "no case catches it"),
        ("wrong", "row_A[-1]", "fails: [normal, edge],", None),  # after a crash the rest cannot speak
        ("wrong", "row_A[-1]", "fails: [normal],", None),
        ("wrong", "row_A[-1]", "fails: [edge],", "normal fails too"),
    ],
)
def test_the_problem_is_named(tmp_path: Path, kind: str, fill: str, fails: str, problem: str | None) -> None:
    trial = prove_one(tmp_path, kind, fill, fails)
    if problem is None:
        assert trial.problem is None
        assert trial_line(trial, "en").startswith("✓ tried")
    else:
        assert trial.problem is not None
        assert problem in trial.problem.en
        assert trial_line(trial, "zh").startswith("✗ tried")
        assert trial.problem.zh[:12] in trial_line(trial, "zh")


def test_the_killers_and_the_error_are_told(tmp_path: Path) -> None:
    killed = prove_one(tmp_path, "wrong", TID, "fails: [edge],")
    assert killed.killers == ("bias_null", "block_plus_one")
    assert "killed by bias_null, block_plus_one" in trial_line(killed, "en")
    crashed = prove_one(tmp_path, "wrong", "row_A[-1]", "fails: [normal],")
    assert crashed.killers == ("square",)
    right = prove_one(tmp_path, "right", RIGHT)
    assert right.killers == ()
    assert 0 < right.worst < 2


def test_without_a_device_every_fill_is_tried_against_the_lock() -> None:
    trials = list(prove(EXERCISE, lambda: open_device("none"), seed=1))
    assert len(trials) >= 35
    assert [trial.id for trial in trials if trial.problem] == []
    assert not any(trial.outcomes for trial in trials)
