"""The fill as a syntax tree, parsed in place: is it one expression, what does it change, what does it call?

The checks fail closed: each assignment and each brace in the fill must be one that the tree shows to be
harmless.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import tree_sitter

from gemv_grader.exercise import Calls, Exercise
from gemv_grader.lock.doubts import EFFECTS, STATEMENT, STATEMENTS, SYNTAX, UNKNOWN, warning
from gemv_grader.lock.lexer import CHANGING, Token
from gemv_grader.lock.result import Fill
from gemv_grader.lock.violations import (
    ASSIGNMENT,
    BRACES,
    CALL,
    COMMA,
    INDIRECT_CALL,
    NOT_ONE_EXPRESSION,
    Judgement,
    Violation,
    first_of_each,
    of_token,
)
from gemv_grader.program import in_place
from gemv_grader.syntax import parse, text_of, walk
from gemv_grader.words import Finding, Place

# What a name declared in the fill stands for: an arithmetic value of its own, a lambda, or anything else.
_Declared = Literal["value", "lambda", "other"]

_SCOPES = frozenset(
    {
        "compound_statement",
        "for_range_loop",
        "for_statement",
        "if_statement",
        "lambda_expression",
        "switch_statement",
        "while_statement",
    }
)
_DECLARATIONS = frozenset(
    {
        "declaration",
        "for_range_loop",
        "optional_parameter_declaration",
        "parameter_declaration",
        "variadic_parameter_declaration",
    }
)
# Nodes whose "=" gives something new its first value, or captures by copy.
_INITIALISERS = frozenset(
    {
        "declaration",
        "init_declarator",
        "initializer_pair",
        "lambda_capture_initializer",
        "lambda_default_capture",
        "optional_parameter_declaration",
    }
)
_ARITHMETIC_TYPES = frozenset({"placeholder_type_specifier", "primitive_type", "sized_type_specifier"})
# Type names of CUDA's headers that a functional cast may use and the parser takes for functions.
_TYPE_NAMES = frozenset({"uint", "ulong", "ushort"})


def examine(fill: Fill, exercise: Exercise, known_names: frozenset[str]) -> Judgement:
    """Judge a fill whose tokens are in order. Calls of ``known_names``, the scaffold's, need no finding."""
    before = exercise.scaffold.partition(exercise.blank.marker)[0]
    spot = _Spot(fill, len(before.encode()))
    source = in_place(exercise, fill.text)
    root = parse(source).root_node
    is_sound = _is_one_expression(source, in_place(exercise, "0"), spot.start, spot.end)
    reading = _Reading(spot, exercise.blank.calls, known_names)
    reading.read(root, trusted=is_sound)
    violations = reading.violations
    if not is_sound:
        violations += _commas(fill)
    if is_sound or violations:
        return Judgement(first_of_each(violations), tuple(reading.findings))
    if root.has_error:
        return Judgement((), (_syntax_error(fill, root, spot), *reading.findings))
    return Judgement((Violation(NOT_ONE_EXPRESSION, fill.place).text,), tuple(reading.findings))


class _Spot:
    """Where the fill's tokens lie in the program, in bytes, and so where nodes lie in the student's file."""

    def __init__(self, fill: Fill, start: int) -> None:
        self.start = start
        self.end = start + len(fill.text.encode())
        self._fill = fill
        lengths = [len(token.text.encode()) + 1 for token in fill.tokens]
        self._starts = list(accumulate(lengths[:-1], initial=start))

    def tokens(self) -> Iterator[tuple[int, Token]]:
        """Each token with the byte at which it begins."""
        return zip(self._starts, self._fill.tokens, strict=True)

    def overlaps(self, node: tree_sitter.Node) -> bool:
        return node.start_byte < self.end and self.start < node.end_byte

    def contains(self, node: tree_sitter.Node) -> bool:
        return self.start <= node.start_byte and node.end_byte <= self.end

    def is_within(self, node: tree_sitter.Node, *kinds: str) -> bool:
        """Whether the node has an ancestor of one of these kinds in the fill."""
        outer = node.parent
        while outer is not None and self.contains(outer):
            if outer.type in kinds:
                return True
            outer = outer.parent
        return False

    def place_of(self, node: tree_sitter.Node) -> Place:
        """Where the node begins in the student's file; for one after the fill, where the scaffold goes on."""
        if node.start_byte >= self.end:
            return self._fill.end
        return self._fill.tokens[max(bisect_right(self._starts, node.start_byte) - 1, 0)].place


