"""Grades a class: screens every paper, has each distinct program performed once, and saves each grade as it comes.

    papers -> screen, many at a time, on all cores -> grade at once, or wait for the program -> `programs` -> grade

Nothing is kept of a submission but what its grade still needs, so a class of any size fits into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gemv_grader.batch.dispatch import Job
from gemv_grader.batch.intake.model import Entry
from gemv_grader.batch.ledger import stamp
from gemv_grader.batch.paper import Paper
from gemv_grader.batch.programs import Programs, Setting
from gemv_grader.batch.saver import Saver
from gemv_grader.batch.source import Source
from gemv_grader.batch.tasks import Broken, Graded, Json, Member, grade_of_fault, screen
from gemv_grader.words import Text

MOST_AT_ONCE, MOST_BYTES = 32, 1 << 20
"""Papers that go to a worker together: the results of as many, packed, pass through a pipe in one piece."""


class Engine:
    """One batch over the ``entries`` of an intake. ``sources`` are those of the course, by exercise."""

    def __init__(
        self, setting: Setting, saver: Saver, entries: Sequence[Entry], sources: Mapping[str, Source], size: int
    ) -> None:
        self._setting = setting
        self._saver = saver
        self._entries = entries
        self._sources = sources
        self._size = size
        self._programs = Programs(setting, self._settle, self._give_up)
        self._open: dict[int, tuple[Paper, tuple[str, str]]] = {}
        self._screening = 0

    def grade(self, papers: Iterable[Paper]) -> None:
        """Grade every paper.

        Raises OSError if the disk does not take a grade; those saved before stay.
        """
        at_once = max(4, min(MOST_AT_ONCE, len(self._entries) // (4 * self._size)))
        for chunk in _chunks(papers, at_once):
            self._screen(chunk)
            while self._screening > at_once * (self._size + 1):
                self._setting.dispatcher.wait()
        while self._screening:
            self._setting.dispatcher.wait()
        self._programs.finish()
        self._saver.flush()

    def _screen(self, papers: Sequence[Paper]) -> None:
        readable = []
        for paper in papers:
            self._open[paper.number] = (_without_data(paper), paper.digests)
            if paper.trouble is not None:
                self._give_up(paper.number, paper.trouble)
            else:
                readable.append(paper)
        self._screening += len(readable)
        setting = self._setting
        if readable:
            setting.dispatcher.add(
                Job(
                    items=readable,
                    start=lambda crew, items: crew.submit(screen, setting.course, setting.means, items),
                    done=self._screened,
                    blame=self._lost,
                )
            )

    def _screened(self, results: Sequence[Graded | Member | Broken]) -> None:
        self._screening -= len(results)
        self._setting.watcher.screened(len(results))
        for result in results:
            if isinstance(result, Broken):
                self._give_up(result.number, result.why)
            elif isinstance(result, Graded):
                self._save(result.number, result.grade, None)
        self._programs.add(result for result in results if isinstance(result, Member))

    def _lost(self, paper: Paper, why: Text) -> None:
        self._screening -= 1
        self._setting.watcher.screened(1)
        self._give_up(paper.number, why)

    def _settle(self, member: Member, graded: Graded) -> None:
        self._save(member.number, graded.grade, member)

    def _give_up(self, number: int, why: Text) -> None:
        paper, _ = self._open[number]
        self._save(number, grade_of_fault(self._setting.course, paper, why), None)

    def _save(self, number: int, grade: Json, member: Member | None) -> None:
        _, digests = self._open.pop(number)
        document = stamp(grade, self._sources[grade["exercise"]], digests, member)
        entry = self._entries[number]
        for student in entry.students:
            self._saver.save(student.key, document, entry.student_json(student))


def _chunks(papers: Iterable[Paper], at_once: int) -> Iterator[list[Paper]]:
    chunk: list[Paper] = []
    size = 0
    for paper in papers:
        if chunk and (len(chunk) == at_once or size + paper.size > MOST_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(paper)
        size += paper.size
    if chunk:
        yield chunk


def _without_data(paper: Paper) -> Paper:
    program = paper.program and replace(paper.program, data=b"")
    return replace(paper, program=program, answers=None, receipt=None)
