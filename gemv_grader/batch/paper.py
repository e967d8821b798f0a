"""A paper: the bytes of one submission as they go to a worker, and the digests that tell whether they changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from gemv_grader.batch.intake.model import DamagedMaterial, Entry, Material
from gemv_grader.materials import MAX_DOCUMENT_BYTES, is_document, suffix
from gemv_grader.receipt import MAX_BYTES as MOST_OF_A_RECEIPT
from gemv_grader.submission import MAX_BYTES
from gemv_grader.words import Text


@dataclass(frozen=True)
class Content:
    """One file. ``damage`` says why it could not be unpacked; ``data`` is empty then."""

    name: str
    data: bytes
    damage: Text | None = None

    @property
    def digest(self) -> str:
        """Equal for equal content of an equal kind, whatever the file is called."""
        return f"{suffix(self.name)} {hashlib.sha256(self.data).hexdigest()}"


@dataclass(frozen=True)
class Paper:
    """What one student or group handed in. ``number`` is its place in the intake; ``anew``: run even what has run.

    ``trouble`` says why the machine could not read it, ``why_none`` why there is no program.
    """

    number: int
    student: str
    program: Content | None = None
    answers: Content | None = None
    receipt: Content | None = None
    anew: bool = False
    trouble: Text | None = None
    why_none: Text | None = None

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(content.data) for content in (self.program, self.answers, self.receipt) if content)

    @property
    def digests(self) -> tuple[str, str]:
        """Of the program, and of the answers with the receipt beside them; empty for what was not handed in."""
        told = " ".join(content.digest for content in (self.answers, self.receipt) if content)
        return (self.program.digest if self.program else "", told)


def read_paper(number: int, entry: Entry) -> Paper:
    """Read an entry's files. Never raises: one file that cannot be read must not cost the others their grades."""
    student = ", ".join(student.name for student in entry.students)
    try:
        program = _read(entry.program, MAX_BYTES)
        answers = _read(entry.answers, MAX_DOCUMENT_BYTES)
        receipt = _read(entry.receipt, MOST_OF_A_RECEIPT)
    except OSError as error:
        return Paper(number, student, trouble=UNREADABLE.format(reason=error))
    if answers is None and program is not None and is_document(program.name):
        answers = program
    return Paper(number, student, program, answers, receipt, why_none=None if program else entry.why_none)


def _read(material: Material | None, limit: int) -> Content | None:
    if material is None:
        return None
    try:
        return Content(material.name, material.read(MAX_DOCUMENT_BYTES if is_document(material.name) else limit))
    except DamagedMaterial as problem:
        return Content(material.name, b"", problem.text)


UNREADABLE = Text(
    zh="这份提交读不了（{reason}）。请检查权限和磁盘，再用 --rerun failed 重评。",
    en="This submission cannot be read ({reason}). Check permissions and the disk, then grade it with --rerun failed.",
)
