"""What the runtime finds wrong in a program: read from its report, and told to people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gemv_grader.words import Severity, Text

Index = tuple[int, ...]

WARNINGS = frozenset({"barrier_after_exit"})
"""Kinds that break a rule of CUDA's but work on every GPU since Volta: told to people, and no case fails for them."""


@dataclass(frozen=True)
class Site:
    """A thread and where in the program it was. ``line`` is None where the debugging information does not tell."""

    block: Index
    thread: Index
    line: int | None
    action: str = ""


@dataclass(frozen=True)
class Fault:
    """One finding of a case. ``index`` and ``count`` are in elements of ``array``; ``times`` is how often it was seen.

    ``fatal`` ended the launch. ``other`` is the second thread of a race or a wait.
    """

    kind: str
    fatal: bool
    times: int
    site: Site
    array: str | None = None
    index: int = 0
    count: int = 0
    size: int = 0
    address: int = 0
    other: Site | None = None
    threads: int = 0
    of_threads: int = 0
    mask: int = 0
    lane: int = 0
    text: str = ""

    @property
    def severity(self) -> Severity:
        """Whether a case fails for it."""
        return Severity.WARNING if self.kind in WARNINGS else Severity.ERROR

    def moved(self, line_of: Callable[[int], int]) -> Fault:
        """The same fault with lines of another file."""

        def move(site: Site) -> Site:
            return site if site.line is None else replace(site, line=line_of(site.line))

        return replace(self, site=move(self.site), other=self.other and move(self.other))

    def message(self, file: str, absent: tuple[str, ...] = ()) -> Text:
        """One sentence, with the place as ``file:line``. ``absent`` names the arrays that were null in this case."""
        template = _MESSAGES.get(self.kind, UNKNOWN)
        if self.kind == "null_pointer" and absent:
            template = NULL_ARGUMENT
        return template.format(
            who=_thread(self.site),
            block=_block(self.site.block),
            does=_VERBS.get(self.site.action, _VERBS["read"]),
            place=_place(file, self.site.line),
            other=_thread(self.other, self.site.block) if self.other else Text("", ""),
            other_does=_VERBS.get(self.other.action, _VERBS["wait"]) if self.other else Text("", ""),
            other_line=_line(self.other.line) if self.other else Text("", ""),
            line=_line(self.site.line),
            array=self.array or "",
            index=self.index,
            count=self.count,
            size=self.size,
            address=hex(self.address),
            absent=", ".join(absent),
            threads=self.threads,
            of_threads=self.of_threads,
            mask=f"0x{self.mask:08x}",
            lane=self.lane,
            text=self.text,
            kind=self.kind,
        )


def read_fault(data: Mapping[str, Any], lines: Mapping[int, int]) -> Fault:
    """A fault from the runtime's JSON; ``lines`` maps code addresses to lines of the program."""

    def site(prefix: str) -> Site:
        line = data.get(f"{prefix}line") or lines.get(data.get(f"{prefix}pc", -1))
        block, thread = tuple(data.get(f"{prefix}block", ())), tuple(data.get(f"{prefix}thread", ()))
        return Site(block, thread, line, data.get(f"{prefix}action", ""))

    names = ("index", "count", "size", "address", "threads", "of_threads", "mask", "lane")
    return Fault(
        kind=data["kind"],
        fatal=data["fatal"],
        times=data["times"],
        site=site(""),
        array=variable_name(data["array"]) if "array" in data else None,
        other=site("other_") if "other_thread" in data else None,
        text=data.get("text", ""),
        **{name: data[name] for name in names if name in data},
    )


