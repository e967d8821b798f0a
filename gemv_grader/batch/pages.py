"""Writes the pages of a folder of grades: those that are missing or older than their grades, and the class's.

Pages come from what is stored, after it is stored, so none of them can cost a grade. One that cannot be made is told
of by its student's key, and the rest go on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader import marks
from gemv_grader.batch.folder import CLASS_PAGE, STUDENT_PAGE, Folder
from gemv_grader.batch.ledger import Line
from gemv_grader.batch.means import Means
from gemv_grader.batch.opening import Hands
from gemv_grader.batch.store import GRADE, STUDENT
from gemv_grader.words import Evidence, Lang

if TYPE_CHECKING:
    from gemv_grader.batch.drawing import Drawn
    from gemv_grader.report.pages.lesson import Lesson

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


def write_pages(folder: Folder, lines: Mapping[str, Line], lang: Lang, jobs: int | None, *, anew: bool = False) -> Pages:
    """Bring the pages of these grades up to date, or make all ``anew``. Raises OSError if the disk does not take them.

    The folder is held by the caller.
    """
    state = {key: _is_due(folder.store.folder(key)) for key in lines}
    newest = max((made for made in state.values() if made is not None), default=0.0)
    due = frozenset(key for key, made in state.items() if anew or made is None)
    if not due and newest <= _modified(folder.path / CLASS_PAGE):
        return Pages()
    from gemv_grader.batch.drawing import draw_class, draw_students  # noqa: PLC0415 - templates, only to make pages
    from gemv_grader.report.pages.gathering import Gathering  # noqa: PLC0415
    from gemv_grader.report.pages.lesson import load_lesson  # noqa: PLC0415

    lessons = {name: load_lesson(name, folder.course, lang) for name in {line.exercise for line in lines.values()}}
    gathering = Gathering()
    failed: dict[str, str] = {}
    keys = sorted(lines)
    chunks = [keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE)]
    if len(due) <= _ALONE:
        drawn: Iterator[Sequence[Drawn]] = (draw_students(folder.path, chunk, due, lessons, lang) for chunk in chunks)
    else:
        drawn = _by_many(folder.path, chunks, due, lessons, lang, jobs)
    for each in (one for some in drawn for one in some):
        if each.entry is not None and each.program is not None:
            gathering.add(each.entry, each.program)
        if each.why:
            failed[each.key] = each.why
    draw_class(folder, gathering, lessons, lang)
    return Pages(len(due) - len(failed.keys() & due), failed)


def _is_due(home: Path) -> float | None:
    """When a student's page was made; None if it is missing or older than what it shows."""
    made = _modified(home / STUDENT_PAGE)
    if not made or any(_modified(home / name) > made for name in (GRADE, STUDENT, marks.FILE)):
        return None
    return made


def _modified(path: Path) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 - four for each student, and Path takes twice as long
    except OSError:
        return 0.0


def _by_many(
    path: Path,
    chunks: Sequence[Sequence[str]],
    due: frozenset[str],
    lessons: Mapping[str, Lesson],
    lang: Lang,
    jobs: int | None,
) -> Iterator[Sequence[Drawn]]:
    """The same by several processes, in the order of the chunks. A few are in flight: what they return is not small."""
    from gemv_grader.batch.crew import unpacked  # noqa: PLC0415
    from gemv_grader.batch.drawing import draw_students, lost  # noqa: PLC0415

    with Hands("none", jobs).crew(Means(Evidence.STATIC)) as crew:
        running: deque[tuple[Sequence[str], Future[bytes]]] = deque()

        def first() -> Sequence[Drawn]:
            chunk, future = running.popleft()
            try:
                result: Sequence[Drawn] = unpacked(future.result())
            except crew.deaths as death:
                return [lost(key, death) for key in chunk]
            return result

        for chunk in chunks:
            if len(running) > 2 * crew.size:
                yield first()
            running.append((chunk, crew.submit(draw_students, path, chunk, due & set(chunk), lessons, lang)))
        while running:
            yield first()
