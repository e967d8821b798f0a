"""Blocks of a Markdown or Quarto document: its cells are code, any other fence belongs to the prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemv_grader.materials.blocks import Block

_OPENING = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)")
_LANGUAGES = frozenset({"cu", "cuda", "cuda-cpp", "cudacpp", "c", "c++", "cpp"})


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """The prose and the code cells of a document, with the document's line numbers."""
    return tuple(_split(re.split(r"\r\n?|\n", text)))


def _split(lines: list[str]) -> Iterator[Block]:
    prose: list[str] = []
    at, start = 0, 1
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        end = _closing(lines, at, opening["fence"]) if opening else at
        body = lines[at + 1 : end]
        if opening and _is_code(opening["info"], body):
            yield Block(is_code=False, lines=tuple(prose), line=start)
            yield Block(is_code=True, lines=tuple(body), line=at + 2)
            prose, start = [], end + 2
        else:
            prose += lines[at : end + 1]
        at = end + 1
    yield Block(is_code=False, lines=tuple(prose), line=start)


def _closing(lines: list[str], opening: int, fence: str) -> int:
    """The index of the line that closes a fence; one past the last line if none does."""
    closing = re.compile(rf"[ \t]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*")
    return next((at for at in range(opening + 1, len(lines)) if closing.fullmatch(lines[at])), len(lines))


def _is_code(info: str, body: list[str]) -> bool:
    """Whether a fence is a cell: Quarto's ``{python}``, a cell magic, or CUDA that defines a kernel."""
    language = info.strip().split(" ")[0].lower()
    if language.startswith("{"):
        return True
    first = next((line for line in body if line.strip()), "")
    if first.startswith("%%"):
        return True
    return (language in _LANGUAGES or not language) and any("__global__" in line for line in body)
