"""What a page takes from the exercise and its rubric: titles, and the line of code that the blank stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemv_grader.errors import GradeError
from gemv_grader.words import Lang


@dataclass(frozen=True)
class Lesson:
    """Of one exercise, in one language. Titles are by the id of an item, veto or requirement, notes by that of a case.

    ``before`` and ``after`` are what stands in the blank's line beside it, without indentation and comment.
    """

    exercise: str
    title: str = ""
    items: Mapping[str, str] = field(default_factory=dict)
    vetoes: Mapping[str, str] = field(default_factory=dict)
    requires: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    before: str = ""
    after: str = ""

    def entitle(self, grade: dict[str, Any]) -> None:
        """Put the titles, in this language, in place of those of a grade that was made in another one."""
        score = grade["score"]
        kinds = (
            (score["items"], self.items),
            (score["vetoes"], self.vetoes),
            (score.get("requires", ()), self.requires),
        )
        for parts, titles in kinds:
            for part in parts:
                part["title"] = titles.get(part["id"], part.get("title", part["id"]))


def load_lesson(exercise_id: str, root: Path, lang: Lang) -> Lesson:
    """The lesson as the data under ``root`` have it; one with ids alone where these cannot be read."""
    from gemv_grader.exercise import load_exercise  # noqa: PLC0415 - only when a page is made
    from gemv_grader.rubric import load_rubric  # noqa: PLC0415

    try:
        exercise = load_exercise(exercise_id, root)
        rubric = load_rubric(exercise, root / "rubrics" / f"{exercise_id}.yaml")
    except (GradeError, OSError):
        return Lesson(exercise_id)
    line = exercise.scaffold.splitlines()[exercise.blank_place.line - 1]
    before, _, after = line.partition(exercise.blank.marker)
    return Lesson(
        exercise=exercise_id,
        title=exercise.title.say(lang),
        items={item.id: item.title.say(lang) for item in rubric.items},
        vetoes={veto.id: veto.title.say(lang) for veto in rubric.vetoes},
        requires={each.id: each.title.say(lang) for each in rubric.requires},
        notes={case.id: case.note.say(lang) for case in exercise.cases if case.note is not None},
        before=before.lstrip(),
        after=after.partition("//")[0].rstrip(),
    )
