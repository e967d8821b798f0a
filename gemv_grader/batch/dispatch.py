"""Gives tasks to a crew and takes back what they return, whatever happens to the workers.

When a worker dies, any task in flight may be what killed it. All of them become suspects: each is tried again with
nothing else running; one of several items that kills again is tried item by item; the item that kills alone is to
blame. The innocent lose only a little time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from gemv_grader.batch.crew import Crew, unpacked
from gemv_grader.errors import GraderFault
from gemv_grader.words import Text

T = TypeVar("T")


@dataclass(frozen=True)
class Job(Generic[T]):
    """Work on some ``items``: ``start`` gives it to a crew, ``done`` takes what comes back, ``blame`` a lost item."""

    items: Sequence[T]
    start: Callable[[Crew, Sequence[T]], Future[bytes]]
    done: Callable[[Any], None]
    blame: Callable[[T, Text], None]

    def apart(self) -> list[Job[T]]:
        """A job for each item."""
        return [replace(self, items=[item]) for item in self.items]


class Dispatcher:
    """Jobs in flight. Not for several threads."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._running: dict[Future[bytes], Job[Any]] = {}
        self._waiting: deque[Job[Any]] = deque()
        self._suspects: deque[Job[Any]] = deque()
        self._on_trial: Job[Any] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether everything has come back."""
        return not (self._running or self._waiting or self._suspects)

    def add(self, job: Job[Any]) -> None:
        """Have a job done, as soon as no suspects are left."""
        self._waiting.append(job)
        self._go_on()

    def wait(self) -> None:
        """Wait until a job has come back, and handle all that have."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            job = self._running.pop(future)
            error = future.exception() if not future.cancelled() else self._crew.deaths[0]()
            if error is None:
                job.done(unpacked(future.result()))
            elif isinstance(error, self._crew.deaths):
                self._died(job)
            else:
                self._failed(job, error)
        self._go_on()

    def finish(self) -> None:
        """Wait until all jobs have come back, also those that are added meanwhile."""
        while not self.is_idle:
            self.wait()

    def _go_on(self) -> None:
        if self._suspects:
            if not self._running:
                self._start(self._suspects.popleft(), on_trial=True)
            return
        while self._waiting and not self._suspects:
            self._start(self._waiting.popleft())

    def _start(self, job: Job[Any], *, on_trial: bool = False) -> None:
        self._on_trial = job if on_trial else None
        try:
            self._running[job.start(self._crew, job.items)] = job
        except self._crew.deaths:  # found out only now
            self._died(job)
            self._go_on()

    def _died(self, job: Job[Any]) -> None:
        self._crew.mend()
        if job is not self._on_trial:
            self._suspects.append(job)
        elif len(job.items) > 1:
            self._suspects.extendleft(reversed(job.apart()))
        elif self._crew.submit(_nothing).exception() is None:
            job.blame(job.items[0], DIED)
        else:
            raise GraderFault(NO_WORKERS)

    def _failed(self, job: Job[Any], error: BaseException) -> None:
        """The task itself failed, outside of what it does for each item."""
        if len(job.items) > 1:
            self._waiting.extend(job.apart())
        else:
            job.blame(job.items[0], FAILED.format(error=f"{type(error).__name__}: {error}"))


def _nothing() -> None:
    """What any worker can do."""


NO_WORKERS = Text(
    zh="工作进程一启动就消失，无法评分。请检查内存和进程数限制。",
    en="Worker processes end as soon as they start, so nothing can be graded. Check the memory and the limit on "
    "processes.",
)
DIED = Text(
    zh="处理这份提交的进程两次中途消失（不是学生的错，不记零分）。",
    en="The process at work on this submission ended twice without a result (not the student's fault, never a zero).",
)
FAILED = Text(
    zh="评分器处理这份提交时出错（不是学生的错，不记零分）：{error}",
    en="The grader failed on this submission (not the student's fault, never a zero): {error}",
)
