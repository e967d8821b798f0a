"""Compares what a run left in memory with what the reference says, byte for byte where nothing may change.

An output passes when every element that was to be written is within the bound of the float64 reference
(NaN where the reference is NaN, the same infinity where it is infinite), every element that was not to be
written still holds its poison, and no input or guard byte changed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemv_grader.cases import UNIT, Case, Expected
from gemv_grader.cases.slab import POISON, Bytes
from gemv_grader.outcome import Example, Outcome, show
from gemv_grader.run.outputs import CaseOutput, Outputs
from gemv_grader.words import CaseStatus, Evidence, Text

PROGRAM = "program.cu"  # what faults are told of until the student's own file is known
POISON_WORD = np.uint32(0x01010101 * POISON)


def check(cases: tuple[Case, ...], outputs: Outputs) -> tuple[Outcome, ...]:
    """Judge every planned case, in order. A case without an output is `crashed`: none may go missing."""
    reported = {output.id: output for output in outputs.cases}
    missing = CaseOutput(id="", status="crashed", detail=NO_RESULT)
    return tuple(_judge(case, reported.get(case.id, missing), outputs.evidence) for case in cases)


def _judge(case: Case, output: CaseOutput, evidence: Evidence) -> Outcome:
    status, detail, example, worst = _compare(case, output)
    outcome = Outcome(
        id=case.id,
        group=case.group,
        status=status,
        evidence=evidence,
        shape=case.shape,
        elements=sum(buffer.size for buffer in case.buffers) // 4,
        detail=detail,
        example=example,
        worst=worst,
        milliseconds=output.milliseconds,
        faults=output.faults,
        absent=case.absent,
        patterns=output.patterns,
    )
    if outcome.blame is None:
        return outcome
    # A broken rule of CUDA's fails a case even where the numbers came out right, and explains it where they did not.
    broken = CaseStatus.FAILED if status is CaseStatus.PASSED else status
    return replace(outcome, status=broken, detail=outcome.blame.message(PROGRAM, case.absent))


def _compare(case: Case, output: CaseOutput) -> tuple[CaseStatus, Text, Example | None, float | None]:
    if output.status == "skipped":
        return CaseStatus.SKIPPED, output.detail or NO_RESULT, None, None
    if output.status == "crashed" or output.slab is None or output.slab.shape != case.slab.shape:
        return CaseStatus.CRASHED, output.detail or NO_RESULT, None, None
    if intruded := _changed_elsewhere(case, output.slab):
        return CaseStatus.FAILED, WROTE_OUTSIDE.format(place=intruded), None, None
    worst = 0.0
    for expected in case.expected:
        computed = expected.buffer.view(output.slab)
        wrong = wrong_elements(expected, computed)
        worst = max(worst, _units(expected, computed))
        if wrong.any():
            example = _example(expected, computed, wrong)
            return CaseStatus.FAILED, _describe(example, int(wrong.sum()), wrong.size), example, worst
    return CaseStatus.PASSED, PASSED, None, worst


def wrong_elements(expected: Expected, computed: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which elements of an output are not what the reference wants, in the output's shape."""
    bits = computed.view(np.uint32)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(computed.astype(np.float64) - expected.values) <= expected.bound
    # A poisoned word is a NaN too; it must not pass for the NaN that the reference wants.
    same_kind = np.where(
        np.isnan(expected.values),
        np.isnan(computed) & (bits != POISON_WORD),
        np.where(np.isinf(expected.values), computed == expected.values, near),
    )
    return np.where(expected.written, ~same_kind, bits != POISON_WORD)


def _units(expected: Expected, computed: NDArray[np.float32]) -> float:
    """The largest error among finite elements, in units of the bound; 0 where nothing can be measured."""
    measurable = expected.written & np.isfinite(expected.values) & np.isfinite(computed) & (expected.magnitude > 0)
    if not measurable.any():
        return 0.0
    error = np.abs(computed[measurable].astype(np.float64) - expected.values[measurable])
    return float(np.max(error / (UNIT * expected.magnitude[measurable])))


def _example(expected: Expected, computed: NDArray[np.float32], wrong: NDArray[np.bool_]) -> Example:
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    untouched = computed.view(np.uint32)[index] == POISON_WORD
    return Example(
        element=f"{expected.buffer.name}[{', '.join(map(str, index))}]",
        expected=float(expected.values[index]) if expected.written[index] else None,
        computed=None if untouched else float(computed[index]),
    )


def _describe(example: Example, wrong: int, total: int) -> Text:
    message = NOT_WRITTEN if example.computed is None else NOT_ITS_BLOCK if example.expected is None else DIFFERS
    return message.format(
        element=example.element,
        expected=show(example.expected),
        computed=show(example.computed),
        wrong=wrong,
        total=total,
    )


def _changed_elsewhere(case: Case, slab: Bytes) -> str | None:
    """Name the first byte outside the outputs that changed, as an element of the nearest buffer."""
    outputs = sorted((e.buffer.offset, e.buffer.end) for e in case.expected)
    start = 0
    for first, end in [*outputs, (len(slab), len(slab))]:
        if not np.array_equal(slab[start:first], case.slab[start:first]):
            byte = start + int(np.flatnonzero(slab[start:first] != case.slab[start:first])[0])
            return _name(case, byte)
        start = end
    return None


def _name(case: Case, byte: int) -> str:
    def distance(offset: int, end: int) -> int:
        return max(offset - byte, byte - end + 1, 0)

    nearest = min(case.buffers, key=lambda b: distance(b.offset, b.end))
    return f"{nearest.name}[{(byte - nearest.offset) // 4}]"


PASSED = Text(zh="通过", en="passed")
NO_RESULT = Text(zh="程序没有交回这一例的结果", en="the program handed back no result for this case")
WROTE_OUTSIDE = Text(
    zh="写到了不该写的地方：{place} 被改动（输入和数组边界之外都必须保持原样）",
    en="wrote where it must not: {place} was changed (inputs, and memory outside the arrays, must stay as they were)",
)
NOT_WRITTEN = Text(
    zh="{element} 从未被写入，应为 {expected}（{total} 个元素中有 {wrong} 个不对）",
    en="{element} was never written; expected {expected} ({wrong} of {total} elements are wrong)",
)
NOT_ITS_BLOCK = Text(
    zh="{element} 被写成 {computed}，但这次启动没有任何 block 负责它（{total} 个元素中有 {wrong} 个不对）",
    en="{element} was written ({computed}), but no block of this launch owns it "
    "({wrong} of {total} elements are wrong)",
)
DIFFERS = Text(
    zh="{element} 应为 {expected}，算得 {computed}（{total} 个元素中有 {wrong} 个不对）",
    en="{element}: expected {expected}, computed {computed} ({wrong} of {total} elements are wrong)",
)
