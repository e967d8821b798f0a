"""Settles on a GPU what was graded without one. The folder is enough: programs, exercises and rubrics lie in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import Line, require_ledger
from gemv_grader.batch.pages import Pages, write_pages
from gemv_grader.batch.plan import refuse_mixture
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source
from gemv_grader.batch.summary import Summary, close_books
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Lang

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
    pages: Pages

    @property
    def exit_code(self) -> int:
        """As the summary's; 5 as well where something could not be settled, or a page not made."""
        return 5 if self.unsettled else self.pages.exit_code or self.summary.exit_code


def waiting(path: Path) -> tuple[Line, ...]:
    """The grades in a folder that wait for a GPU. Raises UsageProblem if it is no folder of grades."""
    return tuple(line for line in require_ledger(Folder(path).store).values() if line.waits_for_gpu)


def verify(path: Path, hands: Hands, lang: Lang, watcher: Watcher, *, pages: bool = True) -> Verified:
    """Run the programs that wait for a GPU, and grade their members again. Raises UsageProblem and OSError.

    It refuses grades that were made by another exercise, rubric or version than those in the folder and this one.
    """
    clock = time.monotonic()
    folder = Folder(path)
    require_ledger(folder.store)
    with folder.held(), Saver(folder, watcher) as saver:
        ledger = require_ledger(folder.store)
        sources = {line.exercise: Source(folder.course, line.exercise) for line in ledger.values()}
        refuse_mixture(ledger.values(), sources)
        pending = sum(line.waits_for_gpu for line in ledger.values())
        if pending:
            _require_gpu(hands)
        watcher.begun(pending)
        unsettled: Mapping[str, str] = {}
        if pending:
            from gemv_grader.batch.settling import settle  # noqa: PLC0415 - not for nothing

            unsettled = settle(ledger, sources, hands, lang, saver)
        changes = tuple(Change(ledger[key], line) for key, line in sorted(saver.lines.items()))
        summary = close_books(folder, {**ledger, **saver.lines}.values(), saver.lines, time.monotonic() - clock)
        drawn = write_pages(folder, summary.lines, lang, hands.jobs) if pages else Pages()
    return Verified(changes, unsettled, summary, drawn)


def _require_gpu(hands: Hands) -> None:
    """Raise UsageProblem where there is none; a cluster says so itself."""
    from gemv_grader.run.device import NOT_VERIFIED  # noqa: PLC0415 - not for nothing
    from gemv_grader.run.presence import why_no_gpu  # noqa: PLC0415

    if hands.scheduler is None and (missing := why_no_gpu()) is not None:
        raise UsageProblem(NOT_VERIFIED.format(why=missing))
