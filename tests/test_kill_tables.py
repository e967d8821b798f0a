"""The CPU catches what the GPU catches: the same fills, the same data, case by case. Needs both."""

from __future__ import annotations

import pytest

from gemv_grader.exercise import load_exercise
from gemv_grader.proof import Trial, prove
from gemv_grader.run.device import open_device
from gemv_grader.words import CaseStatus

SEED = 20_261_129


def passed_by_case(trial: Trial) -> dict[str, bool]:
    """Which cases passed; those that a crash kept from running are left out."""
    ran = (outcome for outcome in trial.outcomes if outcome.status is not CaseStatus.SKIPPED)
    return {outcome.id: outcome.status is CaseStatus.PASSED for outcome in ran}


@pytest.mark.gpu
def test_the_kill_tables_of_gpu_and_cpu_agree() -> None:
    exercise = load_exercise("03_gemv")
    gpu = list(prove(exercise, lambda: open_device("gpu"), SEED, workers=4))
    cpu = list(prove(exercise, lambda: open_device("cpu"), SEED, workers=4))
    assert [trial.problem for trial in gpu] == [None] * len(gpu)
    assert [trial.problem for trial in cpu] == [None] * len(cpu)
    compared = 0
    differing = []
    for ours, theirs in zip(gpu, cpu, strict=True):
        here, there = passed_by_case(ours), passed_by_case(theirs)
        both = here.keys() & there.keys()
        compared += len(both)
        differing += [(ours.id, case, here[case], there[case]) for case in sorted(both) if here[case] != there[case]]
    print(f"{len(gpu)} fills, {compared} pairs of a fill and a case compared, {len(differing)} differ")
    assert not differing
