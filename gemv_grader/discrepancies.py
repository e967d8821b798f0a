"""What answers tell of a run beside what the record of a run says: devices, speeds, and whether all passed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemv_grader.prose.claimed import Claimed
from gemv_grader.receipt import RanCase, Receipt
from gemv_grader.words import CaseStatus, Text

_MOST = 8
# Clocks, sizes and harnesses differ; what is off by more than this factor is worth a look.
_FACTOR = 2.0
_MODEL = re.compile(r"[a-z]{0,2}\d{1,4}")
_SPEED = re.compile(r"(?P<value>\d+(?:\.\d+)?)\s*(?P<unit>[^\d\s].*)")
# Gigabytes per second, billions of operations per second, milliseconds.
_UNITS = {
    "gb/s": ("bandwidth", 1.0),
    "gbps": ("bandwidth", 1.0),
    "gib/s": ("bandwidth", 1.073741824),
    "tb/s": ("bandwidth", 1000.0),
    "gflop": ("compute", 1.0),
    "tflop": ("compute", 1000.0),
    "ms": ("time", 1.0),
    "毫秒": ("time", 1.0),
    "us": ("time", 1e-3),
    "µs": ("time", 1e-3),
    "μs": ("time", 1e-3),
    "微秒": ("time", 1e-3),
}
_ALL_WELL = re.compile(r"\bpass(?:ed|es)?\b|\bok\b|\bcorrect\b|通过|正确|一致|對得上|对得上|✓", re.IGNORECASE)


@dataclass(frozen=True)
class Contradiction:
    """Something told that the record does not bear out: the student's words, and what is recorded."""

    said: str
    recorded: Text


def discrepancies(claimed: Claimed, record: Receipt) -> tuple[Contradiction, ...]:
    """What of the claims differs from ``record``, a run on a GPU. They are shown, and decide nothing."""
    found = (*_devices(claimed, record), *_speeds(claimed, record), *_results(claimed, record))
    return found[:_MOST]


def is_same_device(said: str, recorded: str) -> bool:
    """Whether a device as told can be the one recorded: "4090" and "NVIDIA GeForce RTX 4090"."""
    squashed = re.sub(r"[\s_-]+", "", recorded.lower())
    models = _MODEL.findall(re.sub(r"[\s_-]+", "", said.lower()).replace("rtx", "").replace("gtx", ""))
    if not models:
        return any(word in squashed for word in said.lower().split())
    model = re.escape(models[0])
    return re.search(rf"(?<!\d){model}(?!\d)", squashed) is not None


def _devices(claimed: Claimed, record: Receipt) -> Iterator[Contradiction]:
    for said in claimed.devices:
        if not is_same_device(said, record.device or ""):
            yield Contradiction(said, DEVICE.format(device=record.device))


def _speeds(claimed: Claimed, record: Receipt) -> Iterator[Contradiction]:
    for said in claimed.speeds:
        if (parsed := _parsed(said)) is None:
            continue
        kind, value = parsed
        recorded = sorted(_recorded(kind, record.cases))
        if not any(other / _FACTOR <= value <= other * _FACTOR for other in recorded):
            yield Contradiction(said, _range(kind, recorded))


def _parsed(said: str) -> tuple[str, float] | None:
    match = _SPEED.fullmatch(said.strip())
    unit = next((unit for unit in _UNITS if match and match["unit"].lower().startswith(unit)), None)
    if match is None or unit is None:
        return None
    kind, factor = _UNITS[unit]
    return kind, float(match["value"]) * factor


def _recorded(kind: str, cases: tuple[RanCase, ...]) -> Iterator[float]:
    for case in cases:
        if case.milliseconds:
            # A float of the matrix is read once, for one product and one sum.
            per_second = case.bytes / case.milliseconds / 1e6
            yield {"time": case.milliseconds, "bandwidth": per_second, "compute": per_second / 2}[kind]


def _range(kind: str, recorded: list[float]) -> Text:
    if not recorded:
        return NO_TIMES
    unit = {"time": "ms", "bandwidth": "GB/s", "compute": "GFLOP/s"}[kind]
    return RANGE.format(least=f"{recorded[0]:.3g}", most=f"{recorded[-1]:.3g}", unit=unit)


def _results(claimed: Claimed, record: Receipt) -> Iterator[Contradiction]:
    said = (quote.passage.text for quote in claimed.quotes)
    bad = sum(case.status is not CaseStatus.PASSED for case in record.cases)
    quote = next((text for text in said if _ALL_WELL.search(text)), None)
    if bad and quote is not None:
        yield Contradiction(" ".join(quote.split()), NOT_ALL_PASSED.format(bad=bad, total=len(record.cases)))


DEVICE = Text(zh="记录的设备是 {device}", en="the device recorded is {device}")
RANGE = Text(
    zh="记录的各用例在 {least} 到 {most} {unit} 之间（用例较小，同一程序在更大的数据上会快得多）",
    en="the cases recorded lie between {least} and {most} {unit} (they are small: larger ones use a GPU better)",
)
NO_TIMES = Text(zh="没有记录任何时间", en="no times are recorded")
NOT_ALL_PASSED = Text(
    zh="记录里 {total} 例中有 {bad} 例没有通过", en="{bad} of the {total} cases recorded did not pass"
)