class _Reading:
    """One walk over the fill's nodes, with the names that the fill has declared so far."""

    def __init__(self, spot: _Spot, calls: Calls, known_names: frozenset[str]) -> None:
        self.violations: list[Violation] = []
        self.findings: list[Finding] = []
        self._spot = spot
        self._calls = calls
        self._known_names = known_names
        self._scopes: list[dict[str, _Declared]] = [{}]
        # By their first bytes: assignments and braces that may stand, and assignments in words.
        self._harmless: set[int] = set()
        self._changes: dict[int, str] = {}

    def read(self, root: tree_sitter.Node, *, trusted: bool) -> None:
        """Collect violations and findings. In a tree that is not trusted, no assignment passes for harmless."""
        waiting: list[tree_sitter.Node | None] = [root]
        while waiting:
            node = waiting.pop()
            if node is None:
                self._scopes.pop()
            elif self._spot.overlaps(node):
                if node.type in _SCOPES:
                    self._scopes.append({})
                    waiting.append(None)
                if self._spot.contains(node):
                    self._visit(node)
                waiting.extend(reversed(node.children))
        for start, token in self._spot.tokens():
            if token.text in CHANGING and not (trusted and start in self._harmless):
                self.violations.append(Violation(ASSIGNMENT, token.place, self._changes.get(start, token.text)))
            elif token.text == "{" and start not in self._harmless:
                self.violations.append(of_token(BRACES, token))

    def _visit(self, node: tree_sitter.Node) -> None:
        if node.type in _DECLARATIONS:
            self._declare(node)
        if node.type in _INITIALISERS:
            self._harmless |= {child.start_byte for child in node.children if child.type == "="}
        match node.type:
            case "lambda_capture_initializer":
                is_reference = any(child.type == "&" for child in node.children)
                self._enter(node.child_by_field_name("left"), "other" if is_reference else "value")
            case "assignment_expression" | "update_expression":
                self._change(node)
            case "compound_statement":
                if self._spot.is_within(node, "lambda_expression"):
                    self._harmless.add(node.start_byte)
            case "initializer_list":
                if self._spot.is_within(node, "lambda_expression", "compound_literal_expression"):
                    self._harmless.add(node.start_byte)
            case "call_expression":
                self._call(node)

    def _declare(self, node: tree_sitter.Node) -> None:
        type_ = node.child_by_field_name("type")
        is_arithmetic = type_ is not None and type_.type in _ARITHMETIC_TYPES and "(" not in text_of(type_)
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value")
            is_lambda = value is not None and value.type == "lambda_expression"
            name = declarator.child_by_field_name("declarator") if value is not None else declarator
            self._enter(name, "lambda" if is_lambda else "value" if is_arithmetic else "other")

    def _enter(self, declarator: tree_sitter.Node | None, declared: _Declared) -> None:
        """Note a name in the innermost scope; within a larger declarator, that of a pointer, reference ..."""
        for node in walk(declarator) if declarator is not None else ():
            if node.type == "identifier":
                self._scopes[-1][text_of(node)] = declared if node == declarator else "other"

    def _lookup(self, name: str) -> _Declared | None:
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)

    def _change(self, node: tree_sitter.Node) -> None:
        operator = node.child_by_field_name("operator")
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if operator is None or target is None:
            return
        self._changes[operator.start_byte] = f"{text_of(target)} {text_of(operator)}"
        while target.type == "parenthesized_expression" and target.named_child_count == 1:
            target = target.named_children[0]
        if target.type == "identifier" and self._lookup(text_of(target)) == "value":
            self._harmless.add(operator.start_byte)

    def _call(self, node: tree_sitter.Node) -> None:
        function = node.child_by_field_name("function")
        is_launch = any(child.type == "kernel_call_syntax" for child in node.children)
        name = None if function is None or is_launch else _called(function)
        place = self._spot.place_of(node)
        if name is None:
            self.violations.append(Violation(INDIRECT_CALL, place, text_of(function or node)))
        elif name:
            self._call_by_name(name, place)

    def _call_by_name(self, name: str, place: Place) -> None:
        declared = self._lookup(name)
        kind = _strictest(self._calls, name)
        if declared in ("value", "other"):
            self.violations.append(Violation(INDIRECT_CALL, place, name))
        elif kind == "forbidden":
            self.violations.append(Violation(CALL, place, name))
        elif kind == "effects":
            self.findings.append(warning("call_with_effects", EFFECTS, place, name))
        elif kind == "unknown" and declared is None and name not in self._known_names | _TYPE_NAMES:
            self.findings.append(warning("unknown_call", UNKNOWN, place, name))


def _called(function: tree_sitter.Node) -> str | None:
    """The name of what is called; empty for a lambda or a cast like ``float(x)``, None for anything else."""
    match function.type:
        case "parenthesized_expression" if function.named_child_count == 1:
            return _called(function.named_children[0])
        case "template_function":
            return text_of(function).partition("<")[0].strip()
        case "identifier" | "qualified_identifier":
            return text_of(function).partition("<")[0].replace(" ", "").removeprefix("::")
        case "lambda_expression" | "primitive_type" | "sized_type_specifier":
            return ""
    return None


def _strictest(calls: Calls, name: str) -> str:
    """What calling ``name`` means, by its full and its last name, whichever is listed more strictly."""
    kinds = {calls.kind_of(name), calls.kind_of(name.rpartition("::")[2])}
    return next(kind for kind in ("forbidden", "effects", "pure", "unknown") if kind in kinds)


def _commas(fill: Fill) -> Iterator[Violation]:
    """Commas outside brackets, which split the statement."""
    depth = 0
    for token in fill.tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            yield of_token(COMMA, token)


@lru_cache(maxsize=256)
def _is_one_expression(source: str, model: str, start: int, end: int) -> bool:
    """Whether the bytes from ``start`` to ``end`` are one, and all else is as in ``model``, which has ``0`` there."""
    tree, pristine = parse(source).root_node, parse(model).root_node
    while (tree.start_byte, tree.end_byte) != (start, end):
        if tree.type != pristine.type or tree.child_count != pristine.child_count:
            return False
        inner = None
        for mine, theirs in zip(tree.children, pristine.children, strict=True):
            if mine.start_byte <= start and end <= mine.end_byte:
                inner = mine, theirs
            elif mine.text != theirs.text or str(mine) != str(theirs):
                return False
        if inner is None:
            return False
        tree, pristine = inner
    return (pristine.start_byte, pristine.end_byte) == (start, start + 1) and not tree.has_error


def _syntax_error(fill: Fill, root: tree_sitter.Node, spot: _Spot) -> Finding:
    first = fill.tokens[0].text
    if first in STATEMENTS:
        return warning("syntax_error", STATEMENT, fill.place, first)
    broken = next((node for node in walk(root) if node.is_error or node.is_missing), root)
    return warning("syntax_error", SYNTAX, spot.place_of(broken))
