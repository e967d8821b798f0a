"""The static review: which of the rubric's rules notice something about a fill."""

from __future__ import annotations

import pytest
from trails import EXERCISE, RUBRIC

from gemv_grader.lock import Fill, lock
from gemv_grader.mutants import load_mutants
from gemv_grader.review import review
from gemv_grader.submission import from_bytes
from gemv_grader.words import Severity

MUTANTS = load_mutants(EXERCISE)
CHAIN = {rule.id for rule in RUBRIC.review if rule.raises == "wrong_causal_chain"}
A_WHOLE_ROW = "[&] { float s = 0; for (int i = 0; i < N; ++i) s += row_A[i] * x[i]; return col ? 0.0f : s; }()"


def noticed(fill: str) -> set[str]:
    """The ids of the rules that notice something."""
    locked = lock(from_bytes(EXERCISE.scaffold.replace("______", fill).encode(), "ada"), EXERCISE)
    assert isinstance(locked, Fill)
    findings = review(locked, EXERCISE, RUBRIC)
    assert all(finding.severity is not Severity.ERROR for finding in findings), "a review decides no verdict"
    assert all(finding.place == locked.place for finding in findings)
    return {finding.id for finding in findings}


@pytest.mark.parametrize("fill", [mutant.fill for mutant in MUTANTS.right], ids=[m.id for m in MUTANTS.right])
def test_a_right_fill_raises_no_suspicion(fill: str) -> None:
    assert noticed(fill) & CHAIN == set()


@pytest.mark.parametrize(
    ("fill", "rules"),
    [
        ("row_A[col] * x[col]", set()),
        ("row_A[tid] * x[tid]", {"column_is_col"}),
        ("row_A[tid] * x[col]", {"same_column", "column_is_col"}),
        ("row_A[col] * x[col + 1]", {"same_column", "column_is_col"}),
        ("A[col] * x[col]", {"reads_row_element"}),
        ("A[row * M + col] * x[col]", {"reads_row_element"}),
        ("A[row * N + tid] * x[col]", {"same_column", "column_is_col"}),
        ("row_A[col] * row_A[col]", {"reads_x_element"}),
        ("x[col]", {"reads_row_element"}),
        ("0.0f", {"reads_row_element", "reads_x_element"}),
        ("1.0 * row_A[col] * x[col]", {"no_double_promotion"}),
        ("(double)row_A[col] * x[col]", {"no_double_promotion"}),
        ("1e0f * row_A[col] * x[col]", set()),
        ("0x1p0f * row_A[col] * x[col]", set()),
        ("(int)row_A[col] * x[col]", {"no_integer_truncation"}),
        ("int(row_A[col] * x[col])", {"no_integer_truncation"}),
        ("static_cast<int>(row_A[col]) * x[col]", {"no_integer_truncation"}),
        ("__float2int_rn(row_A[col]) * x[col]", {"no_integer_truncation"}),
        ("A[(int)(row * N) + (int)col] * x[col]", set()),
        ("__shfl_sync(0xffffffff, row_A[col] * x[col], 0)", {"no_effect_calls"}),
        ("[&] { return row_A[col] * x[col]; }()", {"no_lambda"}),
        (A_WHOLE_ROW, {"column_is_col", "no_loop", "no_lambda"}),
    ],
)
def test_what_the_rules_notice(fill: str, rules: set[str]) -> None:
    assert noticed(fill) == rules
