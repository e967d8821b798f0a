"""Turns a CUDA program into C++: what no header can express is rewritten over the syntax tree.

Kernel launches; ``extern __shared__`` declarations; the C library's memory functions, which compilers do not
instrument; and before every other ``__shared__`` variable a fence, so that running over the end of one does not end in
the next. Line breaks stay where they are, so every line keeps its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

MEMORY_FUNCTIONS = frozenset({b"memcpy", b"memmove", b"memset", b"malloc", b"free"})

_DYNAMIC_ARRAY = re.compile(rb"(?P<type>.*?)(?P<name>[A-Za-z_]\w*)\s*\[\s*\]\s*;\Z", re.DOTALL)


class NotRewritable(Exception):
    """The program uses a construct that this rewriter cannot express: ``construct`` at ``line`` (from 1)."""

    def __init__(self, construct: str, line: int) -> None:
        super().__init__(f"{construct} (line {line})")
        self.construct = construct
        self.line = line


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: bytes


def rewrite(source: str) -> str:
    """The program as C++17 for the headers in ``include/``. Raises NotRewritable.

    The last line, added here, tells the runtime what the program calls its dynamic shared memory.
    """
    data = source.encode()
    edits: list[_Edit] = []
    names: list[str] = []
    fences = 0
    for node in _walk(Parser(Language(tree_sitter_cuda.language())).parse(data).root_node):
        if node.type == "kernel_call_syntax":
            edits += _launch(node)
        elif node.type == "declaration" and _words(node) >= {b"extern", b"__shared__"}:
            edit, name = _dynamic_shared(node, data)
            edits.append(edit)
            names.append(name)
        elif node.type == "declaration" and b"__shared__" in _words(node):
            edits.append(_Edit(node.start_byte, node.start_byte, b"SIMT_FENCE(%d) " % fences))
            fences += 1
        elif node.text == b"__noinline__" and not node.children:
            # No macro: the standard library's headers use the word inside of attributes.
            edits.append(_Edit(node.start_byte, node.end_byte, b"__attribute__((noinline))"))
        elif node.type == "call_expression":
            edits += _memory_call(node)
        elif node.type == "preproc_arg" and node.text and b"<<<" in node.text:
            raise NotRewritable("a kernel launch inside a macro", node.start_point[0] + 1)
    known_as = " or ".join(dict.fromkeys(names))
    return f'{_apply(data, edits).decode()}\nextern "C" {{ extern const char simt_dynamic_name[] = "{known_as}"; }}\n'


def _walk(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _apply(data: bytes, edits: list[_Edit]) -> bytes:
    pieces = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.start):
        pieces += [data[at : edit.start], edit.text]
        at = edit.end
    return b"".join([*pieces, data[at:]])


def _launch(configuration: Node) -> list[_Edit]:
    """``kernel<<<grid, block>>>(x)`` becomes ``launcher(a function that calls kernel).on(grid, block)(x)``."""
    kernel = configuration.prev_sibling
    if kernel is None:
        raise NotRewritable("a kernel launch", configuration.start_point[0] + 1)
    opening, closing = configuration.children[0], configuration.children[-1]
    return [
        _Edit(kernel.start_byte, kernel.start_byte, b"::simt::launcher([&](auto... simt_values) SIMT_UNCHECKED { "),
        _Edit(opening.start_byte, opening.end_byte, b"(simt_values...); }).on("),
        _Edit(closing.start_byte, closing.end_byte, b")"),
    ]


def _words(declaration: Node) -> set[bytes | None]:
    """The keywords and names of which a declaration directly consists."""
    return {child.text for child in declaration.children}


def _dynamic_shared(declaration: Node, data: bytes) -> tuple[_Edit, str]:
    """``extern __shared__ T name[];`` becomes a pointer in a function and a thread-local symbol outside of one."""
    last = max((c for c in declaration.children if c.text in (b"extern", b"__shared__")), key=lambda c: c.end_byte)
    match = _DYNAMIC_ARRAY.fullmatch(data[last.end_byte : declaration.end_byte])
    if match is None:
        raise NotRewritable("this form of extern __shared__", declaration.start_point[0] + 1)
    kind, name = match["type"].strip(b" "), match["name"]
    if _in_function(declaration):
        text = kind + b"* const " + name + b" = ::simt::dynamic_shared();"
    else:
        text = b"extern __thread " + kind + b" " + name + b'[] __asm__("simt_dynamic_memory");'
    return _Edit(declaration.start_byte, declaration.end_byte, text), name.decode()


def _in_function(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type == "compound_statement":
            return True
        parent = parent.parent
    return False


def _memory_call(call: Node) -> list[_Edit]:
    function = call.child_by_field_name("function")
    if function is None or not function.text:
        return []
    name = function.text.removeprefix(b"std::").removeprefix(b"::")
    return [_Edit(function.start_byte, function.end_byte, b"simt_" + name)] if name in MEMORY_FUNCTIONS else []
