"""What an exercise must satisfy beyond the shape of its YAML: names that exist, texts that occur, sizes that fit."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator
from math import prod

from gemv_grader.exercise import CaseSpec, Exercise
from gemv_grader.words import Text
from gemv_grader.yamlfile import Location, Problem

HINT_LEVELS = 4

# The scaffold computes offsets such as `row * N` in int, so a buffer may hold no more elements than int can count.
MAX_ELEMENTS = 2**31 - 1


def problems(exercise: Exercise) -> Iterator[Problem]:
    """Everything wrong with ``exercise``, each with its place in ``exercise.yaml``."""
    yield from _text_problems(exercise)
    yield from _buffer_problems(exercise)
    yield from _reference_problems(exercise)
    yield from _answer_problems(exercise)
    yield from repeated("cases", [case.id for case in exercise.cases])
    for i, case in enumerate(exercise.cases):
        yield from _case_problems(exercise, case, ("cases", i))


def repeated(name: str, ids: list[str], key: str = "id") -> Iterator[Problem]:
    """A problem for each entry of the list ``name`` whose ``key`` an earlier entry has taken."""
    for i, value in enumerate(ids):
        if value in ids[:i]:
            what = Text(zh=f"“{value}”已用过", en=f'"{value}" is already taken')
            yield Problem((name, i, key), what, Text(zh="请换一个名字", en="choose another name"))


def unknown(kind: Text, value: str, known: Iterable[str]) -> tuple[Text, Text]:
    """What to say of a name that does not exist, and which names do."""
    names = sorted(known)
    near = difflib.get_close_matches(value, names, n=1)
    what = Text(zh=f"没有名为“{value}”的{kind.zh}", en=f'there is no {kind.en} "{value}"')
    if near:
        return what, Text(zh=f"是否想写“{near[0]}”？", en=f'did you mean "{near[0]}"?')
    listed = ", ".join(names) or "-"
    return what, Text(zh=f"现有：{listed}", en=f"choose one of {listed}")


def _text_problems(exercise: Exercise) -> Iterator[Problem]:
    marker = exercise.blank.marker
    if (count := exercise.scaffold.count(marker)) != 1:
        what = Text(
            zh=f"标记“{marker}”在 {exercise.id}.cu 中出现 {count} 次",
            en=f'the marker "{marker}" occurs {count} times in {exercise.id}.cu',
        )
        yield Problem(
            ("blank", "marker"),
            what,
            Text(zh="应恰好出现一次（注释也算）", en="it should occur once, comments included"),
        )
    if not exercise.scaffold.isprintable() and (odd := _control_character(exercise.scaffold)):
        what = Text(
            zh=f"{exercise.id}.cu 含控制字符 {odd}", en=f"{exercise.id}.cu holds the control character {odd}"
        )
        yield Problem((), what, Text(zh="请删除它", en="remove it"))
    lines = [" ".join(line.split()) for line in exercise.scaffold.splitlines()]
    yield from repeated("protected", [line.id for line in exercise.protected])
    for i, protected in enumerate(exercise.protected):
        wanted = " ".join(protected.line.split())
        if (count := sum(wanted in line for line in lines)) != 1:
            what = Text(
                zh=f"受保护行“{wanted}”在 {exercise.id}.cu 中出现 {count} 次",
                en=f'the protected line "{wanted}" occurs {count} times in {exercise.id}.cu',
            )
            yield Problem(
                ("protected", i, "line"), what, Text(zh="请照抄其中一行", en="copy one line of the scaffold")
            )
    if len(exercise.hints) != HINT_LEVELS:
        what = Text(zh=f"提示有 {len(exercise.hints)} 级", en=f"there are {len(exercise.hints)} hints")
        mend = Text(
            zh=f"应有 {HINT_LEVELS} 级：概念区域、方向、关键局部、完整答案",
            en=f"write {HINT_LEVELS}: concept area, direction, key part, full answer",
        )
        yield Problem(("hints",), what, mend)


def _control_character(text: str) -> str | None:
    return next((f"U+{ord(c):04X}" for c in text if ord(c) < 32 and c not in "\t\n"), None)


def _buffer_problems(exercise: Exercise) -> Iterator[Problem]:
    names = [buffer.name for buffer in exercise.buffers]
    yield from repeated("buffers", names, "name")
    for i, buffer in enumerate(exercise.buffers):
        for size in buffer.shape:
            if size not in exercise.sizes:
                yield Problem(("buffers", i, "shape"), *unknown(_SIZE, size, exercise.sizes))
    if not exercise.outputs:
        what = Text(zh="没有任何 role: output 的缓冲区", en="no buffer has role: output")
        yield Problem(
            ("buffers",), what, Text(zh="没有输出就无从评分", en="without an output nothing can be graded")
        )


def _reference_problems(exercise: Exercise) -> Iterator[Problem]:
    try:
        tree = ast.parse(exercise.reference, mode="eval")
    except SyntaxError:
        what = Text(
            zh=f"参考公式“{exercise.reference}”不是表达式",
            en=f'the reference "{exercise.reference}" is no expression',
        )
        yield Problem(("reference",), what, Text(zh="例如 A @ x + bias", en="as in A @ x + bias"))
        return
    inputs = [buffer.name for buffer in exercise.inputs]
    for name in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(inputs)):
        yield Problem(("reference",), *unknown(_INPUT, name, inputs))


def _answer_problems(exercise: Exercise) -> Iterator[Problem]:
    yield from repeated("answers", [section.id for section in exercise.answers])
    headings = [line for line in exercise.answers_form.splitlines() if line.startswith("#")]
    for i, section in enumerate(exercise.answers):
        for heading in (section.heading.zh, section.heading.en):
            if sum(heading in line for line in headings) != 1:
                what = Text(
                    zh=f"answers.md 中没有恰好一个含“{heading}”的标题",
                    en=f'answers.md should have exactly one heading with "{heading}"',
                )
                yield Problem(
                    ("answers", i, "heading"), what, Text(zh="请让两处一致", en="make the two files agree")
                )


def _case_problems(exercise: Exercise, case: CaseSpec, at: Location) -> Iterator[Problem]:
    for size in case.sizes:
        if size not in exercise.sizes:
            yield Problem((*at, "sizes", size), *unknown(_SIZE, size, exercise.sizes))
    missing = [size for size in exercise.sizes if size not in case.sizes]
    if missing:
        what = Text(zh=f"缺少尺寸 {', '.join(missing)}", en=f"the size {', '.join(missing)} is missing")
        yield Problem((*at, "sizes"), what, Text(zh="请补上", en="add it"))
        return
    for size, value in case.sizes.items():
        if not isinstance(value, int) and value.from_ > value.to:
            what = Text(
                zh=f"范围 {value.from_} 到 {value.to} 是空的",
                en=f"no size lies from {value.from_} to {value.to}",
            )
            yield Problem((*at, "sizes", size), what, Text(zh="请交换两端", en="swap the ends"))
    yield from _extent_problems(exercise, case, at)
    nullable = [buffer.name for buffer in exercise.buffers if buffer.nullable]
    for name in case.absent:
        if name not in nullable:
            yield Problem((*at, "absent"), *unknown(_NULLABLE, name, nullable))


def _extent_problems(exercise: Exercise, case: CaseSpec, at: Location) -> Iterator[Problem]:
    for buffer in exercise.buffers:
        elements = prod(case.largest(size) for size in buffer.shape if size in case.sizes)
        if elements > MAX_ELEMENTS:
            what = Text(
                zh=f"{buffer.name} 有 {elements} 个元素；骨架用 32 位 int 算下标（已知局限），最多 {MAX_ELEMENTS} 个",
                en=f"{buffer.name} has {elements} elements; the scaffold computes indices in 32-bit int "
                f"(a known limit), so {MAX_ELEMENTS} at most",
            )
            yield Problem((*at, "sizes"), what, Text(zh="请减小尺寸", en="use smaller sizes"))
        elif elements == 0 and buffer.role == "output":
            what = Text(zh=f"输出 {buffer.name} 没有元素", en=f"the output {buffer.name} has no element")
            yield Problem((*at, "sizes"), what, Text(zh="请增大尺寸", en="use a larger size"))


_SIZE = Text(zh="尺寸", en="size")
_INPUT = Text(zh="输入缓冲区", en="input buffer")
_NULLABLE = Text(zh="可为空（nullable: true）的缓冲区", en="buffer with nullable: true")
