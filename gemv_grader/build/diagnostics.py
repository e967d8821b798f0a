"""Reads the messages of nvcc's tools: its EDG front end, the host compiler, ptxas, and nvcc itself.

The front end tells only lines; the column is where its caret stands under the line it shows. That line has been
through the preprocessor (comments gone, macros expanded or cut off, other alphabets as \\U escapes) and is indented
anew, so it is laid against the program's own line: what stands before the caret must agree from the left, or else
what stands after it must occur there once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from gemv_grader.build.binary import Diagnostic, DiagnosticSeverity
from gemv_grader.lock.names import PREFIX

MOST_DIAGNOSTICS = 50
LONGEST_MESSAGE = 500

_EDG = re.compile(r"(?P<file>\S[^(\n]*)\((?P<line>\d+)\): (?P<kind>[a-z ]+?)(?: #\d+(?:-D)?)?: (?P<message>.*)")
_GCC = re.compile(r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>[a-z ]+?): (?P<message>.*)")
_TOOL = re.compile(
    r"(?P<tool>[^\s:(][^:(\n]*?):? "
    r"(?P<kind>fatal error|internal compiler error|fatal|error)\s*: (?P<message>.*)"
)
_ESCAPE = re.compile(r"\\U([0-9a-fA-F]{8})|\\u([0-9a-fA-F]{4})")
_SEVERITIES: dict[str, DiagnosticSeverity] = {
    "error": "error",
    "catastrophic error": "error",
    "internal error": "error",
    "internal compiler error": "error",
    "fatal error": "error",
    "fatal": "error",
    "warning": "warning",
}


def parse(output: str, source: Sequence[str], name: str) -> tuple[Diagnostic, ...]:
    """The errors and warnings in ``output``, each once. ``source`` is the lines of the file ``name``."""
    found: dict[Diagnostic, None] = {}
    lines = output.split("\n")
    for number, text in enumerate(lines):
        if diagnostic := _read(text, lines[number + 1 : number + 6], source, name):
            found[diagnostic] = None
    return tuple(found)[:MOST_DIAGNOSTICS]


def _read(text: str, after: Sequence[str], source: Sequence[str], name: str) -> Diagnostic | None:
    match = _EDG.match(text) or _GCC.match(text) or _TOOL.match(text)
    if match is None or (severity := _SEVERITIES.get(match["kind"].strip())) is None:
        return None
    facts = match.groupdict()
    line = column = None
    if facts.get("file") == name:
        line = int(facts["line"])
        column = int(facts["column"]) if "column" in facts else _caret(after, source, line)
    message = _unescape(match["message"]).replace(PREFIX, "")  # names as the student wrote them
    return Diagnostic(severity, line, column, message[:LONGEST_MESSAGE])


def _caret(after: Sequence[str], source: Sequence[str], line: int) -> int | None:
    """The column, in characters of the program's line, under which the front end set its caret."""
    for shown, marker in pairwise(after):
        if not shown.strip():
            return None
        if marker.strip() == "^":
            own = source[line - 1] if line <= len(source) else ""
            return _align(shown, marker.index("^"), own)
    return None


def _align(shown: str, caret: int, own: str) -> int:
    start = len(shown) - len(shown.lstrip())
    indent = len(own) - len(own.lstrip())
    before, rest = _unescape(shown[start:caret]), _unescape(shown[caret:]).rstrip()
    code = own[indent:]
    if not code.startswith(before) and own.count(rest) == 1:
        return own.index(rest) + 1
    agreed = next((at for at, pair in enumerate(zip(code, before, strict=False)) if pair[0] != pair[1]), len(before))
    return indent + agreed + 1


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return chr(code) if code <= 0x10FFFF else match[0]

    return _ESCAPE.sub(character, text)
