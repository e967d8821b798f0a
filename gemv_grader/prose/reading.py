"""What reading an answer came to, in the words a person sees: points suggested, quotes, what was not found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.prose.answers import Answers
    from gemv_grader.prose.assess import Assessment, Quote
    from gemv_grader.prose.model import ProseRubric
    from gemv_grader.rubric import Rubric


@dataclass(frozen=True)
class Passage:
    """The student's own words for something the rubric looks for; ``start`` and ``end`` count in the answers file."""

    id: str
    title: Text
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Reading:
    """One answer as it was read. ``missing`` are the titles of links not found, ``wrong`` the passages that mislead."""

    points: float
    found: tuple[Passage, ...]
    missing: tuple[Text, ...]
    wrong: tuple[Passage, ...]
    vetoes: tuple[str, ...]
    flags: tuple[str, ...]


def read_all(answers: Answers, exercise: Exercise, rubric: Rubric) -> Mapping[str, Reading]:
    """Read every answered section that the exercise's prose rubric asks for; nothing where it has none."""
    from gemv_grader.prose.assess import assess, questions  # noqa: PLC0415 - a tenth of a second, beside the compiler
    from gemv_grader.prose.model import load_prose_rubric, prose_rubric_path  # noqa: PLC0415

    if not prose_rubric_path(exercise.id).is_file():
        return {}
    prose = load_prose_rubric(exercise, rubric=rubric)
    return {
        section: _reading(assess(answers.text(section), question), section, answers, prose)
        for section, question in questions(prose).items()
        if answers.text(section)
    }


def _reading(assessment: Assessment, section: str, answers: Answers, prose: ProseRubric) -> Reading:
    def passages(quotes: tuple[Quote, ...]) -> tuple[Passage, ...]:
        return tuple(
            Passage(
                quote.id,
                title(quote.id),
                answers.place(section, quote.start),
                answers.place(section, quote.end),
                quote.text,
            )
            for quote in quotes
        )

    def title(found: str) -> Text:
        return prose.title_of(found) or Text(found, found)

    return Reading(
        points=assessment.points,
        found=passages(assessment.evidence),
        missing=tuple(title(name) for name in assessment.missing),
        wrong=passages((*assessment.misconceptions, *assessment.injections)),
        vetoes=assessment.vetoes,
        flags=assessment.flags,
    )
