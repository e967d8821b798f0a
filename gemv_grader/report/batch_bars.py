"""A batch as it goes on, on a terminal: bars for what is read, built or run, and graded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text as Styled

from gemv_grader.batch.ledger import Line
from gemv_grader.batch.watch import Watcher
from gemv_grader.words import Lang, Text

if TYPE_CHECKING:
    from gemv_grader.batch.performed import Performed


@contextmanager
def bars(console: Console, lang: Lang) -> Iterator[Watcher]:
    """Bars that move until the block is left, and are gone then."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(lang), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bars(progress, lang)


class _Bars:
    """Bars for what is read, built or run, and graded."""

    def __init__(self, progress: Progress, lang: Lang) -> None:
        self._progress = progress
        self._programs = 0
        self._read = progress.add_task(READ.say(lang), total=None)
        self._performed = progress.add_task(PROGRAMS.say(lang), total=0)
        self._graded = progress.add_task(DONE.say(lang), total=None)

    def begun(self, students: int) -> None:
        self._progress.update(self._read, total=students)
        self._progress.update(self._graded, total=students)

    def stands(self, students: int) -> None:
        self._progress.advance(self._read, students)
        self._progress.advance(self._graded, students)

    def screened(self, submissions: int) -> None:
        self._progress.advance(self._read, submissions)

    def found(self, digest: str) -> None:
        del digest
        self._programs += 1
        self._progress.update(self._performed, total=self._programs)

    def performed(self, digest: str, result: Performed) -> None:
        del digest, result
        self._progress.advance(self._performed)

    def graded(self, line: Line) -> None:
        del line
        self._progress.advance(self._graded)


class _Rate(ProgressColumn):
    """How many a second."""

    def __init__(self, lang: Lang) -> None:
        super().__init__()
        self._lang = lang

    def render(self, task: Task) -> Styled:
        speed = task.finished_speed or task.speed
        return Styled(RATE.format(rate=f"{speed:.0f}" if speed else "-").say(self._lang), "dim")


READ = Text(zh="审查", en="reviewed")
PROGRAMS = Text(zh="编译和运行", en="built and run")
DONE = Text(zh="评分", en="graded")
RATE = Text(zh="{rate}/秒", en="{rate}/s")
