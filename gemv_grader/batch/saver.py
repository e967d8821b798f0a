"""Writes grades into the folder from a few threads: each waits for the disk, not for the others."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import Line, line_of
from gemv_grader.batch.store import Record
from gemv_grader.batch.watch import Watcher

Json = dict[str, Any]

_WRITERS = 8
_MOST_UNWRITTEN = 200


class Saver:
    """Leaving its ``with`` block waits for what is being written. ``lines`` has a line for each grade written."""

    def __init__(self, folder: Folder, watcher: Watcher) -> None:
        self.lines: dict[str, Line] = {}
        self.folder = folder
        self.watcher = watcher
        self._writers = ThreadPoolExecutor(_WRITERS)
        self._unwritten: deque[Future[Line]] = deque()

    def save(self, key: str, grade: Json, student: Json, state: bytes | None) -> None:
        """Write one grade soon. Raises OSError if the disk did not take this one or one before."""
        self._unwritten.append(self._writers.submit(self._write, key, grade, student, state))
        self._tell(_MOST_UNWRITTEN)

    def flush(self) -> None:
        """Wait until all is written. Raises OSError if the disk did not take it."""
        self._tell(0)

    def __enter__(self) -> Saver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writers.shutdown(wait=True, cancel_futures=error is not None)

    def _write(self, key: str, grade: Json, student: Json, state: bytes | None) -> Line:
        line = line_of(Record(key, grade, student))
        assert line is not None  # noqa: S101 - it is a grade of ours
        self.folder.save(key, grade, student, state if line.waits_for_gpu else None)
        return line

    def _tell(self, most: int) -> None:
        """Tell of what is written, and wait as long as more than ``most`` are not."""
        while self._unwritten and (self._unwritten[0].done() or len(self._unwritten) > most):
            line = self._unwritten.popleft().result()
            self.lines[line.key] = line
            self.watcher.graded(line)
