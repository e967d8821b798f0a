"""Reads the lines of JSON that the runtime reports, and trusts none of them: a program could have written its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gemv_grader.run.cpu.faults import Fault, merge_faults, read_fault, variable_name


@dataclass(frozen=True)
class Pattern:
    """How one instruction met memory: ``units`` are 32-byte sectors of global memory, or turns of shared banks.

    ``requests`` are those of whole warps, ``lanes`` the threads in them, ``ideal`` the fewest units that could have
    held what the lanes asked for. All are sums over the sampled blocks.
    """

    line: int | None
    array: str
    memory: str
    action: str
    requests: int
    lanes: int
    units: int
    ideal: int


@dataclass(frozen=True)
class Event:
    """One thing that a thread of the traced block did.

    ``what`` is read, write, atomic, collective, barrier or end. ``bits`` is the value read or written, or a
    collective's result; ``own`` is what the lane itself gave to the collective, ``source`` the lane a shuffle read.
    """

    what: str
    thread: int
    line: int | None
    array: str = ""
    memory: str = ""
    offset: int = 0
    size: int = 0
    bits: int = 0
    collective: int = 0
    source: int = 0
    own: int = 0


@dataclass(frozen=True)
class CaseReport:
    """One case as the runtime tells it. ``sampled_blocks`` is how many blocks ``patterns`` were counted on."""

    id: str
    crashed: bool
    milliseconds: float
    launches: int
    blocks: int
    threads: int
    faults: tuple[Fault, ...]
    patterns: tuple[Pattern, ...]
    sampled_blocks: int
    events: tuple[Event, ...]


class Malformed(Exception):
    """The report is not what the runtime writes."""


@dataclass(frozen=True)
class RawReport:
    """A report before its code addresses are lines."""

    ready: bool
    cases: tuple[Mapping[str, Any], ...]
    events: Mapping[str, tuple[Mapping[str, Any], ...]]
    grader_fault: str | None

    def addresses(self) -> Iterator[int]:
        """Every code address in it."""
        for case in self.cases:
            for entry in (*case["faults"], *case.get("accesses", ()), *self.events[case["case"]]):
                yield from (entry[name] for name in ("pc", "other_pc") if name in entry)


def parse_report(text: str) -> RawReport:
    """Split a report into cases; a case's events come before it. Raises Malformed."""
    cases: list[Mapping[str, Any]] = []
    events: dict[str, tuple[Mapping[str, Any], ...]] = {}
    pending: list[Mapping[str, Any]] = []
    fault: str | None = None
    ready = False
    for line in text.splitlines():
        try:
            data = json.loads(line)
        except ValueError as error:
            raise Malformed(str(error)) from error
        if not isinstance(data, dict):
            raise Malformed(line[:80])
        if "grader_fault" in data:
            fault = str(data["grader_fault"])
        elif "ready" in data:
            ready = True
        elif "case" in data:
            cases.append(data)
            events[data["case"]] = tuple(pending)
            pending = []
        else:
            pending.append(data)
    return RawReport(ready, tuple(cases), events, fault)


def read_cases(raw: RawReport, lines: Mapping[int, int]) -> tuple[CaseReport, ...]:
    """The cases with the lines of the program that ``lines`` gives for code addresses. Raises Malformed."""
    try:
        return tuple(_case(data, raw.events[data["case"]], lines) for data in raw.cases)
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(repr(error)) from error


def _case(data: Mapping[str, Any], events: tuple[Mapping[str, Any], ...], lines: Mapping[int, int]) -> CaseReport:
    return CaseReport(
        id=str(data["case"]),
        crashed=data["status"] != "ran",
        milliseconds=float(data["milliseconds"]),
        launches=int(data["launches"]),
        blocks=int(data["blocks"]),
        threads=int(data["threads"]),
        faults=merge_faults(read_fault(fault, lines) for fault in data["faults"]),
        patterns=_merge(_pattern(access, lines) for access in data.get("accesses", ())),
        sampled_blocks=int(data.get("sampled_blocks", 0)),
        events=tuple(_event(event, lines) for event in events),
    )


def _pattern(data: Mapping[str, Any], lines: Mapping[int, int]) -> Pattern:
    numbers = {name: int(data[name]) for name in ("requests", "lanes", "units", "ideal")}
    array = variable_name(data["array"])
    return Pattern(lines.get(data.get("pc", -1)), array, str(data["memory"]), str(data["action"]), **numbers)


def _merge(patterns: Iterator[Pattern]) -> tuple[Pattern, ...]:
    """One pattern for each line, array and action: a compiler may make several instructions of one expression."""
    merged: dict[tuple[int | None, str, str], Pattern] = {}
    for new in patterns:
        key = (new.line, new.array, new.action)
        old = merged.get(key, Pattern(new.line, new.array, new.memory, new.action, 0, 0, 0, 0))
        merged[key] = Pattern(
            new.line, new.array, new.memory, new.action,
            old.requests + new.requests, old.lanes + new.lanes, old.units + new.units, old.ideal + new.ideal,
        )  # fmt: skip
    return tuple(sorted(merged.values(), key=lambda p: (p.line or 0, p.array, p.action)))


def _event(data: Mapping[str, Any], lines: Mapping[int, int]) -> Event:
    line = data.get("line") or lines.get(data.get("pc", -1))
    names = ("offset", "size", "bits", "collective", "source", "own")
    numbers = {name: int(data[name]) for name in names if name in data}
    array = variable_name(data.get("array", ""))
    return Event(str(data["event"]), int(data["thread"]), line, array, str(data.get("memory", "")), **numbers)
