"""Whether what the answers say of runs rests on a run: on ours of the same program, or on the student's own receipt.

A run of ours shows that the program runs as said, not on which machine or how fast; what differs is set beside it for
a person. A receipt must be of this program, from a GPU, and agree with itself and with what we found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gemv_grader.discrepancies import Contradiction, discrepancies, is_same_device
from gemv_grader.prose.claimed import Claimed
from gemv_grader.receipt import Receipt
from gemv_grader.record import program_digest, receipt_of
from gemv_grader.trail import Trail
from gemv_grader.words import CaseStatus, Evidence, Text

Support = Literal["this_run", "receipt", "none", "other_program", "no_gpu", "inconsistent"]

_QUOTED = 200  # characters of a sentence in a reason; the JSON has it whole
_JUDGED = (CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.CRASHED)


@dataclass(frozen=True)
class Weighed:
    """The claims of the answers and what they rest on. ``state`` and ``reason`` are those of the veto."""

    claimed: Claimed
    support: Support
    contradictions: tuple[Contradiction, ...]
    state: Literal["cleared", "suspected"]
    reason: Text


def weigh(trail: Trail) -> Weighed | None:
    """Hold the answers' claims against our run and the receipt; None where there are no answers."""
    claimed = trail.claimed
    if claimed is None:
        return None
    support, record = _support(trail)
    if not claimed.measured:
        return Weighed(claimed, support, (), "cleared", SAID_SO if claimed.static_only else NO_CLAIM)
    found = discrepancies(claimed, record) if record is not None else ()
    quote = _quote(claimed)
    if support == "this_run":
        return Weighed(claimed, support, found, "cleared", BY_THIS_RUN)
    if support != "receipt" or record is None:
        return Weighed(claimed, support, (), "suspected", UNSUPPORTED[support].format(quote=quote))
    if claimed.devices and not any(is_same_device(said, record.device or "") for said in claimed.devices):
        named = OTHER_DEVICE.format(said=", ".join(claimed.devices), recorded=record.device, quote=quote)
        return Weighed(claimed, support, found, "suspected", named)
    return Weighed(claimed, support, found, "cleared", BY_RECEIPT)


def _support(trail: Trail) -> tuple[Support, Receipt | None]:
    """What a claim of a run can rest on, and the record that it can be compared with."""
    fits = _fit(trail)
    if trail.evidence is Evidence.GPU:
        # The student's own receipt, where it holds, tells of the run that the answers speak of.
        return "this_run", trail.receipt if fits == "receipt" else receipt_of(trail)
    return fits, trail.receipt if fits == "receipt" else None


def _fit(trail: Trail) -> Support:
    """What the receipt is worth for this trail."""
    receipt = trail.receipt
    if receipt is None:
        return "inconsistent" if trail.receipt_damaged else "none"
    if receipt.sha256.program != program_digest(trail):
        return "other_program"
    if receipt.evidence is not Evidence.GPU:
        return "no_gpu"
    return "receipt" if _agrees(receipt, trail) else "inconsistent"


def _agrees(receipt: Receipt, trail: Trail) -> bool:
    """Whether it can be the receipt of a GPU run of the exercise's cases that came out as ours did, if ours did."""
    if receipt.exercise != trail.exercise.id or not receipt.device or receipt.seed is None:
        return False
    if [case.id for case in receipt.cases] != [case.id for case in trail.exercise.cases]:
        return False
    ended = (CaseStatus.PASSED, CaseStatus.FAILED)
    if any(case.status in ended and case.milliseconds is None for case in receipt.cases):
        return False
    ours = {outcome.id: outcome.status for outcome in trail.outcomes}
    pairs = [(case.status, ours[case.id]) for case in receipt.cases if case.id in ours]
    return not any(a is not b and a in _JUDGED and b in _JUDGED for a, b in pairs)


def _quote(claimed: Claimed) -> str:
    words = " ".join(claimed.quotes[0].passage.text.split())
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1] + "…"


NO_CLAIM = Text(zh="答卷没有声称运行过", en="the answers claim no run")
SAID_SO = Text(zh="答卷说明了没有运行（仅静态审查）", en="the answers say that nothing was run (static review only)")
BY_THIS_RUN = Text(
    zh="有依据：这次评分在 GPU 上运行了同一个程序（所说的设备和数字不由此证明）",
    en="supported: this grading ran the same program on a GPU (which shows neither the device nor the figures told)",
)
BY_RECEIPT = Text(
    zh="有依据：与学生自己的运行凭据相符（凭据没有防伪，这里没有在 GPU 上重跑）",
    en="supported: it fits the student's own receipt (which is not proof against forgery; nothing here ran on a GPU)",
)
OTHER_DEVICE = Text(
    zh="答卷说的设备是 {said}，运行凭据记录的是 {recorded}：“{quote}”。请人工确认",
    en='the answers name {said}, the receipt {recorded}: "{quote}". A person decides',
)
_IF_NOT_RUN = Text(
    zh="若没有运行，请写“仅静态审查”；若运行过，请交 submit 写下的 .receipt.json",
    en='if nothing was run, say "static review only"; if it was, hand in the .receipt.json that `submit` wrote',
)
UNSUPPORTED: dict[Support, Text] = {
    "none": Text(
        zh="答卷说运行过，但没有运行凭据，这里也没有在 GPU 上运行：“{quote}”。" + _IF_NOT_RUN.zh,
        en='the answers tell of a run, with no receipt and no GPU run here to support it: "{quote}"; ' + _IF_NOT_RUN.en,
    ),
    "other_program": Text(
        zh="答卷说运行过，但运行凭据属于另一个程序：“{quote}”。请人工确认",
        en='the answers tell of a run, but the receipt is of another program: "{quote}". A person decides',
    ),
    "no_gpu": Text(
        zh="答卷说运行过，但运行凭据说没有在 GPU 上运行：“{quote}”。请人工确认",
        en='the answers tell of a run, but the receipt says that no GPU ran it: "{quote}". A person decides',
    ),
    "inconsistent": Text(
        zh="答卷说运行过，但运行凭据残缺、自相矛盾，或与这里的结果不符：“{quote}”。请人工确认",
        en="the answers tell of a run, but the receipt is damaged, contradicts itself, or does not fit what was found "
        'here: "{quote}". A person decides',
    ),
}
