"""Finds the program among a document's cells: what the ``%%writefile …cu`` cells write when they run in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemv_grader.materials.blocks import Block, students_own
from gemv_grader.words import Finding, Severity, Text

_WRITEFILE = re.compile(r"%%(?:writefile|file)\s+(?P<append>(?:-a|--append)\s+)?(?P<path>.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A program's text. In a document its lines keep their numbers; in a notebook they count within the cell."""

    text: str
    findings: tuple[Finding, ...] = ()


def program_in(blocks: Sequence[Block]) -> Found | Text:
    """The program that a document writes, or why there is none."""
    own = [block for block in students_own(blocks) if block.is_code]
    written: dict[str, list[Block]] = {}
    for block in own:
        target, append, code = _cell(block)
        if target is not None:
            written[target] = [*written.get(target, []), code] if append else [code]
    if not written:  # the magic may be gone, the code still there
        kernels = [block for block in own if _has_kernel([block])]
        written = {"": kernels} if len(kernels) == 1 else {}
    if len(written) > 1:
        written = {path: cells for path, cells in written.items() if _has_kernel(cells)} or written
    if not written:
        return NO_CELL
    if len(written) > 1:
        return SEVERAL.format(paths=", ".join(written))
    (cells,) = written.values()
    return Found(_joined(cells), _where(cells))


def writes_program(block: Block) -> bool:
    """Whether a cell has the magic that writes a ``.cu``."""
    return block.is_code and _cell(block)[0] is not None


def _cell(block: Block) -> tuple[str | None, bool, Block]:
    """The ``.cu`` that a cell writes (None if none), whether it appends, and the cell with its magic blanked."""
    lines = list(block.lines)
    for number, line in enumerate(lines):
        if not line.strip() or line.startswith("#|"):  # Quarto's cell options stand above the magic
            lines[number] = ""
        elif match := _WRITEFILE.fullmatch(line.strip()):
            path = match["path"].strip("\"'")
            if not path.lower().endswith((".cu", ".cuh")):
                break
            lines[number] = ""
            return path, bool(match["append"]), Block(True, tuple(lines), block.line, block.cell)
        else:
            break
    return None, False, block


def _has_kernel(cells: Iterable[Block]) -> bool:
    return any("__global__" in line for cell in cells for line in cell.lines)


def _joined(cells: list[Block]) -> str:
    """The cells' lines, each at its own line number as far as the cells before it leave room."""
    lines: list[str] = []
    for cell in cells:
        lines += [""] * (cell.line - 1 - len(lines))
        lines += cell.lines
    return "\n".join(lines) + "\n"


def _where(cells: list[Block]) -> tuple[Finding, ...]:
    if not cells[0].cell:
        return ()
    return (Finding("notebook_cell", Severity.INFO, CELL.format(cell=cells[0].cell)),)


NO_CELL = Text(
    zh="文件里没有 %%writefile ….cu 单元，也没有唯一一个含 __global__ 的代码块。请保留课件的代码单元，填空后再交。",
    en="There is no `%%writefile ….cu` cell here, nor a single code block with a __global__ function. "
    "Keep the lesson's code cell, fill its blank, and hand it in again.",
)
SEVERAL = Text(
    zh="文件写出了好几个 .cu（{paths}），无法判断哪个是作业。请只保留一个。",
    en="The file writes several .cu files ({paths}); there is no telling which is the submission. Keep one.",
)
CELL = Text(
    zh="程序取自笔记本的第 {cell} 个单元；行号从该单元的第一行数起",
    en="the program is cell {cell} of the notebook; lines count from the first line of that cell",
)
