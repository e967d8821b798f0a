"""CUDA C++ syntax trees, by tree-sitter, and expressions brought to one form so that spellings compare.

`normal_form` makes ``row_A[col]``, ``*(row_A + col)``, ``__ldg(&row_A[col])`` and ``col[row_A]`` the same
value, drops parentheses and arithmetic casts, and orders the operands of ``+`` and ``*``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter
import tree_sitter_cuda

# A normalised expression: its kind, then names or normalised parts.
Form = tuple["str | Form", ...]

HOLE: Form = ("name", "__any_index__")

_ONE = re.compile(r"1(?:\.0?f?|[uUlL]*)")
_ZERO: Form = ("number_literal", "0")
# Casts as operators and as functions: what they convert to does not matter to what is read.
_CASTS = frozenset({"static_cast", "const_cast", "reinterpret_cast"}) | frozenset(
    {
        "float",
        "double",
        "int",
        "long",
        "short",
        "unsigned",
        "size_t",
        "ptrdiff_t",
        "int32_t",
        "int64_t",
        "uint32_t",
        "uint64_t",
    }
)
# Loads that mean the same as a plain read of the element.
_READ_ONLY_LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"})


@lru_cache(maxsize=128)
def parse(source: str) -> tree_sitter.Tree:
    """The syntax tree of CUDA source. Byte offsets are those of its UTF-8 form.

    The lock and the review look at the same programs, and in a class many hand in the same one.
    """
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
    return _Normaliser(pointers).form(node)


class _Normaliser:
    """Turns nodes into forms, by the kind of node."""

    def __init__(self, pointers: frozenset[str]) -> None:
        self._pointers = pointers

    def form(self, node: tree_sitter.Node) -> Form:
        parts = node.named_children
        if node.type in ("parenthesized_expression", "subscript_argument_list") and len(parts) == 1:
            return self.form(parts[0])
        by_kind = {
            "cast_expression": self._cast,
            "subscript_expression": self._subscript,
            "pointer_expression": self._pointer,
            "call_expression": self._call,
            "binary_expression": self._binary,
        }
        if handler := by_kind.get(node.type):
            return handler(node)
        if not parts:
            return ("name" if node.type == "identifier" else node.type, text_of(node))
        return (node.type, *(self.form(part) for part in parts))

    def _cast(self, node: tree_sitter.Node) -> Form:
        return self.form(_field(node, "value"))

    def _subscript(self, node: tree_sitter.Node) -> Form:
        address = [self.form(part) for part in node.named_children]
        return self._element(_combined("+", *address)) if len(address) == 2 else (node.type, *address)

    def _pointer(self, node: tree_sitter.Node) -> Form:
        inner = self.form(node.named_children[0])
        return self._dereferenced(inner) if text_of(node).startswith("*") else ("address", inner)

    def _call(self, node: tree_sitter.Node) -> Form:
        callee = _field(node, "function")
        function = text_of(callee)
        arguments = [self.form(argument) for argument in _field(node, "arguments").named_children]
        if len(arguments) == 1 and function in _READ_ONLY_LOADS:
            return self._dereferenced(arguments[0])
        if len(arguments) == 1 and function.partition("<")[0].strip() in _CASTS:
            return arguments[0]
        return ("call", self.form(callee), *arguments)

    def _binary(self, node: tree_sitter.Node) -> Form:
        operator = text_of(_field(node, "operator"))
        left, right = self.form(_field(node, "left")), self.form(_field(node, "right"))
        return _combined(operator, left, right) if operator in ("+", "*") else (operator, left, right)

    def _dereferenced(self, pointer: Form) -> Form:
        if pointer[0] == "address" and isinstance(pointer[1], tuple):
            return pointer[1]
        return self._element(pointer)

    def _element(self, address: Form) -> Form:
        """The element at a sum of one pointer and an index, whichever way round they were written."""
        terms = _terms("+", address)
        base = next(
            (term for term in terms if term[0] == "name" and term[1] in self._pointers), terms[0] if terms else address
        )
        return ("element", base, _sum(tuple(term for term in terms if term is not base)))


def indices(form: Form, pattern: Form) -> list[Form]:
    """What stands at the `HOLE` wherever ``pattern``, an element whose index has a `HOLE`, is in ``form``."""
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
    if operator == "+":
        return _sum(terms)
    # A factor of one only widens an index: 1LL * row * N.
    factors = [term for term in terms if not (term[0] == "number_literal" and _ONE.fullmatch(str(term[1])))]
    return factors[0] if len(factors) == 1 else (operator, *sorted(factors, key=repr))


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
