"""Writes grades into the folder from a few threads, and has them on the disk a hundred at a time."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any

from gemv_grader.batch.files import sync
from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import Line, line_of
from gemv_grader.batch.store import Record
from gemv_grader.batch.watch import Watcher

Json = dict[str, Any]

_WRITERS = 4
_MOST_UNWRITTEN = 200
_SYNCED_AT_ONCE = 100


class Saver:
    """Leaving its ``with`` block waits for what is being written. ``lines`` has a line for each grade written."""

    def __init__(self, folder: Folder, watcher: Watcher) -> None:
        self.folder = folder
        self.watcher = watcher
        self.lines: dict[str, Line] = {}
        self._writers = ThreadPoolExecutor(_WRITERS)
        self._unwritten: deque[Future[Line | None]] = deque()
        self._unsynced = 0

    def save(self, key: str, grade: Json, student: Json) -> None:
        """Write one grade soon. Raises OSError if the disk did not take this one or one before."""
        self._unwritten.append(self._writers.submit(self._write, key, grade, student))
        self._unsynced += 1
        if self._unsynced == _SYNCED_AT_ONCE:
            self._sync()
        self._tell(_MOST_UNWRITTEN)

    def flush(self) -> None:
        """Wait until all is on the disk. Raises OSError if the disk did not take it."""
        self._tell(0)
        self._sync()
        self._tell(0)

    def __enter__(self) -> Saver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writers.shutdown(wait=True, cancel_futures=error is not None)

    def _write(self, key: str, grade: Json, student: Json) -> Line:
        line = line_of(Record(key, grade, student, self.folder.store.marks(key)))
        assert line is not None  # noqa: S101 - it is a grade of ours
        self.folder.store.put(key, grade, student, durable=False)
        return line

    def _sync(self) -> None:
        if self._unsynced:
            self._unwritten.append(self._writers.submit(sync, self.folder.path))
            self._unsynced = 0

    def _tell(self, most: int) -> None:
        """Tell of what is written, and wait as long as more than ``most`` are not."""
        while self._unwritten and (self._unwritten[0].done() or len(self._unwritten) > most):
            line = self._unwritten.popleft().result()
            if line is not None:
                self.lines[line.key] = line
                self.watcher.graded(line)
