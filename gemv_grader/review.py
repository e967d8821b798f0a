"""The static review: what the fill reads and how, by the rubric's rules, over the syntax tree.

A finding is for people. It decides no verdict; a rule with a veto can make that veto *suspected* (see
`scoring`).
"""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter

from gemv_grader.exercise import Exercise
from gemv_grader.lock import Fill
from gemv_grader.program import splice
from gemv_grader.rubric import Rubric, RuleSpec
from gemv_grader.syntax import (
    HOLE,
    Form,
    indices,
    node_over,
    normal_form,
    parse,
    parse_expression,
    text_of,
    walk,
)
from gemv_grader.words import Finding

_LOOPS = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
_INTEGER_TYPES = frozenset({"int", "long", "short", "char", "unsigned", "signed", "size_t", "int32_t", "int64_t"})


def review(fill: Fill, exercise: Exercise, rubric: Rubric) -> tuple[Finding, ...]:
    """The findings of the rubric's rules on a fill; none on one that does not parse: the compiler will tell."""
    program = splice(exercise, fill.text)
    root = parse(program.source).root_node
    start = len(program.source[: program.fill_offset].encode())
    node = node_over(root, start, start + len(program.fill.encode()))
    if node is None or node.has_error:
        return ()
    reading = _Reading(node, exercise, rubric, _pointers(root, exercise))
    return tuple(
        Finding(rule.id, rule.severity, rule.message, fill.place)
        for rule in rubric.review
        if not reading.satisfies(rule)
    )


class _Reading:
    """One parsed fill, ready to be asked each rule."""

    def __init__(self, node: tree_sitter.Node, exercise: Exercise, rubric: Rubric, pointers: frozenset[str]) -> None:
        self._node = node
        self._calls = exercise.blank.calls
        self._pointers = pointers
        form = normal_form(node, pointers)
        self._indices: dict[str, list[Form]] = {
            rule.id: [index for pattern in rule.patterns for index in indices(form, self._pattern(pattern))]
            for rule in rubric.review
            if rule.rule == "reads_element"
        }

    def satisfies(self, rule: RuleSpec) -> bool:
        """Whether the fill is as ``rule`` wants it."""
        tests: dict[str, Callable[[], bool]] = {
            "reads_element": lambda: bool(self._indices[rule.id]),
            "same_index": lambda: len({index for name in rule.of for index in self._indices[name]}) <= 1,
            "index_is": lambda: self._used(rule) <= {self._expression(rule.index or "")},
            "no_loop": lambda: not self._has(_LOOPS),
            "no_lambda": lambda: not self._has(frozenset({"lambda_expression"})),
            "no_effect_calls": lambda: not any(self._calls.kind_of(name) == "effects" for name in self._called()),
            "no_double_promotion": lambda: not self._uses_double(),
            "no_integer_truncation": lambda: not self._truncates(),
        }
        return tests[rule.rule]()

    def _used(self, rule: RuleSpec) -> set[Form]:
        return {index for name in rule.of for index in self._indices[name]}

    def _expression(self, source: str) -> Form:
        return normal_form(parse_expression(source), self._pointers)

    def _pattern(self, pattern: str) -> Form:
        return self._expression(pattern.replace("?", str(HOLE[1])))

    def _has(self, kinds: frozenset[str]) -> bool:
        return any(node.type in kinds for node in walk(self._node))

    def _called(self) -> list[str]:
        calls = (node for node in walk(self._node) if node.type == "call_expression")
        return [text_of(function) for node in calls if (function := node.child_by_field_name("function"))]

    def _uses_double(self) -> bool:
        return any(_is_double(node) for node in walk(self._node))

    def _truncates(self) -> bool:
        return any(_makes_integer(node) for node in walk(self._node))


def _is_double(node: tree_sitter.Node) -> bool:
    text = text_of(node)
    if node.type == "number_literal":
        hexadecimal = text.lower().startswith("0x")
        fractional = "." in text or ("p" if hexadecimal else "e") in text.lower()
        return fractional and not text.lower().endswith("f")
    return node.type == "primitive_type" and text == "double"


def _makes_integer(node: tree_sitter.Node) -> bool:
    """Whether the node turns a floating-point element into an integer; casts inside an index do not."""
    if node.type == "cast_expression":
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    elif node.type == "call_expression":
        kind, value = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    else:
        return False
    if kind is None or value is None:
        return False
    name = text_of(kind).strip()
    to_integer = name.startswith(("__float2int", "__float2uint", "__float2ll")) or (
        bool(_INTEGER_TYPES & set(name.replace("<", " ").replace(">", " ").split())) and "*" not in name
    )
    return to_integer and any(inner.type == "subscript_expression" for inner in walk(value))


def _pointers(root: tree_sitter.Node, exercise: Exercise) -> frozenset[str]:
    """The names of pointers where the fill lies: the buffers, and what the scaffold declares with ``*``."""
    declared = {
        text_of(name)
        for node in walk(root)
        if node.type == "pointer_declarator"
        for name in walk(node)
        if name.type == "identifier"
    }
    return frozenset(declared | {buffer.name for buffer in exercise.buffers})
