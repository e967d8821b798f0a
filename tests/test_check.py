"""The check: an honest result passes; every way of being wrong that a run can leave in memory is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from trails import Floats, honest

from gemv_grader.cases import Case, plan
from gemv_grader.cases.slab import GUARD_BYTES, Bytes
from gemv_grader.check import check
from gemv_grader.exercise import load_exercise
from gemv_grader.run.outputs import CaseOutput, Outputs
from gemv_grader.words import CaseStatus, Evidence

CASES = {case.id: case for case in plan(load_exercise("03_gemv"), seed=20_240_229)}


def status(case: Case, slab: Bytes) -> CaseStatus:
    (outcome,) = check((case,), Outputs((CaseOutput(case.id, "ran", slab),), Evidence.GPU))
    return outcome.status


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_honest_float32_passes(case: Case) -> None:
    assert status(case, honest(case)) is CaseStatus.PASSED


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_untouched_output_never_passes(case: Case) -> None:
    assert status(case, case.slab) is CaseStatus.FAILED


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("value", [0.0, np.nan, np.inf, -np.inf, 1e30])
def test_a_constant_never_passes(case: Case, value: float) -> None:
    slab = honest(case)
    case.expected[0].buffer.view(slab)[...] = value
    assert status(case, slab) is CaseStatus.FAILED


@pytest.mark.parametrize("name", ["A", "x", "bias"])
def test_a_changed_input_fails(name: str) -> None:
    case = CASES["square"]
    slab = honest(case)
    buffer = next(b for b in case.buffers if b.name == name)
    buffer.view(slab).flat[3] += 1
    assert status(case, slab) is CaseStatus.FAILED


@pytest.mark.parametrize(("element", "shown"), [(-1, "y[-1]"), (256, "y[256]")])
def test_a_write_beside_the_output_names_the_element(element: int, shown: str) -> None:
    case = CASES["square"]
    slab = honest(case)
    start = case.expected[0].buffer.offset + 4 * element
    slab[start : start + 4] = 0
    (outcome,) = check((case,), Outputs((CaseOutput(case.id, "ran", slab),), Evidence.GPU))
    assert outcome.status is CaseStatus.FAILED
    assert shown in outcome.detail.en
    assert shown in outcome.detail.zh


def test_every_guard_byte_is_watched() -> None:
    case = CASES["warp_exact"]
    for byte in (0, GUARD_BYTES - 1, len(case.slab) - 1):
        slab = honest(case)
        slab[byte] ^= 1
        assert status(case, slab) is CaseStatus.FAILED, byte


def test_rows_without_a_block_stay_untouched() -> None:
    case = CASES["fewer_blocks"]
    assert case.blocks is not None
    slab = honest(replace(case, blocks=case.blocks + 1))
    assert status(case, slab) is CaseStatus.FAILED


def test_half_precision_products_fail() -> None:
    case = CASES["signed_random"]

    def half(a: Floats, x: Floats) -> Floats:
        return (a.astype(np.float16) * x.astype(np.float16)).astype(np.float32)

    assert status(case, honest(case, half)) is CaseStatus.FAILED


def test_tf32_products_fail() -> None:
    case = CASES["signed_random"]

    def tf32(a: Floats, x: Floats) -> Floats:
        cut = np.uint32(0xFFFFE000)
        return (np.ascontiguousarray(a).view(np.uint32) & cut).view(np.float32) * (
            np.ascontiguousarray(x).view(np.uint32) & cut
        ).view(np.float32)

    assert status(case, honest(case, tf32)) is CaseStatus.FAILED


def test_flushed_denormals_fail() -> None:
    case = CASES["denormal"]

    def flushing(a: Floats, x: Floats) -> Floats:
        product = a * x
        return np.where(np.abs(product) < np.finfo(np.float32).tiny, np.float32(0), product)

    assert np.all(np.abs(CASES["denormal"].expected[0].values) < np.finfo(np.float32).tiny)
    assert status(case, honest(case, flushing)) is CaseStatus.FAILED


@pytest.mark.parametrize("order", ["forward", "backward", "pairwise", "double"])
def test_honest_orders_stay_far_under_the_bound(order: str) -> None:
    case = CASES["signed_random"]
    slab = case.slab.copy()
    arrays = {buffer.name: buffer.view(slab) for buffer in case.buffers}
    products = arrays["A"] * arrays["x"]
    sums: dict[str, Callable[[], Floats]] = {
        "forward": lambda: np.cumsum(products, axis=1, dtype=np.float32)[:, -1],
        "backward": lambda: np.cumsum(products[:, ::-1], axis=1, dtype=np.float32)[:, -1],
        "pairwise": lambda: products.sum(axis=1, dtype=np.float32),
        "double": lambda: products.sum(axis=1, dtype=np.float64).astype(np.float32),
    }
    arrays["y"][...] = sums[order]() + arrays["bias"]
    (outcome,) = check((case,), Outputs((CaseOutput(case.id, "ran", slab),), Evidence.GPU))
    assert outcome.status is CaseStatus.PASSED
    assert outcome.worst is not None
    assert outcome.worst < 2.0


def test_a_missing_result_is_a_crash_and_order_is_kept() -> None:
    cases = tuple(CASES.values())
    reported = tuple(CaseOutput(case.id, "ran", honest(case)) for case in reversed(cases[1:]))
    outcomes = check(cases, Outputs(reported, Evidence.GPU))
    assert [outcome.id for outcome in outcomes] == [case.id for case in cases]
    assert outcomes[0].status is CaseStatus.CRASHED
    assert {outcome.status for outcome in outcomes[1:]} == {CaseStatus.PASSED}


def test_a_slab_of_another_size_is_a_crash() -> None:
    case = CASES["square"]
    assert status(case, honest(case)[:-4]) is CaseStatus.CRASHED


def test_the_seed_decides_data_and_shapes() -> None:
    exercise = load_exercise("03_gemv")
    again, other = plan(exercise, 7), plan(exercise, 8)
    assert all(np.array_equal(a.slab, b.slab) for a, b in zip(again, plan(exercise, 7), strict=True))
    drawn = [i for i, spec in enumerate(exercise.cases) if any(spec.smallest(n) < spec.largest(n) for n in spec.sizes)]
    assert len(drawn) >= 2
    assert all(again[i].shape != other[i].shape for i in drawn)
    assert not np.array_equal(again[1].slab, other[1].slab)
