"""CUDA C++ syntax trees, by tree-sitter: parsing, and expressions brought to one form so that spellings compare.

`normal_form` makes ``row_A[col]``, ``*(row_A + col)``, ``__ldg(&row_A[col])`` and ``col[row_A]`` the same
value, drops parentheses and arithmetic casts, and orders the operands of ``+`` and ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter
import tree_sitter_cuda

# A normalised expression: its kind, then names or normalised parts.
Form = tuple["str | Form", ...]

HOLE: Form = ("name", "__any_index__")

_ZERO: Form = ("number_literal", "0")
_CAST_OPERATORS = frozenset({"static_cast", "const_cast", "reinterpret_cast"})
# Loads that mean the same as a plain read of the element.
_READ_ONLY_LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"})


def parse(source: str) -> tree_sitter.Tree:
    """The syntax tree of CUDA source. Byte offsets are those of its UTF-8 form."""
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language())).parse(source.encode())


def parse_expression(source: str) -> tree_sitter.Node:
    """The tree of one expression that stands alone."""
    tree = parse(f"auto v = {source};")
    node = tree.root_node.children[0].child_by_field_name("declarator")
    value = node.child_by_field_name("value") if node is not None else None
    if value is None or tree.root_node.has_error:
        raise ValueError(f"not an expression: {source!r}")
    return value


def walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all its descendants, in source order, without recursion (fills may nest deeply)."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def text_of(node: tree_sitter.Node) -> str:
    """The node's source text."""
    return (node.text or b"").decode(errors="replace")


def node_over(root: tree_sitter.Node, start: int, end: int) -> tree_sitter.Node | None:
    """The outermost node that covers exactly the bytes from ``start`` to ``end``."""
    node = root
    while (node.start_byte, node.end_byte) != (start, end):
        inner = next((c for c in node.children if c.start_byte <= start and end <= c.end_byte), None)
        if inner is None:
            return None
        node = inner
    return node


def normal_form(node: tree_sitter.Node, pointers: frozenset[str] = frozenset()) -> Form:
    """The expression in one form. ``pointers`` names the variables that are pointers: they are what is indexed."""

    def form(node: tree_sitter.Node) -> Form:
        kind = node.type
        parts = node.named_children
        if kind in ("parenthesized_expression", "subscript_argument_list") and len(parts) == 1:
            return form(parts[0])
        if kind == "cast_expression":
            return form(_field(node, "value"))
        if kind == "subscript_expression" and len(parts) == 2:
            return element(_combined("+", form(parts[0]), form(parts[1])))
        if kind == "pointer_expression":
            inner = form(parts[0])
            return dereferenced(inner) if text_of(node).startswith("*") else ("address", inner)
        if kind == "call_expression":
            return call(text_of(_field(node, "function")), [form(a) for a in _field(node, "arguments").named_children])
        if kind == "binary_expression":
            operator = text_of(_field(node, "operator"))
            left, right = form(_field(node, "left")), form(_field(node, "right"))
            return _combined(operator, left, right) if operator in ("+", "*") else (operator, left, right)
        if not parts:
            return ("name" if kind == "identifier" else kind, text_of(node))
        return (kind, *(form(part) for part in parts))

    def call(function: str, arguments: list[Form]) -> Form:
        if len(arguments) == 1 and function in _READ_ONLY_LOADS:
            return dereferenced(arguments[0])
        if len(arguments) == 1 and function.partition("<")[0] in _CAST_OPERATORS:
            return arguments[0]
        return ("call", function, *arguments)

    def dereferenced(pointer: Form) -> Form:
        if pointer[0] == "address" and isinstance(pointer[1], tuple):
            return pointer[1]
        return element(pointer)

    def element(address: Form) -> Form:
        """The element at a sum of one pointer and an index, whichever way round they were written."""
        terms = _terms("+", address)
        bases = [term for term in terms if term[0] == "name" and term[1] in pointers] or list(terms[:1])
        index = tuple(term for term in terms if term is not bases[0])
        return ("element", bases[0], _sum(index))

    return form(node)


def indices(form: Form, pattern: Form) -> list[Form]:
    """What stands at the `HOLE` wherever ``pattern``, an element indexed by a sum with `HOLE`, occurs in ``form``."""
    _, base, wanted = pattern
    found = []
    if form[0] == "element" and form[1] == base and isinstance(form[2], tuple) and isinstance(wanted, tuple):
        rest = list(_terms("+", form[2]))
        fixed = [term for term in _terms("+", wanted) if term != HOLE]
        if all(term in rest for term in fixed):
            for term in fixed:
                rest.remove(term)
            found.append(_sum(tuple(rest)))
    for part in form:
        if isinstance(part, tuple):
            found += indices(part, pattern)
    return found


def _combined(operator: str, left: Form, right: Form) -> Form:
    """A sum or product as one flat list in a fixed order."""
    terms = _terms(operator, left) + _terms(operator, right)
    return _sum(terms) if operator == "+" else (operator, *sorted(terms, key=repr))


def _terms(operator: str, form: Form) -> tuple[Form, ...]:
    if operator == "+" and form[0] == "address" and isinstance(form[1], tuple) and form[1][0] == "element":
        _, base, index = form[1]
        return (*_terms("+", base), *_terms("+", index)) if isinstance(base, tuple) and isinstance(index, tuple) else ()
    if form[0] == operator:
        return tuple(part for part in form[1:] if isinstance(part, tuple))
    return () if operator == "+" and form == _ZERO else (form,)


def _sum(terms: tuple[Form, ...]) -> Form:
    return _ZERO if not terms else terms[0] if len(terms) == 1 else ("+", *sorted(terms, key=repr))


def _field(node: tree_sitter.Node, name: str) -> tree_sitter.Node:
    child = node.child_by_field_name(name)
    if child is None:
        raise ValueError(f"{node.type} without {name}")
    return child
