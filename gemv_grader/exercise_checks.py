"""What an exercise must satisfy beyond the shape of its YAML: names exist, texts occur, sizes fit."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING

from gemv_grader.words import Text
from gemv_grader.yamlfile import Location, Problem

if TYPE_CHECKING:
    from gemv_grader.exercise import CaseSpec, Exercise

HINT_LEVELS = 4

# Scaffolds compute offsets such as `row * N` in int, so a buffer holds no more elements than an int counts.
MAX_ELEMENTS = 2**31 - 1


def problems(exercise: Exercise) -> Iterator[Problem]:
    """Everything wrong with ``exercise``, each with its place in ``exercise.yaml``."""
    yield from _scaffold_problems(exercise)
    yield from _buffer_problems(exercise)
    yield from _reference_problems(exercise)
    yield from _answer_problems(exercise)
    if len(exercise.hints) != HINT_LEVELS:
        what = _HINTS.format(count=len(exercise.hints))
        yield Problem(("hints",), what, _FOUR_LEVELS)
    yield from repeated("cases", [case.id for case in exercise.cases])
    for i, case in enumerate(exercise.cases):
        yield from _case_problems(exercise, case, ("cases", i))


def repeated(name: str, ids: list[str], key: str = "id") -> Iterator[Problem]:
    """A problem for each entry of the list ``name`` whose ``key`` an earlier entry has taken."""
    for i, value in enumerate(ids):
        if value in ids[:i]:
            yield Problem((name, i, key), _TAKEN.format(value=value), _ANOTHER)


def unknown(kind: Text, value: str, known: Iterable[str]) -> tuple[Text, Text]:
    """What to say of a name that does not exist, and the name that was meant or those that could be."""
    names = sorted(known)
    near = difflib.get_close_matches(value, names, n=1)
    mend = _DID_YOU_MEAN.format(near=near[0]) if near else _CHOOSE.format(known=", ".join(names) or "-")
    return _UNKNOWN.format(kind=kind, value=value), mend


def _scaffold_problems(exercise: Exercise) -> Iterator[Problem]:
    file = f"{exercise.id}.cu"
    marker = exercise.blank.marker
    if (count := exercise.scaffold.count(marker)) != 1:
        what = _MARKER.format(marker=marker, file=file, count=count)
        yield Problem(("blank", "marker"), what, _MARKER_ONCE)
    elif not _is_one_identifier(marker, exercise.scaffold):
        yield Problem(("blank", "marker"), _NO_IDENTIFIER.format(marker=marker, file=file), _LIKE_A_NAME)
    lines = [_squeezed(line) for line in exercise.scaffold.splitlines()]
    yield from repeated("protected", [line.id for line in exercise.protected])
    for i, protected in enumerate(exercise.protected):
        if (count := lines.count(_squeezed(protected.line))) != 1:
            what = _PROTECTED.format(line=protected.line, file=file, count=count)
            yield Problem(("protected", i, "line"), what, _COPY_A_LINE)


def _is_one_identifier(marker: str, scaffold: str) -> bool:
    """Whether the marker is a token of the scaffold, where a compiler would see a name."""
    from gemv_grader.lock.lexer import lex  # noqa: PLC0415 - the lock imports exercises

    return [token.kind for token in lex(scaffold) if token.text == marker] == ["identifier"]


def _squeezed(line: str) -> str:
    return " ".join(line.split())


def _buffer_problems(exercise: Exercise) -> Iterator[Problem]:
    yield from repeated("buffers", [buffer.name for buffer in exercise.buffers], "name")
    for i, buffer in enumerate(exercise.buffers):
        for size in buffer.shape:
            if size not in exercise.sizes:
                yield Problem(("buffers", i, "shape"), *unknown(_SIZE, size, exercise.sizes))
    if not exercise.outputs:
        yield Problem(("buffers",), _NO_OUTPUT, _ADD_OUTPUT)


def _reference_problems(exercise: Exercise) -> Iterator[Problem]:
    at: Location = ("reference",)
    try:
        tree = ast.parse(exercise.reference.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield Problem(at, _NO_FORMULA.format(formula=exercise.reference), _AS_IN)
        return
    if foreign := next((node for node in ast.walk(tree) if not _is_arithmetic(node)), None):
        yield Problem(at, _NO_ARITHMETIC.format(part=ast.unparse(foreign)), _ARITHMETIC)
        return
    inputs = [buffer.name for buffer in exercise.inputs]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for name in sorted(names.difference(inputs)):
        yield Problem(at, *unknown(_INPUT, name, inputs))


def _is_arithmetic(node: ast.AST) -> bool:
    """Whether `cases.reference` understands this part of a formula, its own parts aside."""
    match node:
        case ast.BinOp():
            return isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.MatMult))
        case ast.UnaryOp():
            return isinstance(node.op, ast.USub)
        case ast.Constant():
            return type(node.value) in (int, float)
        case ast.Attribute():
            return node.attr == "T"
    return isinstance(node, (ast.Name, ast.operator, ast.unaryop, ast.expr_context))


def _answer_problems(exercise: Exercise) -> Iterator[Problem]:
    yield from repeated("answers", [section.id for section in exercise.answers])
    headings = [line for line in exercise.answers_form.splitlines() if line.startswith("#")]
    for i, section in enumerate(exercise.answers):
        for heading in (section.heading.zh, section.heading.en):
            if sum(heading in line for line in headings) != 1:
                yield Problem(("answers", i, "heading"), _HEADING.format(heading=heading), _AGREE)


def _case_problems(exercise: Exercise, case: CaseSpec, at: Location) -> Iterator[Problem]:
    for size, value in case.sizes.items():
        if size not in exercise.sizes:
            yield Problem((*at, "sizes", size), *unknown(_SIZE, size, exercise.sizes))
        elif not isinstance(value, int) and value.from_ > value.to:
            what = _EMPTY_RANGE.format(first=value.from_, last=value.to)
            yield Problem((*at, "sizes", size), what, _SWAP)
    nullable = [buffer.name for buffer in exercise.buffers if buffer.nullable]
    for name in case.absent:
        if name not in nullable:
            yield Problem((*at, "absent"), *unknown(_NULLABLE, name, nullable))
    if missing := [size for size in exercise.sizes if size not in case.sizes]:
        yield Problem((*at, "sizes"), _NO_SIZE.format(names=", ".join(missing)), _ADD_IT)
    else:
        yield from _extent_problems(exercise, case, (*at, "sizes"))


def _extent_problems(exercise: Exercise, case: CaseSpec, at: Location) -> Iterator[Problem]:
    for buffer in exercise.buffers:
        if not set(buffer.shape) <= set(exercise.sizes):
            continue
        if (elements := prod(case.largest(size) for size in buffer.shape)) > MAX_ELEMENTS:
            yield Problem(at, _TOO_LARGE.format(buffer=buffer.name, elements=elements), _SMALLER)
        if buffer.role == "output" and not all(case.smallest(size) for size in buffer.shape):
            yield Problem(at, _EMPTY_OUTPUT.format(buffer=buffer.name), _LARGER)


_SIZE = Text(zh="尺寸", en="size")
_INPUT = Text(zh="输入缓冲区", en="input buffer")
_NULLABLE = Text(zh="可为空（nullable: true）的缓冲区", en="buffer with nullable: true")

_TAKEN = Text(zh="“{value}”已用过", en='"{value}" is already taken')
_ANOTHER = Text(zh="请换一个名字", en="choose another name")
_UNKNOWN = Text(zh="没有名为“{value}”的{kind}", en='there is no {kind} "{value}"')
_DID_YOU_MEAN = Text(zh="是否想写“{near}”？", en='did you mean "{near}"?')
_CHOOSE = Text(zh="请从这些里选：{known}", en="choose one of {known}")

_MARKER = Text(
    zh="标记“{marker}”在 {file} 中出现 {count} 次",
    en='the marker "{marker}" occurs {count} times in {file}',
)
_MARKER_ONCE = Text(
    zh="应恰好出现一次（注释里的也算）",
    en="it should occur exactly once, counting comments",
)
_NO_IDENTIFIER = Text(
    zh="标记“{marker}”在 {file} 的代码中不是一个单独的名字",
    en='the marker "{marker}" is not a name of its own in the code of {file}',
)
_LIKE_A_NAME = Text(
    zh="请只用字母、数字和下划线，不要放在注释或预处理指令里，例如 ______",
    en="write one of letters, digits and _ outside comments and directives, such as ______",
)
_PROTECTED = Text(
    zh="受保护行“{line}”在 {file} 中出现 {count} 次",
    en='the protected line "{line}" occurs {count} times in {file}',
)
_COPY_A_LINE = Text(
    zh="请完整照抄骨架中唯一的一行",
    en="copy one whole line of the scaffold, and one that occurs once",
)
_NO_OUTPUT = Text(
    zh="没有 role: output 的缓冲区，无从评分", en="no buffer has role: output, so there is nothing to grade"
)
_ADD_OUTPUT = Text(zh="请标出输出", en="mark the output")
_NO_FORMULA = Text(zh="参考公式“{formula}”不是表达式", en='the reference "{formula}" is not an expression')
_AS_IN = Text(zh="例如 A @ x + bias", en="write one such as A @ x + bias")
_NO_ARITHMETIC = Text(zh="参考公式不能用“{part}”", en='the reference cannot use "{part}"')
_ARITHMETIC = Text(
    zh="只能用缓冲区的名字、数、+ - * @ 和 .T", en="use the names of buffers, numbers, + - * @ and .T only"
)
_HEADING = Text(
    zh="answers.md 中应恰好有一个标题含“{heading}”",
    en='exactly one heading of answers.md should hold "{heading}"',
)
_AGREE = Text(zh="请让两个文件一致", en="make the two files agree")
_HINTS = Text(zh="提示有 {count} 级", en="there are {count} hints")
_FOUR_LEVELS = Text(
    zh="应有 4 级：概念区域、方向、关键局部、完整答案",
    en="write 4: concept area, direction, key part, full answer",
)
_NO_SIZE = Text(zh="缺少尺寸 {names}", en="the size {names} is missing")
_ADD_IT = Text(zh="请补上", en="add it")
_EMPTY_RANGE = Text(zh="从 {first} 到 {last} 是空的范围", en="no size lies between {first} and {last}")
_SWAP = Text(zh="请交换两端", en="swap the ends")
_TOO_LARGE = Text(
    zh=f"{{buffer}} 有 {{elements}} 个元素；骨架的 row * N 是 32 位 int（已知局限），至多 {MAX_ELEMENTS} 个",
    en="{buffer} would have {elements} elements, but the scaffold computes row * N in 32-bit int "
    f"(a known limit), which counts to {MAX_ELEMENTS}",
)
_SMALLER = Text(zh="请减小尺寸", en="choose smaller sizes")
_EMPTY_OUTPUT = Text(zh="输出 {buffer} 可能没有元素", en="the output {buffer} may have no element")
_LARGER = Text(zh="请增大尺寸", en="choose larger sizes")
