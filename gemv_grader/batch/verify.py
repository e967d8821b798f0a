"""Settles on a GPU what was graded without one. The folder is enough: programs, exercises and rubrics lie in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import Line, read_ledger
from gemv_grader.batch.plan import refuse_mixture
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source
from gemv_grader.batch.summary import Summary, close_books
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Lang, Text

if TYPE_CHECKING:
    from gemv_grader.batch.opening import Hands
    from gemv_grader.batch.watch import Watcher


@dataclass(frozen=True)
class Change:
    """A grade before and after."""

    before: Line
    after: Line


@dataclass(frozen=True)
class Verified:
    """What a verification changed, and which grades it could not settle, with the reason; they go on waiting."""

    changes: tuple[Change, ...]
    unsettled: Mapping[str, str]
    summary: Summary

    @property
    def exit_code(self) -> int:
        """As the summary's; 5 as well where something could not be settled."""
        return 5 if self.unsettled else self.summary.exit_code


def waiting(path: Path) -> tuple[Line, ...]:
    """The grades in a folder that wait for a GPU. Raises UsageProblem if it is no folder of grades."""
    return tuple(line for line in _ledger(Folder(path)).values() if line.waits_for_gpu)


def verify(path: Path, hands: Hands, lang: Lang, watcher: Watcher) -> Verified:
    """Run the programs that wait for a GPU, and grade their members again. Raises UsageProblem and OSError.

    It refuses grades that were made by another exercise, rubric or version than those in the folder and this one.
    """
    clock = time.monotonic()
    folder = Folder(path)
    _ledger(folder)
    with folder.held(), Saver(folder, watcher) as saver:
        ledger = _ledger(folder)
        sources = {line.exercise: Source(folder.course, line.exercise) for line in ledger.values()}
        refuse_mixture(ledger.values(), sources)
        pending = sum(line.waits_for_gpu for line in ledger.values())
        if pending:
            hands.means()
        watcher.begun(pending)
        unsettled: Mapping[str, str] = {}
        if pending:
            from gemv_grader.batch.settling import settle  # noqa: PLC0415 - not for nothing

            unsettled = settle(ledger, sources, hands, lang, saver)
        changes = tuple(Change(ledger[key], line) for key, line in sorted(saver.lines.items()))
        summary = close_books(folder, {**ledger, **saver.lines}.values(), saver.lines, time.monotonic() - clock)
    return Verified(changes, unsettled, summary)


def _ledger(folder: Folder) -> dict[str, Line]:
    if not (ledger := read_ledger(folder.store)):
        raise UsageProblem(NO_GRADES.format(path=folder.path))
    return ledger


NO_GRADES = Text(
    zh="{path} 里没有 gemv-grade batch 的成绩。请给出它的 --out 文件夹。",
    en="There are no grades of `gemv-grade batch` in {path}. Name the folder that was its --out.",
)
