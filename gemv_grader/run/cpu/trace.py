"""The story of one block, from the events of a real run: what each thread read, how the sums met, what was written."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gemv_grader.run.cpu.report import Event
from gemv_grader.words import Text

WARP = 32


@dataclass(frozen=True)
class Reading:
    """The rounds in which a thread reads one input array in one line: indices of the first and the last element."""

    thread: int
    line: int | None
    array: str
    rounds: int
    first: int
    last: int


@dataclass(frozen=True)
class Exchange:
    """What a lane had and received in the ``step``-th collective of its warp. ``thread`` is counted in the block."""

    thread: int
    step: int
    line: int | None
    source: int
    own: float
    received: float


@dataclass(frozen=True)
class Move:
    """A value that a thread read from or wrote to memory, other than the inputs."""

    thread: int
    line: int | None
    action: str
    array: str
    index: int
    value: float
    shared: bool


@dataclass(frozen=True)
class Walk:
    """One block. Moves are in the order of the barriers between them, all else in the order of threads."""

    threads: int
    readings: tuple[Reading, ...]
    exchanges: tuple[Exchange, ...]
    moves: tuple[Move, ...]

    @property
    def partial_sums(self) -> Mapping[int, float]:
        """What each thread brought into its first collective."""
        return {e.thread: e.own for e in self.exchanges if e.step == 1}


def walk(events: Iterable[Event], inputs: Sequence[str]) -> Walk:
    """Make the story of a block of float32 data of its events. ``inputs`` names the arrays that it only reads."""
    by_thread: dict[int, list[Event]] = {}
    moves: list[tuple[int, Move]] = []  # with the number of barriers before
    barriers: Counter[int] = Counter()
    for event in events:
        by_thread.setdefault(event.thread, []).append(event)
        barriers[event.thread] += event.what == "barrier"
        if event.array and event.array not in inputs:
            moves.append((barriers[event.thread], _move(event)))
    own = [by_thread[thread] for thread in sorted(by_thread)]
    return Walk(
        threads=len(own),
        readings=tuple(reading for events in own for reading in _readings(events, inputs)),
        exchanges=tuple(exchange for events in own for exchange in _exchanges(events)),
        moves=tuple(move for _, move in sorted(moves, key=lambda m: (m[0], m[1].thread))),
    )


def tell(story: Walk, threads: Sequence[int]) -> Iterator[Text]:
    """The story line by line; of what all threads do alike, only ``threads`` are shown."""
    shown = [thread for thread in threads if thread < story.threads]
    yield BLOCK.format(threads=story.threads)
    yield ROUNDS
    for reading in story.readings:
        if reading.thread in shown:
            yield _tell_reading(reading)
    yield PARTIAL
    for thread in shown:
        if thread in story.partial_sums:
            yield VALUE.format(thread=thread, value=_show(story.partial_sums[thread]))
    yield STEPS
    steps = sorted(story.exchanges, key=lambda e: (e.thread // WARP, e.step, e.thread))
    for (warp, step), lanes in groupby(steps, key=lambda e: (e.thread // WARP, e.step)):
        leader = next(lanes)
        if leader.thread % WARP == 0 and warp in {thread // WARP for thread in shown}:
            yield STEP.format(
                warp=warp,
                step=step,
                line=leader.line or "-",
                thread=leader.thread,
                own=_show(leader.own),
                source=leader.source,
                received=_show(leader.received),
            )
    yield MEMORY
    for move in story.moves:
        template = WRITES if move.action != "read" else READS
        yield template.format(
            thread=move.thread, array=move.array, index=move.index, value=_show(move.value), line=move.line or "-"
        )


def _readings(events: Sequence[Event], inputs: Sequence[str]) -> Iterator[Reading]:
    reads: dict[tuple[int | None, str], list[int]] = {}
    for event in events:
        if event.what == "read" and event.array in inputs:
            reads.setdefault((event.line, event.array), []).append(event.offset // event.size)
    for (line, array), indices in reads.items():
        yield Reading(events[0].thread, line, array, len(indices), indices[0], indices[-1])


def _exchanges(events: Sequence[Event]) -> Iterator[Exchange]:
    collectives = (event for event in events if event.what == "collective")
    for step, event in enumerate(collectives, start=1):
        source = event.thread // WARP * WARP + event.source
        yield Exchange(event.thread, step, event.line, source, _float(event.own), _float(event.bits))


def _move(event: Event) -> Move:
    return Move(
        thread=event.thread,
        line=event.line,
        action=event.what,
        array=event.array,
        index=event.offset // event.size,
        value=_float(event.bits),
        shared=event.memory == "shared",
    )


def _float(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
    return value


def _show(value: float) -> str:
    return f"{value:.9g}"


def _tell_reading(reading: Reading) -> Text:
    template = ONE_ROUND if reading.rounds == 1 else SEVERAL_ROUNDS
    return template.format(
        thread=reading.thread,
        array=reading.array,
        rounds=reading.rounds,
        first=reading.first,
        last=reading.last,
        line=reading.line or "-",
    )


BLOCK = Text("这个 block 有 {threads} 个线程。", "The block has {threads} threads.")
ROUNDS = Text("每个线程读了什么：", "What the threads read:")
ONE_ROUND = Text(
    "  线程 {thread}：1 轮，{array}[{first}]（第 {line} 行）",
    "  thread {thread}: 1 round, {array}[{first}] (line {line})",
)
SEVERAL_ROUNDS = Text(
    "  线程 {thread}：{rounds} 轮，{array}[{first}] 到 {array}[{last}]（第 {line} 行）",
    "  thread {thread}: {rounds} rounds, {array}[{first}] to {array}[{last}] (line {line})",
)
PARTIAL = Text("带入归约的局部和：", "Partial sums brought into the reduction:")
VALUE = Text("  线程 {thread}：{value}", "  thread {thread}: {value}")
STEPS = Text("归约，每个 warp 的 lane 0：", "The reduction, as lane 0 of each warp sees it:")
STEP = Text(
    "  warp {warp} 第 {step} 步（第 {line} 行）：线程 {thread} 手里是 {own}，从线程 {source} 收到 {received}",
    "  warp {warp}, step {step} (line {line}): thread {thread} has {own} and receives {received} from thread {source}",
)
MEMORY = Text("共享内存与输出：", "Shared memory and outputs:")
READS = Text(
    "  线程 {thread} 读 {array}[{index}] = {value}（第 {line} 行）",
    "  thread {thread} reads {array}[{index}] = {value} (line {line})",
)
WRITES = Text(
    "  线程 {thread} 写 {array}[{index}] = {value}（第 {line} 行）",
    "  thread {thread} writes {array}[{index}] = {value} (line {line})",
)
