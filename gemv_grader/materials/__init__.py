"""What students hand in as files: the program and the answers in a ``.cu``, a notebook, a document or a web page.

A ``.cu`` is taken as it is. In ``.ipynb``, ``.qmd``, ``.Rmd`` and ``.md`` the program is what the ``%%writefile …cu``
cells write, and the answers are the sections under Q1, Q2, … The functions take bytes, so that a batch reads from an
archive what `submit` reads from a file. The parsers are imported when a document turns up.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.encoding import Decoded, decode
from gemv_grader.submission import Submission, from_bytes, read_bytes, read_submission
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.materials.blocks import Block

MAX_DOCUMENT_BYTES = 20 << 20  # notebooks carry pictures

MOST_LINES = 20_000
"""So many lines of answers are read: no one writes more by hand, and each has to be looked at for a heading."""

_LINE_END = re.compile(r"\r\n?|\n")

NOTEBOOKS = frozenset({".ipynb"})
MARKDOWN = frozenset({".md", ".markdown"})
DOCUMENTS = frozenset({".qmd", ".rmd"}) | MARKDOWN
PAGES = frozenset({".html", ".htm"})


# As `submit` names it, and with what browsers and platforms add to a second copy.
_RECEIPT = re.compile(r"\.receipt(?:-\d{1,3}|[ _]?\(\d{1,3}\))?\.json$", re.IGNORECASE)


def suffix(name: str) -> str:
    """The lower-case suffix of a file's name; ``.cu`` for the ``03.cu.txt`` of platforms that take only texts."""
    _, end = _split(name)
    return ".cu" if end.lower() == ".cu.txt" else end.lower()


def stem(name: str) -> str:
    """The file's name, without folders, and without its suffix."""
    return _split(name)[0]


def _split(name: str) -> tuple[str, str]:
    """Stem and suffix, without pathlib: a class of 20,000 asks often."""
    base = name[name.rfind("/") + 1 :].rstrip()
    at = len(base) - len(".cu.txt") if base.lower().endswith(".cu.txt") else base.rfind(".")
    return (base[:at], base[at:]) if at > 0 else (base, "")


def is_program_name(name: str) -> bool:
    """Whether a file of this name may hold a program."""
    return suffix(name) == ".cu" or is_document(name)


def is_answers_name(name: str) -> bool:
    """Whether a file of this name may hold answers."""
    return suffix(name) in PAGES | {".txt"} or is_document(name)


def is_receipt_name(name: str) -> bool:
    """Whether a file of this name may be the receipt of a run, also where a system made a copy of it."""
    return name.lower().endswith(".json") and _RECEIPT.search(name) is not None


def receipt_stem(name: str) -> str:
    """The stem of the program whose receipt a file is by its name, in lower case."""
    return _RECEIPT.sub("", name[name.rfind("/") + 1 :]).lower()


def is_document(name: str) -> bool:
    """Whether a file of this name may hold program and answers together."""
    return suffix(name) in NOTEBOOKS | DOCUMENTS


def read_program(path: Path) -> Submission:
    """The program in the file at ``path``. Raises UsageProblem if there is no readable file there."""
    if not is_document(path.name):
        return read_submission(path)
    return program_of(path.name, read_bytes(path, MAX_DOCUMENT_BYTES), path.stem, path)


def program_of(name: str, data: bytes, student: str, path: Path | None = None) -> Submission:
    """The program in a file of this name and content, or a submission with a refusal. Never raises."""
    if not is_document(name):
        return from_bytes(data, student, path)
    from gemv_grader.materials.program import program_in  # noqa: PLC0415

    refused = Submission(path, student, hashlib.sha256(data).hexdigest(), "utf-8", "")
    if len(data) > MAX_DOCUMENT_BYTES:
        return replace(refused, refusal=TOO_LARGE)
    found = _blocks(name, decoded := decode(data))
    program = found if isinstance(found, Text) else program_in(found)
    if isinstance(program, Text):
        return replace(refused, encoding=decoded.encoding, refusal=program)
    submission = from_bytes(program.text.encode("utf-8", "replace"), student, path)
    findings = program.findings + submission.findings
    return replace(submission, sha256=refused.sha256, encoding=decoded.encoding, findings=findings)


def holds_program(name: str, data: bytes) -> bool:
    """Whether a document has code that could be the program; answers alone have none."""
    return program_of(name, data, "").refusal is None


def answers_of(name: str, data: bytes) -> str:
    """The answers in a file of this name and content. Never raises.

    A text is given as it is, so that offsets in it count in the file; what is taken from a notebook, a lesson or a web
    page is Markdown with a heading for each answer.
    """
    from gemv_grader.materials.answers import answers_in  # noqa: PLC0415

    text = decode(data[:MAX_DOCUMENT_BYTES])
    if suffix(name) not in NOTEBOOKS:
        text = replace(text, text=_first_lines(text.text))
    if suffix(name) in PAGES:
        from gemv_grader.materials.page import page_text  # noqa: PLC0415

        return page_text(text.text)
    if not is_document(name):
        return text.text
    from gemv_grader.materials.program import writes_program  # noqa: PLC0415

    found = _blocks(name, text)
    if isinstance(found, Text):
        return ""
    if suffix(name) in DOCUMENTS and not any(map(writes_program, found)):
        return text.text  # an answers form, not a lesson: every word of it may be the student's
    return answers_in(found)


def _first_lines(text: str) -> str:
    """The text up to the end of the line after the last that is read."""
    end = next(islice(_LINE_END.finditer(text), MOST_LINES, None), None)
    return text if end is None else text[: end.end()]


def _blocks(name: str, decoded: Decoded) -> tuple[Block, ...] | Text:
    if suffix(name) in NOTEBOOKS:
        from gemv_grader.materials.notebook import notebook_blocks  # noqa: PLC0415

        return notebook_blocks(decoded.text)
    from gemv_grader.materials.markdown import markdown_blocks  # noqa: PLC0415

    return markdown_blocks(decoded.text)


TOO_LARGE = Text(
    zh="文件超过 20 MB。请清除笔记本的输出和图片后再交，或只交 .cu 文件。",
    en="The file is over 20 MB. Clear the notebook's outputs and pictures, or hand in the .cu file alone.",
)
