"""What a rubric's expressions must be for the review to make sense of them: C++ that can match something.

Apart from `rubric_checks`, because only ``gemv-grade check`` has the time to load a parser for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from gemv_grader.rubric import Rubric
from gemv_grader.syntax import HOLE, normal_form, parse_expression, text_of
from gemv_grader.words import Text
from gemv_grader.yamlfile import Problem, read_yaml


def refuse_bad_patterns(rubric: Rubric) -> None:
    """Raise DataProblem, with file, line and mend, for patterns and indices that are not what they should be."""
    read_yaml(rubric.path).refuse(_problems(rubric))


def _problems(rubric: Rubric) -> Iterator[Problem]:
    for i, rule in enumerate(rubric.review):
        for j, pattern in enumerate(rule.patterns):
            if not _is_element(pattern):
                yield Problem(("review", i, "patterns", j), _NO_ELEMENT.format(pattern=pattern), _AS_IN)
        if rule.index is not None and _expression(rule.index) is None:
            yield Problem(("review", i, "index"), _NO_EXPRESSION.format(index=rule.index), _AS_COL)


def _expression(source: str) -> tree_sitter.Node | None:
    """The tree of ``source`` if it is one expression, and nothing beside it."""
    try:
        node = parse_expression(source)
        normal_form(node)
    except ValueError:
        return None
    return node if node.type != "initializer_list" and text_of(node) == source.strip() else None


def _is_element(pattern: str) -> bool:
    """Whether it is an element of an array by name, whose index is the ``?`` or a sum with it."""
    node = _expression(pattern.replace("?", str(HOLE[1])))
    if node is None or node.type != "subscript_expression":
        return False
    array, index = node.named_children[0], normal_form(node.named_children[-1])
    terms = index[1:] if index[0] == "+" else (index,)
    return array.type == "identifier" and text_of(array) != HOLE[1] and HOLE in terms


_NO_ELEMENT = Text(
    zh="模式“{pattern}”不是数组元素，或者 ? 不是下标中的一项",
    en='the pattern "{pattern}" is no element of an array with ? as a term of its index',
)
_AS_IN = Text(zh="例如 A[row * N + ?]", en="write one such as A[row * N + ?]")
_NO_EXPRESSION = Text(zh="下标“{index}”不是表达式", en='the index "{index}" is not an expression')
_AS_COL = Text(zh="例如 col 或 row * N + col", en="write one such as col or row * N + col")