def merge_faults(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Each finding once, from its first thread: a compiler may make several instructions of one expression.

    Races of one array in one line are one finding, whichever of its accesses met another thread's.
    """
    merged: dict[tuple[object, ...], Fault] = {}
    for new in faults:
        key = (new.kind, new.site.line, new.array, "" if new.kind == "race" else new.site.action)
        old = merged.setdefault(key, replace(new, times=0))
        first = new if _order(new.site) < _order(old.site) else old
        merged[key] = replace(first, times=old.times + new.times)
    return tuple(merged.values())


def _order(site: Site) -> tuple[Index, Index]:
    """Threads in the order of their numbers: the last index counts most."""
    return site.block[::-1], site.thread[::-1]


def variable_name(symbol: str) -> str:
    """The name in the source of a variable that the linker knows as ``symbol`` (the Itanium C++ ABI's mangling)."""
    if not symbol.startswith("_Z"):
        return symbol
    # A variable ends the name: its length, itself, then E for a namespace or _N for the N-th of its name in a function.
    for match in re.finditer(r"(?=(\d+)([A-Za-z_]))", symbol):
        start, end = match.end(1), match.end(1) + int(match[1])
        if re.fullmatch(r"E*(?:_\d+|__\d+_)?E*", symbol[end:]) and end <= len(symbol):
            return symbol[start:end]
    return symbol


def _thread(site: Site, block: Index | None = None) -> Text:
    """``block 2, thread 17``; without the block where it is the one just named, or where host code runs."""
    if not site.thread:
        return Text("主机代码", "host code")
    thread = _index(site.thread)
    if site.block == block:
        return Text(f"线程 {thread}", f"thread {thread}")
    return Text(f"block {_index(site.block)} 的线程 {thread}", f"block {_index(site.block)}, thread {thread}")


def _block(block: Index) -> str:
    return _index(block) if block else "-"


def _index(index: Index) -> str:
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def _place(file: str, line: int | None) -> Text:
    return Text("", "") if line is None else Text(f"（{file}:{line}）", f" ({file}:{line})")


def _line(line: int | None) -> Text:
    return Text("某行", "some line") if line is None else Text(f"第 {line} 行", f"line {line}")


_VERBS = {
    "read": Text("读", "reads"),
    "write": Text("写", "writes"),
    "atomic": Text("原子地更新", "atomically updates"),
    "wait": Text("等待", "waits"),
}

_MESSAGES = {
    "out_of_bounds": Text(
        "{who} {does} {array}[{index}]：{array} 有 {count} 个元素{place}",
        "{who} {does} {array}[{index}]: {array} has {count} elements{place}",
    ),
    "null_pointer": Text(
        "{who} {does}空指针（地址 {address}）{place}", "{who} {does} a null pointer (address {address}){place}"
    ),
    "wild_pointer": Text(
        "{who} {does}地址 {address}，它不属于任何数组{place}",
        "{who} {does} address {address}, which is in no array{place}",
    ),
    "illegal_address": Text(
        "{who} {does}地址 {address}，它不属于任何数组{place}",
        "{who} {does} address {address}, which is in no array{place}",
    ),
    "misaligned": Text(
        "{who} 从 {array}[{index}] 起一次访问 {size} 字节，但那里没有按 {size} 字节对齐{place}",
        "{who} accesses {size} bytes at once at {array}[{index}], which is not aligned to {size} bytes{place}",
    ),
    "uninitialised": Text(
        "{who} {does} {array}[{index}]，但还没有任何线程写过它{place}",
        "{who} {does} {array}[{index}], which nobody has written yet{place}",
    ),
    "write_to_input": Text(
        "{who} {does} {array}[{index}]，但 {array} 是输入，不能改{place}",
        "{who} {does} {array}[{index}], but {array} is an input and must stay as it is{place}",
    ),
    "race": Text(
        "数据竞争：{who} {does} {array}[{index}]，{other} 也{other_does}它（{other_line}），二者之间没有同步{place}",
        "race: {who} {does} {array}[{index}], and {other} {other_does} it ({other_line}) with nothing to order the "
        "two{place}",
    ),
    "host_access": Text(
        "主机代码{does} {array}，但它在 GPU 的显存里{place}",
        "host code {does} {array}, which lies in the GPU's memory{place}",
    ),
    "barrier_divergence": Text(
        "{who} 在{line}的 __syncthreads 等待，{other} 却在{other_line}的那一个等：同一 block 的线程必须到达同一处",
        "{who} waits at the __syncthreads in {line}, but {other} at the one in {other_line}: all threads of a block "
        "must meet at the same one",
    ),
    "barrier_after_exit": Text(
        "{who} 在{line}的 __syncthreads 等待时，{of_threads} 个线程里已有 {threads} 个返回：CUDA 要求整个 block 都到达",
        "{who} waits at the __syncthreads in {line}, but {threads} of {of_threads} threads have returned before it: "
        "CUDA wants all of the block there",
    ),
    "shuffle_source": Text(
        "{who} 在 shuffle 里读 lane {lane}，但那个 lane 没有参加（掩码 {mask}），读到的值没有定义{place}",
        "{who} reads lane {lane} in a shuffle in which that lane takes no part (mask {mask}): what it gets is "
        "undefined{place}",
    ),
    "mask_without_caller": Text(
        "{who}（lane {lane}）用的掩码 {mask} 里没有它自己{place}",
        "{who} (lane {lane}) is not in its own mask {mask}{place}",
    ),
    "deadlock": Text(
        "死锁：{who} 在{line}等掩码 {mask} 里的所有 lane，但{other} 在{other_line}等别的，永远不会来",
        "deadlock: {who} waits in {line} for all lanes of mask {mask}, but {other} waits for something else in "
        "{other_line} and never comes",
    ),
    "trap": Text("{who} 执行了 __trap(){place}", "{who} executed __trap(){place}"),
    "assertion": Text("{who} 的断言不成立：{text}{place}", "{who}: assertion failed: {text}{place}"),
    "endless": Text(
        "{who} 没有结束，已停止：可能是死循环{place}", "{who} did not end and was stopped: it may loop endlessly{place}"
    ),
    "launch_configuration": Text("核函数没有启动：{text}", "the kernel was not launched: {text}"),
    "stack_overflow": Text(
        "{who} 用完了它的栈：递归太深，或局部数组太大{place}",
        "{who} ran out of stack: recursion too deep or local arrays too large{place}",
    ),
    "division_by_zero": Text("{who} 做了整数除以零{place}", "{who} divided an integer by zero{place}"),
    "stopped": Text("{who} 在执行时被系统终止{place}", "{who} was stopped by the system{place}"),
    "unsupported": Text("CPU 上不支持：{text}{place}", "not supported on the CPU: {text}{place}"),
}
NULL_ARGUMENT = Text(
    "{who} {does}空指针（地址 {address}；这一例里 {absent} 是空指针）{place}",
    "{who} {does} a null pointer (address {address}; in this case {absent} is null){place}",
)
UNKNOWN = Text("{who}：{kind}{place}", "{who}: {kind}{place}")
