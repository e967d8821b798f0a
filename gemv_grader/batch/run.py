"""A batch from a source of submissions to a folder of grades; stopped anywhere, it goes on when it is run again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.batch.folder import STUDENTS, Folder
from gemv_grader.batch.intake import Intake, save_students, take_in
from gemv_grader.batch.ledger import read_ledger
from gemv_grader.batch.moving import Move, follow_keys
from gemv_grader.batch.opening import Hands
from gemv_grader.batch.pages import Pages, write_pages
from gemv_grader.batch.plan import Plan, Rerun
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source, sources
from gemv_grader.batch.summary import Summary, close_books
from gemv_grader.batch.watch import Watcher
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Lang, Text

if TYPE_CHECKING:
    from gemv_grader.batch.engine import Engine


@dataclass(frozen=True)
class Request:
    """What to grade, by what, with whom, and where to."""

    source: Path
    out: Path
    lang: Lang
    hands: Hands
    rerun: Rerun
    roster: Path | None = None
    exercise_id: str | None = None
    rubric: Path | None = None
    pages: bool = True


@dataclass(frozen=True)
class Batch:
    """What came of it: how the folder stands now, the keys whose grades by other means were left out
    of it, and the keys that were corrected."""

    summary: Summary
    intake: Intake
    left_out: tuple[str, ...]
    moved: tuple[Move, ...]
    pages: Pages

    @property
    def exit_code(self) -> int:
        """As the summary's; 1 as well where the intake needs a person, and 5 where a page could not be made."""
        return self.pages.exit_code or self.summary.exit_code or int(not self.intake.is_clear)


def run_batch(request: Request, watcher: Watcher) -> Batch:
    """Grade what is not graded yet. Raises UsageProblem or DataProblem before anything is graded, and OSError."""
    clock = time.monotonic()
    _refuse_nesting(request.source, request.out)
    found = {source.exercise_id: source for source in sources(request.exercise_id, request.rubric)}
    folder = Folder(request.out)
    if not request.out.exists():
        request.hands.warm_up()
    with folder.held():
        intake = take_in(request.source, request.roster, request.out / STUDENTS)
        watcher.begun(len(intake.students))
        ledger = read_ledger(folder.store)
        if moved := follow_keys(folder, ledger, intake.students):
            ledger = read_ledger(folder.store)
        plan = Plan(
            intake.entries, ledger, found, request.rerun, request.hands.means() if request.rerun.stale else None
        )
        plan.check()
        save_students(request.out / STUDENTS, intake)
        with Saver(folder, watcher) as saver:
            papers = plan.papers(folder, saver, watcher)
            if (first := next(papers, None)) is not None:
                with _engine(request, intake, found, saver) as engine:
                    engine.grade(chain([first], papers))
            saver.flush()
        left_out = plan.stale() - saver.lines.keys() if request.rerun.stale else frozenset()
        lines = (line for key, line in {**ledger, **saver.lines}.items() if key not in left_out)
        summary = close_books(folder, lines, saver.lines, time.monotonic() - clock)
        pages = write_pages(folder, summary.lines, request.lang, request.hands.jobs) if request.pages else Pages()
    return Batch(summary, intake, tuple(sorted(left_out)), moved, pages)


@contextmanager
def _engine(request: Request, intake: Intake, found: Mapping[str, Source], saver: Saver) -> Iterator[Engine]:
    """An engine with its crew. Imported only when there is something to grade."""
    from gemv_grader.batch.course import load_course  # noqa: PLC0415
    from gemv_grader.batch.dispatch import Dispatcher  # noqa: PLC0415
    from gemv_grader.batch.engine import Engine  # noqa: PLC0415
    from gemv_grader.batch.programs import Setting  # noqa: PLC0415

    sources = tuple(found.values())
    course = load_course(sources, request.lang)
    means = request.hands.means()
    saver.folder.keep_course(sources)
    with request.hands.crew(means) as crew:
        setting = Setting(course, saver.folder, crew.means, Dispatcher(crew), saver.watcher)
        yield Engine(setting, saver, intake.entries, found, crew.size)


def _refuse_nesting(source: Path, out: Path) -> None:
    """Grades inside the submissions would be taken for submissions the next time."""
    inner, outer = out.resolve(), source.resolve()
    if inner == outer or outer in inner.parents:
        raise UsageProblem(NESTED.format(source=source, out=out))


NESTED = Text(
    zh="--out {out} 在提交文件夹 {source} 里面，下次会被当成提交。请换一个地方。",
    en="--out {out} lies inside the submissions {source}, and would be taken for one of them. Choose another place.",
)
