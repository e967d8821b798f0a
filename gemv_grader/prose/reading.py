"""What reading an answer came to, in the words a person sees: points suggested, quotes, what was not found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.prose.answers import Answers
    from gemv_grader.prose.assess import Assessment, Question, Quote
    from gemv_grader.prose.copying import Copy
    from gemv_grader.prose.model import ProseRubric
    from gemv_grader.rubric import Rubric


@dataclass(frozen=True)
class Passage:
    """The student's own words for something the rubric looks for.

    ``start`` and ``end`` count characters in the answers file, ``first`` and ``last`` in the section's own text.
    """

    id: str
    title: Text
    start: int
    end: int
    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Copied:
    """How much of an answer stands in a reference, from 0 to 1, and the longest passage that does."""

    share: float
    passage: Passage


@dataclass(frozen=True)
class Reading:
    """One answer as it was read. ``missing`` are the titles of links not found, ``wrong`` the passages that mislead.

    ``named`` are the boundaries and the tradeoffs of the rubric that it names.
    """

    points: float
    likeness: float | None
    found: tuple[Passage, ...]
    named: Mapping[str, tuple[Passage, ...]]
    missing: tuple[Text, ...]
    wrong: tuple[Passage, ...]
    vetoes: tuple[str, ...]
    flags: tuple[str, ...]
    copied: Copied | None = None


def read_all(answers: Answers, exercise: Exercise, rubric: Rubric) -> Mapping[str, Reading]:
    """Read every answered section that the exercise's prose rubric asks for; nothing where it has none."""
    from gemv_grader.prose.assess import assess  # noqa: PLC0415 - a tenth of a second, beside the compiler
    from gemv_grader.prose.model import prose_rubric_path  # noqa: PLC0415

    path = prose_rubric_path(exercise.id)
    if not path.is_file():
        return {}
    prose, questions = _asked(_Asked(path, path.stat().st_mtime_ns, rubric.sha256, exercise, rubric))
    return {
        section: _reading(assess(answers.text(section), question), section, answers, prose)
        for section, question in questions.items()
        if answers.text(section)
    }


@dataclass(frozen=True)
class _Asked:
    """What a prose rubric depends on."""

    path: Path
    changed: int
    rubric_sha256: str
    exercise: Exercise = field(compare=False)
    rubric: Rubric = field(compare=False)


@lru_cache(maxsize=4)
def _asked(of: _Asked) -> tuple[ProseRubric, Mapping[str, Question]]:
    """The prose rubric and its questions, loaded once for a whole class."""
    from gemv_grader.prose.assess import questions  # noqa: PLC0415
    from gemv_grader.prose.model import load_prose_rubric  # noqa: PLC0415

    prose = load_prose_rubric(of.exercise, rubric=of.rubric)
    return prose, questions(prose)


def _reading(assessment: Assessment, section: str, answers: Answers, prose: ProseRubric) -> Reading:
    def passage(id_: str, words: Quote | Copy, title: Text | None) -> Passage:
        start, end = answers.place(section, words.start), answers.place(section, words.end)
        return Passage(id_, title or Text(id_, id_), start, end, words.start, words.end, words.text)

    def passages(quotes: tuple[Quote, ...]) -> tuple[Passage, ...]:
        return tuple(passage(quote.id, quote, prose.title_of(quote.id)) for quote in quotes)

    copy = assessment.copy
    return Reading(
        points=assessment.points,
        likeness=assessment.likeness,
        found=passages(assessment.evidence),
        named={"boundaries": passages(assessment.boundaries), "tradeoffs": passages(assessment.tradeoffs)},
        missing=tuple(prose.title_of(name) or Text(name, name) for name in assessment.missing),
        wrong=passages((*assessment.misconceptions, *assessment.injections)),
        vetoes=assessment.vetoes,
        flags=assessment.flags,
        copied=None if copy is None else Copied(copy.share, passage("copy", copy, COPIED)),
    )


COPIED = Text(zh="和参考答案相同", en="stands in the reference")
