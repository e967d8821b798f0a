"""How far suggestions are from what people gave, on labelled answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from gemv_grader.prose.assess import Assessment, Question, assess, questions
from gemv_grader.prose.claims import claims
from gemv_grader.prose.labelled import LabelledAnswer
from gemv_grader.prose.model import ProseRubric
from gemv_grader.prose.training import train

_HALF = 0.5


@dataclass(frozen=True)
class Reading:
    """A labelled answer and what the engine made of it."""

    answer: LabelledAnswer
    assessment: Assessment
    claims_measured: bool

    @property
    def error(self) -> float:
        """Suggested minus given points."""
        return self.assessment.points - self.answer.score

    def agrees_on(self, flag: str) -> bool:
        """Whether label and engine say the same of ``flag``."""
        return (flag in self.answer.flags) is self.says(flag)

    def says(self, flag: str) -> bool:
        """Whether the engine raised ``flag``."""
        return self.claims_measured if flag == "claims_measured" else flag in self.assessment.flags


@dataclass(frozen=True)
class Count:
    """So many of so many."""

    hits: int
    of: int

    def __str__(self) -> str:
        return f"{self.hits}/{self.of}" + (f" ({self.hits / self.of:.0%})" if self.of else "")


@dataclass(frozen=True)
class Quality:
    """Figures of one set: errors by two-point question, and what was flagged rightly and wrongly."""

    answers: int
    mean_error: float
    within_half: Count
    exact: Count
    explanations_exact: Count
    wrong_found: Count
    wrong_accused: Count
    terms_kept: Count
    copies_found: Count
    copies_accused: Count
    injections_found: Count
    injections_accused: Count
    claims_found: Count
    claims_accused: Count


def read_all(answers: Sequence[LabelledAnswer], by: Mapping[str, Question]) -> tuple[Reading, ...]:
    """Every answer to a question of ``by``, read."""
    return tuple(
        Reading(answer, assess(answer.answer, by[answer.question]), claims(answer.answer).measured)
        for answer in answers
        if answer.question in by
    )


def read_unlearned(
    answers: Sequence[LabelledAnswer], rubric: ProseRubric, known: Sequence[LabelledAnswer], parts: int = 10
) -> tuple[Reading, ...]:
    """Every answer, read beside a second reader that learned from the ``known`` ones, but not from those read.

    The known ones are dealt out in ``parts`` by their ids, and each part is read by what the others taught.
    """
    by = questions(rubric)
    possible = {spec.section: spec.points for spec in rubric.questions}
    part_of = {answer.id: crc32(answer.id.encode()) % parts for answer in answers}
    readings: dict[str, Reading] = {}
    for part in sorted(set(part_of.values())):
        read = [answer for answer in answers if part_of[answer.id] == part]
        learned = train([each for each in known if part_of.get(each.id) != part], possible)
        unlearned = {section: replace(question, learned=learned) for section, question in by.items()}
        readings |= {reading.answer.id: reading for reading in read_all(read, unlearned)}
    return tuple(readings[answer.id] for answer in answers if answer.id in readings)


def quality(readings: Sequence[Reading]) -> Quality:
    """The figures of ``readings``; there must be some of a two-point question."""
    two_points = [reading for reading in readings if reading.answer.question != "explanation"]
    explanations = [reading for reading in readings if reading.answer.question == "explanation"]
    terms = [reading for reading in readings if "terms_only" in reading.answer.flags]
    errors = [abs(reading.error) for reading in two_points]
    return Quality(
        answers=len(readings),
        mean_error=sum(errors) / len(errors) if errors else 0.0,
        within_half=Count(sum(error <= _HALF for error in errors), len(errors)),
        exact=Count(sum(error == 0 for error in errors), len(errors)),
        explanations_exact=Count(sum(reading.error == 0 for reading in explanations), len(explanations)),
        wrong_found=_found("wrong_chain", readings),
        wrong_accused=_accused("wrong_chain", readings),
        terms_kept=Count(sum(reading.assessment.points <= _HALF for reading in terms), len(terms)),
        copies_found=_found("copied_reference", readings),
        copies_accused=_accused("copied_reference", readings),
        injections_found=_found("injection", readings),
        injections_accused=_accused("injection", readings),
        claims_found=_found("claims_measured", readings),
        claims_accused=_accused("claims_measured", readings),
    )


def _found(flag: str, readings: Sequence[Reading]) -> Count:
    labelled = [reading for reading in readings if flag in reading.answer.flags]
    return Count(sum(reading.says(flag) for reading in labelled), len(labelled))


def _accused(flag: str, readings: Sequence[Reading]) -> Count:
    innocent = [reading for reading in readings if flag not in reading.answer.flags]
    return Count(sum(reading.says(flag) for reading in innocent), len(innocent))
