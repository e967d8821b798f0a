"""Where the blank of an exercise may stand: in code for the device, for only that is compiled from a student's fill.

Apart from `exercise_checks`, because only ``gemv-grade check`` has the time to load a parser for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from gemv_grader.exercise import Exercise
from gemv_grader.syntax import parse, walk
from gemv_grader.words import Text
from gemv_grader.yamlfile import Problem, read_yaml

_FOR_THE_DEVICE = (b"__global__", b"__device__")


def refuse_host_blank(exercise: Exercise) -> None:
    """Raise DataProblem, with file, line and mend, for a blank that is not in a kernel or device function."""
    read_yaml(exercise.directory / "exercise.yaml").refuse(_problems(exercise))


def _problems(exercise: Exercise) -> Iterator[Problem]:
    source = exercise.scaffold.encode()
    at = source.index(exercise.blank.marker.encode())
    around = [node for node in walk(parse(exercise.scaffold).root_node) if _is_function_around(node, at)]
    if not any(_is_for_the_device(node, source) for node in around):
        yield Problem(("blank", "marker"), HOST_BLANK.format(marker=exercise.blank.marker), IN_A_KERNEL)


def _is_function_around(node: tree_sitter.Node, at: int) -> bool:
    return node.type == "function_definition" and node.start_byte <= at < node.end_byte


def _is_for_the_device(function: tree_sitter.Node, source: bytes) -> bool:
    body = function.child_by_field_name("body")
    head = source[function.start_byte : body.start_byte if body is not None else function.end_byte]
    # Where the parser does not know a specifier, it takes what stands before for a node of its own.
    before = source[: function.start_byte].rpartition(b"}")[2].rpartition(b";")[2]
    return any(word in before + head for word in _FOR_THE_DEVICE)


HOST_BLANK = Text(
    zh="“{marker}”不在 __global__ 或 __device__ 函数里：只有设备代码才会从学生的填空编译",
    en='"{marker}" stands in no __global__ or __device__ function: only device code is compiled from a fill',
)
IN_A_KERNEL = Text(zh="请把空移进 kernel", en="move the blank into the kernel")
