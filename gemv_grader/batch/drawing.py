"""Makes pages and writes them: plain functions that a worker can do. Imported only when there is a page to make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gemv_grader.batch.files import replace_file
from gemv_grader.batch.folder import CLASS_PAGE, STUDENT_PAGE, Folder
from gemv_grader.batch.store import GradeStore
from gemv_grader.errors import GradeError
from gemv_grader.exercise import load_exercise
from gemv_grader.prose.copying import References, alike
from gemv_grader.report.pages.class_page import page as page_of_class
from gemv_grader.report.pages.entry import Entry, Program, entry_of
from gemv_grader.report.pages.gathering import Gathering
from gemv_grader.report.pages.lesson import Lesson
from gemv_grader.report.pages.student import page as page_of_student
from gemv_grader.standing import standing
from gemv_grader.words import Lang


@dataclass(frozen=True)
class Order:
    """What to draw of a folder: the students whose pages are ``due``; of the others only the entries are wanted."""

    folder: Path
    due: frozenset[str]
    lessons: Mapping[str, Lesson]
    lang: Lang

    def only(self, keys: Iterable[str]) -> Order:
        """The part of the order that concerns these students."""
        return replace(self, due=self.due.intersection(keys))


@dataclass(frozen=True)
class Drawn:
    """What the class page keeps of a student; ``why`` says why there is no page, and perhaps no entry."""

    key: str
    entry: Entry | None = None
    program: Program | None = None
    why: str = ""


def draw_students(order: Order, keys: Iterable[str]) -> list[Drawn]:
    """Read each student's record, and write the pages that are due."""
    store = GradeStore(order.folder)
    return [_draw(store, key, order) for key in keys]


def draw_class(folder: Folder, gathering: Gathering, lessons: Mapping[str, Lesson], lang: Lang) -> None:
    """Write the class's page. Raises OSError if the disk does not take it."""
    store, references = folder.store, cache(_references)

    def find(exercise: str, item: str, likely: list[list[list[str]]]) -> Sequence[tuple[tuple[str, ...], float, str]]:
        return list(_alike(store, references(exercise), item, likely)) if likely else ()

    replace_file(folder.path / CLASS_PAGE, page_of_class(gathering.parts(lessons, find), lang))


def _draw(store: GradeStore, key: str, order: Order) -> Drawn:
    try:
        record = store.get(key)
        if record is None:
            raise ValueError("grade.json")
        order.lessons[record.grade["exercise"]].entitle(record.grade)
        stands = standing(record.grade, record.marks)
        entry, program = entry_of(record, stands)
    except Exception as error:  # noqa: BLE001 - whatever it is, it costs this page and no other
        return Drawn(key, why=_said(error))
    try:
        if key in order.due:
            page = page_of_student(record, stands, order.lessons[entry.exercise], order.lang)
            replace_file(store.folder(key) / STUDENT_PAGE, page)
    except Exception as error:  # noqa: BLE001 - as above
        return Drawn(key, entry, program, _said(error))
    return Drawn(key, entry, program)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _alike(
    store: GradeStore, references: References, item: str, likely: list[list[list[str]]]
) -> Iterator[tuple[tuple[str, ...], float, str]]:
    """Of each group of candidates those that `prose.copying` finds alike: keys, share, and one of the answers."""
    for group in likely:
        texts: dict[str, str] = {}
        others: dict[str, list[str]] = {}
        for keys in group:
            text = _answer(store, keys[0], item)
            others[keys[0]] = keys
            # Two of those who wrote the same, word for word, stand for all of them.
            texts.update(dict.fromkeys(keys[:2], text))
        for found in alike(texts, references):
            everyone = sorted({one for key in found.keys for one in others.get(key, ())})
            if len(everyone) > 1:
                yield tuple(everyone), found.share, texts[found.keys[0]]


def _answer(store: GradeStore, key: str, item_id: str) -> str:
    record = store.get(key)
    if record is None:
        return ""
    sections = (record.grade.get("answers") or {}).get("sections") or {}
    return next((sections.get(i["section"], "") for i in record.grade["score"]["items"] if i["id"] == item_id), "")


def _references(exercise_id: str) -> References:
    """The texts that answers may have in common; none where the exercise has no prose rubric, or another one now."""
    from gemv_grader.prose.model import load_prose_rubric, reference_texts  # noqa: PLC0415

    try:
        exercise = load_exercise(exercise_id)
        return References((exercise.answers_form, *reference_texts(load_prose_rubric(exercise))))
    except (GradeError, OSError):
        return References(())
