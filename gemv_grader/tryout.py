"""Another size: a case of a student's own choosing, to see every element computed beside the expected one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from gemv_grader.cases import plan
from gemv_grader.cases.data import KINDS
from gemv_grader.check import POISON_WORD, wrong_elements
from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import CaseSpec, Exercise
from gemv_grader.pipeline import Request, follow
from gemv_grader.run.device import Device
from gemv_grader.trail import Trail
from gemv_grader.words import Text

_MOST_ELEMENTS = 1 << 26  # 256 MB of float32: more than anyone reads, and far below the scaffold's 32-bit limit


@dataclass(frozen=True)
class Shape:
    """What to try: sizes in the exercise's order, the buffers passed as nullptr, and the kind of data."""

    sizes: tuple[int, ...]
    absent: tuple[str, ...] = ()
    data: str = "signed"


def parse_shape(text: str) -> tuple[int, ...]:
    """``5x77`` as numbers. Raises UsageProblem for anything else."""
    if not re.fullmatch(r"\d{1,9}([x×*]\d{1,9})*", text.strip(), re.IGNORECASE):
        raise UsageProblem(NOT_A_SHAPE.format(text=text))
    return tuple(int(number) for number in re.split(r"[x×*]", text.strip(), flags=re.IGNORECASE))


def try_shape(request: Request, device: Device, shape: Shape) -> Trail:
    """Run one case of ``shape`` on a submission. Raises UsageProblem for a shape the exercise cannot have."""
    return follow(request, device, cases=lambda exercise: (case_spec(exercise, shape),))


@dataclass(frozen=True)
class Element:
    """One output element: its name, what it should hold and what it holds.

    ``computed`` is None where nothing was written, ``right`` None where nothing ran.
    """

    name: str
    expected: float
    computed: float | None
    right: bool | None


def elements(trail: Trail) -> Iterator[Element]:
    """Every output element of the tried case, in order; without a run they hold only what is expected."""
    assert trail.seed is not None  # noqa: S101 - only asked of a trail whose program was worth running
    (case,) = plan(trail.exercise, trail.seed)
    slab = trail.outputs.cases[0].slab if trail.outputs and trail.outcomes else None
    for expected in case.expected:
        names = (f"{expected.buffer.name}[{i}]" for i in range(expected.values.size))
        if slab is None:
            yield from (Element(n, float(v), None, None) for n, v in zip(names, expected.values.ravel(), strict=True))
            continue
        computed = expected.buffer.view(slab)
        written = (computed.view(np.uint32) != POISON_WORD).ravel()
        right = ~wrong_elements(expected, computed).ravel()
        rows = zip(names, expected.values.ravel(), computed.ravel(), written, right, strict=True)
        yield from (Element(n, float(v), float(c) if w else None, bool(r)) for n, v, c, w, r in rows)


def case_spec(exercise: Exercise, shape: Shape) -> CaseSpec:
    """A case of ``shape``. Raises UsageProblem if the exercise can have none such."""
    if len(shape.sizes) != len(exercise.sizes):
        raise UsageProblem(WRONG_COUNT.format(sizes="x".join(exercise.sizes), given=len(shape.sizes)))
    sizes = dict(zip(exercise.sizes, shape.sizes, strict=True))
    nullable = [buffer.name for buffer in exercise.buffers if buffer.nullable]
    for name in shape.absent:
        if name not in nullable:
            raise UsageProblem(NOT_NULLABLE.format(name=name, nullable=", ".join(nullable) or "-"))
    if shape.data not in KINDS:
        raise UsageProblem(NO_SUCH_DATA.format(data=shape.data, kinds=", ".join(KINDS)))
    elements = sum(prod(sizes[axis] for axis in buffer.shape) for buffer in exercise.buffers)
    if elements > _MOST_ELEMENTS or any(sizes[axis] == 0 for b in exercise.outputs for axis in b.shape):
        raise UsageProblem(BAD_SIZE.format(most=_MOST_ELEMENTS))
    return CaseSpec.model_validate(
        {
            "id": "try",
            "group": exercise.cases[0].group,
            "sizes": sizes,
            "absent": shape.absent,
            "data": shape.data,
            "note": {"zh": "自选规模", "en": "a size of your own choice"},
        }
    )


NOT_A_SHAPE = Text(zh="看不懂规模“{text}”：请写成 5x77 这样。", en='"{text}" is not a shape: write it like 5x77.')
WRONG_COUNT = Text(
    zh="这个练习的规模是 {sizes}，给出的有 {given} 个数。",
    en="this exercise's shape is {sizes}: numbers given, {given}.",
)
NOT_NULLABLE = Text(
    zh="{name} 不能为空；可以为空的有：{nullable}。", en="{name} cannot be null; these can: {nullable}."
)
NO_SUCH_DATA = Text(zh="没有数据种类 {data}；可用：{kinds}。", en="there is no data kind {data}; there are: {kinds}.")
BAD_SIZE = Text(
    zh="规模不合适：输出至少要有一个元素，数据总共不超过 {most} 个。",
    en="that size does not work: the output needs at least one element, and all data have at most {most}.",
)
