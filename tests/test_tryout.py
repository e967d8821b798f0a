"""Another size: what may be tried, and each element computed beside expected."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from commands import solution
from numpy_device import NumpyDevice
from trails import RIGHT, by_thread

from gemv_grader.errors import UsageProblem
from gemv_grader.pipeline import Request
from gemv_grader.report.tryout_report import element_lines, summary
from gemv_grader.run.compiler_only import CompilerOnly
from gemv_grader.run.device import Device
from gemv_grader.trail import Trail
from gemv_grader.tryout import Shape, elements, parse_shape, try_shape
from gemv_grader.verdict import decide
from gemv_grader.words import Text, Verdict

TID = "row_A[tid] * x[tid]"


def tried(directory: Path, fill: str, shape: Shape, device: Device | None = None) -> Trail:
    device = device or NumpyDevice({RIGHT: np.multiply, TID: by_thread, "row_A[-1]": None})
    return try_shape(Request(solution(directory, fill), seed=3), device, shape)


@pytest.mark.parametrize(("text", "sizes"), [("5x77", (5, 77)), (" 1X1 ", (1, 1)), ("2×3*4", (2, 3, 4)), ("7", (7,))])
def test_shapes_are_read(text: str, sizes: tuple[int, ...]) -> None:
    assert parse_shape(text) == sizes


@pytest.mark.parametrize("text", ["", "x", "5x", "-1x2", "5 x 7", "1e3x2", "5x9999999999", "五x七"])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(UsageProblem, match="is not a shape"):
        parse_shape(text)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (Shape((5,)), "numbers given, 1"),
        (Shape((5, 7, 9)), "numbers given, 3"),
        (Shape((0, 7)), "at least one element"),
        (Shape((100_000, 100_000)), "at most"),
        (Shape((5, 7), absent=("x",)), "x cannot be null"),
        (Shape((5, 7), data="random"), "no data kind random"),
    ],
)
def test_what_the_exercise_cannot_have_is_refused(tmp_path: Path, shape: Shape, said: str) -> None:
    with pytest.raises(UsageProblem, match=said):
        tried(tmp_path, RIGHT, shape)


def test_a_right_fill_computes_what_is_expected(tmp_path: Path) -> None:
    trail = tried(tmp_path, RIGHT, Shape((5, 77), absent=("bias",), data="integers"))
    rows = list(elements(trail))
    assert [row.name for row in rows] == [f"y[{i}]" for i in range(5)]
    assert all(row.right and row.computed == row.expected for row in rows)
    assert summary(trail, "en") == "✓ M=5 N=77 bias=null: passed (seed 3)"
    assert len(list(islice(element_lines(rows, "zh"), 10))) == 6


def test_a_wrong_fill_shows_which_elements(tmp_path: Path) -> None:
    trail = tried(tmp_path, TID, Shape((3, 300)))
    assert not any(row.right for row in elements(trail))
    header, first, *_ = element_lines(elements(trail), "en")
    assert header.split() == ["element", "expected", "computed"]
    assert first.endswith("✗")
    assert summary(trail, "zh").startswith("✗ M=3 N=300 bias=present：")


@pytest.mark.parametrize(
    ("fill", "device", "verdict"),
    [
        ("row_A[-1]", None, Verdict.CRASHED),
        (RIGHT, CompilerOnly(), Verdict.UNVERIFIED),
        (RIGHT, NumpyDevice({RIGHT: np.multiply}, fault=Text("驱动", "driver")), Verdict.GRADER_FAULT),
    ],
)
def test_where_nothing_came_back_only_the_expected_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fill: str, device: Device | None, verdict: Verdict
) -> None:
    monkeypatch.setenv("NVCC", str(tmp_path / "absent"))
    trail = tried(tmp_path, fill, Shape((3, 4)), device)
    assert decide(trail)[0] is verdict
    assert [(row.computed, row.right) for row in elements(trail)] == [(None, None)] * 3
