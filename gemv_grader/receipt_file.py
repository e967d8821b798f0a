"""Where receipts lie: beside the submission, as ``my.receipt.json`` for ``my.cu``, or where the command line says.

Nothing is written over that is not a receipt of ours, and no receipt of a run by that of a weaker one: a student who
ran on a GPU and looks at the grade on a laptop would lose what supports the answers.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.errors import UsageProblem
from gemv_grader.files import read_at_most
from gemv_grader.words import Text, Verdict

if TYPE_CHECKING:
    from gemv_grader.grade import Grade
    from gemv_grader.receipt import Receipt

SUFFIX = ".receipt.json"
NONE = Path("none")
_MOST_BYTES = (1 << 20) + 1  # one more than a receipt may have

# A program that does not compile, or that we failed to run, leaves nothing to tell of.
_RUNS = frozenset({Verdict.CORRECT, Verdict.WRONG, Verdict.CRASHED, Verdict.UNVERIFIED})


class Receipts:
    """The receipt that one grading reads and the one that it writes. ``named``: the path on the command line, if any.

    A path that was named is only read: somebody holds answers against a receipt that was handed in.
    """

    def __init__(self, submission: Path, named: Path | None) -> None:
        self._named = named
        self.path = _beside(submission) if named is None else None if named == NONE else named

    def read(self) -> bytes | None:
        """What the receipt's file holds, None where there is none. Raises UsageProblem for a named one."""
        if self.path is None:
            return None
        try:
            return read_at_most(self.path, _MOST_BYTES)
        except (OSError, ValueError) as error:
            if self._named is None:
                return None
            why = getattr(error, "strerror", None) or error
            raise UsageProblem(UNREADABLE.format(path=self.path, why=why)) from error

    def write(self, grade: Grade) -> Text | None:
        """Write the receipt of a grading; what kept it from that, if a person should know."""
        if self._named is not None or self.path is None or grade.verdict not in _RUNS:
            return None
        from gemv_grader.record import receipt_of  # noqa: PLC0415

        receipt = receipt_of(grade.trail)
        return None if receipt is None else keep(receipt, self.path)


def _beside(submission: Path) -> Path | None:
    """Where the receipt of a submission lies; None for a path that can have none."""
    return submission.with_name(submission.stem + SUFFIX) if submission.name else None


def keep(receipt: Receipt, path: Path) -> Text | None:
    """Write the receipt in one step; what kept it from that, if something did."""
    if os.path.lexists(path) and (kept := _why_kept(receipt, path)):
        return kept
    from gemv_grader.receipt import to_json  # noqa: PLC0415

    new = path.with_name(f".gemv-grade-{os.getpid()}{SUFFIX}")
    try:
        try:
            with new.open("xb") as file:
                file.write(to_json(receipt))
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        return NOT_WRITTEN.format(path=path.name, why=error.strerror or error)
    return None


def _why_kept(receipt: Receipt, path: Path) -> Text | None:
    """Why what is there stays: it is no receipt, or that of a stronger run of the same program."""
    from gemv_grader.receipt import from_json  # noqa: PLC0415

    there = None
    if not path.is_symlink():
        with contextlib.suppress(OSError):
            there = from_json(read_at_most(path, _MOST_BYTES))
    if there is None:
        return NOT_OURS.format(path=path.name)
    same = there.sha256.program == receipt.sha256.program
    if same and there.evidence.rank > receipt.evidence.rank:
        return STRONGER.format(path=path.name)
    return None


UNREADABLE = Text(
    zh="读不了运行凭据 {path}：{why}。请检查 --receipt 的路径。",
    en="Cannot read the receipt {path}: {why}. Check the path given to --receipt.",
)
NOT_WRITTEN = Text(
    zh="没有写运行凭据 {path}：{why}。成绩不受影响。",
    en="The receipt {path} was not written: {why}. The grade is not affected.",
)
NOT_OURS = Text(
    zh="没有写运行凭据：{path} 已经存在，而且不是本工具写的凭据。请移走它，或用 --receipt none。",
    en="No receipt was written: {path} exists and is none of ours. Move it away, or use --receipt none.",
)
STRONGER = Text(
    zh="保留了原来的运行凭据 {path}：它记录的是同一程序依据更强的一次运行。",
    en="The receipt {path} was kept: it is of a run of the same program that rests on more than this one.",
)
