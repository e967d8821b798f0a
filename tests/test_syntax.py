"""Expressions in one form: spellings of the same element compare equal, different elements do not."""

from __future__ import annotations

import pytest

from gemv_grader.syntax import HOLE, Form, indices, normal_form, parse_expression

POINTERS = frozenset({"A", "x", "row_A", "bias"})


def form(source: str) -> Form:
    return normal_form(parse_expression(source), POINTERS)


def pattern(source: str) -> Form:
    return form(source.replace("?", str(HOLE[1])))


@pytest.mark.parametrize(
    "spelling",
    [
        "row_A[col]",
        "(row_A)[(col)]",
        "*(row_A + col)",
        "*(col + row_A)",
        "col[row_A]",
        "__ldg(&row_A[col])",
        "__ldg(row_A + col)",
        "*&row_A[col]",
        "row_A[0 + col]",
        "row_A[(int)col]",
        "(float)row_A[col]",
        "*(const volatile float*)(row_A + col)",
        "static_cast<float>(row_A[col])",
        "reinterpret_cast<const float*>(row_A)[col]",
    ],
)
def test_spellings_of_one_element_are_equal(spelling: str) -> None:
    assert form(spelling) == form("row_A[col]")


@pytest.mark.parametrize(
    "spelling",
    [
        "A[row*N + col]",
        "A[col + N*row]",
        "*(A + row*N + col)",
        "(A + N*row)[col]",
        "A[static_cast<size_t> (row) * N + col]",
        "A[1LL * row * N + col]",
        "A[size_t(row) * N + int(col)]",
        "A[(long long)row * N + col]",
    ],
)
def test_the_index_beside_a_fixed_part_is_found(spelling: str) -> None:
    assert indices(form(spelling), pattern("A[row * N + ?]")) == [form("col")]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("row_A[col] * x[col]", ["col"]),
        ("row_A[tid] * x[col]", ["tid"]),
        ("row_A[col + 1] * x[col]", ["col + 1"]),
        ("row_A[0] * x[col]", ["0"]),
        ("A[col] * x[col]", []),
        ("fmaf(row_A[col], x[col], row_A[col])", ["col", "col"]),
        ("x[(int)row_A[col]]", ["col"]),
    ],
)
def test_indices_of_the_row(source: str, expected: list[str]) -> None:
    assert indices(form(source), pattern("row_A[?]")) == [form(index) for index in expected]


@pytest.mark.parametrize(
    "other",
    ["*(const volatile float*)0", "row_A[col + 1]", "A[col]", "x[col]", "row_A[-col]", "&row_A[col]", "row_A + col"],
)
def test_different_things_stay_different(other: str) -> None:
    assert form(other) != form("row_A[col]")


@pytest.mark.parametrize("source", ["", ")", "a b", "1 +"])
def test_what_is_no_expression_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="not an expression"):
        parse_expression(source)
