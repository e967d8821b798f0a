"""Saves decisions. Several people may review a folder: a decision never replaces one that its author has not seen.

A lock is held only while marks are read, compared and written; a batch writes no marks and needs not wait.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.batch.folder import CLASS_PAGE, Folder
from gemv_grader.batch.ledger import read_ledger
from gemv_grader.batch.summary import close_books
from gemv_grader.errors import UsageProblem
from gemv_grader.marks import FILE, Marks
from gemv_grader.reviewing.places import Change
from gemv_grader.words import Text

_LOCK = ".marks.lock"


@dataclass(frozen=True)
class Outcome:
    """What became of some changes. ``refused``: another decision stands there by now. ``fault``: the disk's reason.

    After a fault the changes that are neither saved nor refused were not tried. ``marks`` are the marks as they now
    are of everyone who was looked at.
    """

    saved: tuple[Change, ...]
    refused: tuple[Change, ...]
    marks: dict[str, Marks]
    fault: Text | None = None


class MarkBook:
    """The marks of a folder of grades."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def save(self, changes: Sequence[Change]) -> Outcome:
        """Make those changes whose ``before`` still stands, each on the disk before this returns.

        Raises DataProblem for marks that were damaged since the review began.
        """
        saved, refused, marks = [], [], {}
        try:
            with _locked(self.folder.path / _LOCK):
                for change in changes:
                    now = self.folder.store.marks(change.key)
                    if change.place.mark_in(now) != change.before:
                        refused.append(change)
                    else:
                        now = change.place.put_into(now, change.after)
                        self.folder.store.put_marks(change.key, now)
                        saved.append(change)
                    marks[change.key] = now
        except OSError as error:
            fault = NOT_SAVED.format(path=self.folder.path, why=error.strerror or error)
            return Outcome(tuple(saved), tuple(refused), marks, fault)
        return Outcome(tuple(saved), tuple(refused), marks)

    def outdates_pages(self) -> bool:
        """Whether the class has pages that were made before the last decision."""
        try:
            made = (self.folder.path / CLASS_PAGE).stat().st_mtime
        except OSError:
            return False
        return any(path.stat().st_mtime > made for path in self.folder.path.glob(f"*/{FILE}"))

    def close(self) -> Text | None:
        """Write gradebook.csv anew; says why if that cannot be done now."""
        try:
            with self.folder.held():
                close_books(self.folder, read_ledger(self.folder.store).values(), (), 0.0)
        except UsageProblem as problem:
            return BOOK_LATER.format(why=problem.text)
        except OSError as error:
            return NOT_SAVED.format(path=self.folder.path, why=error.strerror or error)
        return None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


NOT_SAVED = Text(
    zh="没有存下来：{path} 写不了（{why}）。腾出空间或改权限后再试。",
    en="Not saved: {path} cannot be written ({why}). Make room or mend the permissions, then try again.",
)
BOOK_LATER = Text(
    zh="给分都已存好，但 gradebook.csv 还是旧的；下一次 review 或 batch 结束时会更新。{why}",
    en="All marks are saved, but gradebook.csv is still the old one; the next review or batch renews it. {why}",
)
