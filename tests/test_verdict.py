"""One verdict from a trail, by a fixed order: our own fault, then the earliest stage that refused, then the run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from trails import EXERCISE, RIGHT, by_thread, compiled, filled, handed_in, run, run_until_crash

from gemv_grader.grade import grade
from gemv_grader.outcome import Outcome
from gemv_grader.trail import Trail
from gemv_grader.verdict import decide, smallest_failure
from gemv_grader.words import CaseStatus, Evidence, Text, Verdict

MACHINE = Text(zh="磁盘满了", en="the disk is full")
ANOTHER_PROGRAM = "int main() { return 0; }\n" * 20


def right() -> Trail:
    return compiled(filled(RIGHT))


def with_status(trail: Trail, status: CaseStatus) -> Trail:
    """The trail with its first case's outcome turned into ``status``."""
    first, *rest = trail.outcomes
    return replace(trail, outcomes=(replace(first, status=status), *rest))


@pytest.mark.parametrize(
    ("trail", "verdict", "exit_code", "said"),
    [
        (run(right()), Verdict.CORRECT, 0, "All 4 cases passed on the GPU"),
        (run(right(), evidence=Evidence.EMULATED), Verdict.CORRECT, 0, "still wait for a GPU"),
        (run(right(), by_thread), Verdict.WRONG, 1, "case walkthrough (M=3 N=1024 bias=present): y[0]: expected"),
        (run_until_crash(right(), "many_rows"), Verdict.CRASHED, 1, "case many_rows"),
        (right(), Verdict.UNVERIFIED, 0, "Nothing was run"),
        (replace(filled(RIGHT), unbuilt=MACHINE), Verdict.UNVERIFIED, 0, "the disk is full"),
        (compiled(filled("row_A[cal]"), ('identifier "cal" is undefined', 6)), Verdict.COMPILE_ERROR, 1, "col"),
        (filled("row_A［col] * x[col]"), Verdict.COMPILE_ERROR, 1, "FULLWIDTH LEFT SQUARE BRACKET"),
        (filled(EXERCISE.blank.marker), Verdict.NOT_ATTEMPTED, 1, "not filled in"),
        (filled(""), Verdict.NOT_ATTEMPTED, 1, "not filled in"),
        (filled("x[col]++"), Verdict.REJECTED, 3, "++"),
        (handed_in(ANOTHER_PROGRAM), Verdict.REJECTED, 3, "not the scaffold"),
        (handed_in(b""), Verdict.REJECTED, 3, "empty"),
        (handed_in(b"\x7fELF" + bytes(range(256))), Verdict.REJECTED, 3, "compiled program"),
        (replace(right(), fault=MACHINE), Verdict.GRADER_FAULT, 5, "the disk is full"),
        (with_status(run(right()), CaseStatus.SKIPPED), Verdict.GRADER_FAULT, 5, "the grader's fault"),
    ],
)
def test_what_happened_decides(trail: Trail, verdict: Verdict, exit_code: int, said: str) -> None:
    result = grade(trail)
    assert result.verdict is verdict
    assert result.exit_code == exit_code
    assert said in " ".join(reason.en for reason in result.reasons)
    assert all(reason.zh and reason.en for reason in result.reasons)


def test_a_fault_of_ours_outweighs_what_the_program_did() -> None:
    for trail in (run(right(), by_thread), run_until_crash(right(), "walkthrough"), filled("x[col]++")):
        assert decide(replace(trail, fault=MACHINE)) == (Verdict.GRADER_FAULT, (MACHINE,))


def test_a_crash_outweighs_wrong_results() -> None:
    assert decide(with_status(run(right(), by_thread), CaseStatus.CRASHED))[0] is Verdict.CRASHED


def test_a_call_that_the_exercise_does_not_list_is_refused_once_it_compiles() -> None:
    unlisted = filled("__frobnicate(row_A[col])")
    assert decide(unlisted)[0] is Verdict.UNVERIFIED
    refused = compiled(unlisted, ('identifier "__frobnicate" is undefined', 0))
    assert decide(refused)[0] is Verdict.COMPILE_ERROR
    verdict, reasons = decide(compiled(unlisted))
    assert verdict is Verdict.REJECTED
    assert "__frobnicate" in reasons[0].en
    assert "blank.calls" in reasons[-1].zh


def test_the_smallest_failure_has_the_least_data() -> None:
    wrong = run(right(), by_thread)
    failed = [outcome for outcome in wrong.outcomes if outcome.status is CaseStatus.FAILED]
    smallest = smallest_failure(wrong)
    assert isinstance(smallest, Outcome)
    assert smallest.elements == min(outcome.elements for outcome in failed)
    assert smallest_failure(run(right())) is None


@pytest.mark.parametrize(
    ("trail", "evidence", "static_only"),
    [
        (run(right()), Evidence.GPU, False),
        (right(), Evidence.COMPILED, False),
        (replace(right(), gpu_at_hand=False), Evidence.COMPILED, True),
        (filled(RIGHT), Evidence.STATIC, False),
        (replace(filled(RIGHT), unbuilt=MACHINE), Evidence.STATIC, True),
        (replace(run(right(), evidence=Evidence.EMULATED), gpu_at_hand=False), Evidence.EMULATED, True),
    ],
)
def test_evidence_never_claims_more_than_was_done(trail: Trail, evidence: Evidence, static_only: bool) -> None:
    assert trail.evidence is evidence
    assert trail.static_review_only is static_only
