"""Blocks of a Jupyter notebook, of any format version."""

from __future__ import annotations

from typing import Any

from gemv_grader.materials.blocks import Block
from gemv_grader.words import Text


def notebook_blocks(text: str) -> tuple[Block, ...] | Text:
    """The cells of a notebook's JSON, or why it cannot be read. Outputs are left alone: nothing rests on them."""
    import nbformat  # noqa: PLC0415 - a quarter of a second
    from nbformat import ValidationError  # noqa: PLC0415 - no ValueError
    from nbformat.reader import reads  # noqa: PLC0415

    try:
        # `reader.reads` does not validate: a notebook with an odd cell is still a student's work. What it cannot do
        # without, such as the metadata, it misses by a ValidationError.
        cells = nbformat.convert(reads(text), 4)["cells"]  # type: ignore[no-untyped-call]
        return tuple(_block(cell, number) for number, cell in enumerate(cells, 1))
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return UNREADABLE


def _block(cell: Any, number: int) -> Block:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    return Block(is_code=cell["cell_type"] == "code", lines=tuple(text.splitlines()), cell=number)


UNREADABLE = Text(
    zh="这个 .ipynb 不是完整的 Jupyter 笔记本（可能没有保存完）。请在 Jupyter 里打开、保存后再交。",
    en="This .ipynb is not a whole Jupyter notebook; saving it may have failed. "
    "Open it in Jupyter, save it, and hand it in again.",
)
