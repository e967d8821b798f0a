"""Writes the pages of a folder of grades: those that are missing or older than their grades, and the class's.

Pages come from what is stored, after it is stored, so none of them can cost a grade. One that cannot be made is told
of by its student's key, and the rest go on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader import marks
from gemv_grader.batch.folder import CLASS_PAGE, STUDENT_PAGE, Folder
from gemv_grader.batch.ledger import NO_GRADES, Line, require_ledger
from gemv_grader.batch.means import Means
from gemv_grader.batch.opening import Hands
from gemv_grader.batch.store import GRADE, STUDENT
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Evidence, Lang

if TYPE_CHECKING:
    from gemv_grader.batch.dispatch import Job
    from gemv_grader.batch.drawing import Drawn, Order

_SHOWN = (GRADE, STUDENT, marks.FILE)
_AT_ONCE = 32
_ALONE = 60
"""So many pages take less time than starting processes for them."""


@dataclass(frozen=True)
class Pages:
    """How many students' pages were written, and the keys of those that could not be, with the reason."""

    written: int = 0
    failed: Mapping[str, str] | None = None

    @property
    def exit_code(self) -> int:
        """5 where a page could not be made: that is never the student's fault."""
        return 5 if self.failed else 0


def write_pages(
    folder: Folder, lines: Mapping[str, Line], lang: Lang, jobs: int | None, *, anew: bool = False
) -> Pages:
    """Bring the pages of these grades up to date, or make all ``anew``. Raises OSError if the disk does not take them.

    The folder is held by the caller.
    """
    made = {key: _made(f"{folder.path}/{key}") for key in lines}
    due = frozenset(key for key, when in made.items() if anew or not when)
    if not due and max(made.values(), default=0.0) <= _modified(str(folder.path / CLASS_PAGE)):
        return Pages()
    from gemv_grader.batch.drawing import Order, draw_class  # noqa: PLC0415 - templates, only if there is a page to make
    from gemv_grader.report.pages.gathering import Gathering  # noqa: PLC0415
    from gemv_grader.report.pages.lesson import load_lesson  # noqa: PLC0415

    lessons = {name: load_lesson(name, folder.course, lang) for name in {line.exercise for line in lines.values()}}
    order = Order(folder.path, due, lessons, lang)
    gathering = Gathering()
    failed: dict[str, str] = {}
    for drawn in _drawn(order, sorted(lines), jobs):
        if drawn.entry is not None and drawn.program is not None:
            gathering.add(drawn.entry, drawn.program)
        if drawn.why:
            failed[drawn.key] = drawn.why
    draw_class(folder, gathering, lessons, lang)
    return Pages(len(due - failed.keys()), failed)


def rewrite_pages(path: Path, lang: Lang, jobs: int | None) -> Pages:
    """Make every page of a folder of grades anew. Raises UsageProblem if there are no grades, and OSError."""
    folder = Folder(path)
    if not folder.store.keys():
        raise UsageProblem(NO_GRADES.format(path=path))
    with folder.held():
        return write_pages(folder, require_ledger(folder.store), lang, jobs, anew=True)


def _made(home: str) -> float:
    """When a student's page was made; 0 if it is missing or older than what it shows."""
    made = _modified(f"{home}/{STUDENT_PAGE}")
    return made if made and all(_modified(f"{home}/{name}") <= made for name in _SHOWN) else 0.0


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 - four for each student, and Path takes twice as long
    except OSError:
        return 0.0


def _drawn(order: Order, keys: Sequence[str], jobs: int | None) -> Iterator[Drawn]:
    """Every student drawn, in any order."""
    from gemv_grader.batch.drawing import draw_students  # noqa: PLC0415

    if len(order.due) <= _ALONE:
        yield from draw_students(order, keys)
        return
    from gemv_grader.batch.dispatch import Dispatcher  # noqa: PLC0415 - processes, only for many pages

    with Hands("none", jobs).crew(Means(Evidence.STATIC)) as crew:
        dispatcher = Dispatcher(crew)
        done: deque[Drawn] = deque()
        for start in range(0, len(keys), _AT_ONCE):
            dispatcher.add(_job(order, keys[start : start + _AT_ONCE], done))
        while not dispatcher.is_idle:
            dispatcher.wait()
            while done:
                yield done.popleft()


def _job(order: Order, keys: Sequence[str], done: deque[Drawn]) -> Job[str]:
    from gemv_grader.batch.dispatch import Job  # noqa: PLC0415
    from gemv_grader.batch.drawing import Drawn, draw_students  # noqa: PLC0415

    return Job(
        items=keys,
        start=lambda crew, items: crew.submit(draw_students, order.only(items), items),
        done=done.extend,
        blame=lambda key, why: done.append(Drawn(key, why=why.say(order.lang))),
    )
