"""How far suggestions are from what people gave, on labelled answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemv_grader.prose.assess import Assessment, Question, assess
from gemv_grader.prose.claims import claims
from gemv_grader.prose.labelled import LabelledAnswer

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


def quality(readings: Sequence[Reading]) -> Quality:
    """The figures of ``readings``; there must be some of a two-point question."""
    questions = [reading for reading in readings if reading.answer.question != "explanation"]
    explanations = [reading for reading in readings if reading.answer.question == "explanation"]
    terms = [reading for reading in readings if "terms_only" in reading.answer.flags]
    errors = [abs(reading.error) for reading in questions]
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
