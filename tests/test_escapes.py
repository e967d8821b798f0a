"""Fills that look like something harmless to a parser without types, and what becomes of the names they use."""

from __future__ import annotations

import pytest

from gemv_grader.exercise import load_exercise
from gemv_grader.lock import Fill, Rejection, lock
from gemv_grader.lock.names import PREFIX
from gemv_grader.program import splice
from gemv_grader.submission import from_bytes

EXERCISE = load_exercise("03_gemv")


def judged(fill: str) -> Fill | Rejection:
    return lock(from_bytes(EXERCISE.scaffold.replace(EXERCISE.blank.marker, fill).encode(), "ada"), EXERCISE)


@pytest.mark.parametrize(
    "statement",
    [
        "col * row, y[row] = 5.f;",
        "col * row, *y = 5.f;",
        "col && row, y[row] = 5.f;",
        "col < N > row, y[row] = 5.f;",
        "float* q = (float*)x; col * row, q[col] = 5.f;",
        "float* q = (float*)y; *q = 5.f;",
        "float* q = (float*)y; ++q[0];",
        "float* q = (float*)y; q[row]++;",
        "__real__ y[row] = 5.f;",
        "__wur * y = 5.f;",
        "float f(float local_sum); local_sum = 1000.f;",
        "sizeof(void(*)(int col)); col = N;",
        "(void)(void(*)(float local_sum))0; local_sum = 3.f;",
        "float a = (local_sum = 5.f), local_sum = 1.f;",
        "for (auto local_sum : {(local_sum = 5.f)}) {}",
        "float& r(y[row]); r = 5.f;",
        "const float*& r(x); r = A;",
        "float (*f)(float*, float) = atomicAdd; col && f(y, 1.f);",
        "int (*f)(const char*) = system; __wur f(0);",
        "auto f = printf;",
    ],
)
def test_a_statement_that_changes_or_reaches_anything_outside_is_rejected(statement: str) -> None:
    assert isinstance(judged(f"[&]{{ {statement} return row_A[col] * x[col]; }}()"), Rejection)


@pytest.mark.parametrize("capture", ["&r = y[row]", "local_sum = (local_sum = 5.f)"])
def test_a_capture_that_changes_anything_outside_is_rejected(capture: str) -> None:
    assert isinstance(judged(f"[{capture}]{{ r = 5.f; return 0.0f; }}()"), Rejection)


@pytest.mark.parametrize("name", ["system", "__fAtomicAdd", "__wur", "std", "row_a", "sum", "smem", "s"])
def test_every_name_but_those_in_sight_of_the_blank_becomes_the_fills_own(name: str) -> None:
    program = splice(EXERCISE, f"{name} + x[col]")
    assert program.fill == f"{PREFIX}{name} + x [ col ]"
    assert program.offset_in_text(len(program.fill)) == len(f"{name} + x [ col ]")


@pytest.mark.parametrize(
    "name", ["row_A", "A", "x", "col", "tid", "BLOCK_SIZE", "threadIdx", "fmaf", "block_reduce_sum"]
)
def test_names_in_sight_of_the_blank_stay(name: str) -> None:
    assert splice(EXERCISE, name).fill == name


def test_a_listed_function_may_be_named_in_std() -> None:
    assert splice(EXERCISE, "std::fma(a, b, c)").fill.startswith("std :: fma (")


@pytest.mark.parametrize(
    "fill",
    [
        "[&]{ float sum = 0.0f; for (int i = 0; i < N; ++i) sum += row_A[i] * x[i]; return sum; }()",
        "[p = row_A[col], q = x[col]]() mutable { p *= q; return p; }()",
        "[=]{ const float* q = row_A + col; return *q * x[col]; }()",
        "[](float p, float q) { p *= q; return p; }(row_A[col], x[col])",
    ],
)
def test_variables_of_its_own_may_change(fill: str) -> None:
    assert isinstance(judged(fill), Fill)
