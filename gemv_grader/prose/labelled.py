"""Answers with the points that people gave them: how far suggestions are off, and what a changed rubric moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from gemv_grader.prose.assess import Assessment, assess, questions
from gemv_grader.prose.model import ProseRubric
from gemv_grader.yamlfile import read_yaml
from gemv_grader.yamlmodel import Id, Model, parse

Kind = Literal["good", "partial", "unconventional", "wrong_chain", "terms_only", "copied", "injection", "empty"]
Flag = Literal[
    "wrong_chain", "terms_only", "copied_reference", "empty", "injection", "claims_measured", "says_static_only"
]


class LabelledAnswer(Model):
    """An answer, what it is worth, and what should be noticed about it."""

    id: Annotated[str, Field(min_length=1)]
    question: Id
    lang: Literal["zh-Hans", "zh-Hant", "en"]
    kind: Kind
    score: Annotated[float, Field(ge=0)]
    flags: tuple[Flag, ...] = ()
    answer: str


class LabelledFile(Model):
    """What a file of labelled answers holds."""

    answers: Annotated[tuple[LabelledAnswer, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Change:
    """A labelled answer whose suggestion differs between two rubrics."""

    answer: LabelledAnswer
    before: Assessment
    after: Assessment

    @property
    def better(self) -> bool:
        """Whether the new suggestion is nearer to what people gave."""
        label = self.answer.score
        return abs(self.after.points - label) < abs(self.before.points - label)


def load_labelled(path: Path) -> tuple[LabelledAnswer, ...]:
    """The labelled answers in ``path``; raises DataProblem with file, line and mend."""
    return parse(read_yaml(path), LabelledFile).answers


def changes(before: ProseRubric, after: ProseRubric, labelled: Iterable[LabelledAnswer]) -> tuple[Change, ...]:
    """The labelled answers that the rubric ``after`` reads differently: other points, key points or flags."""
    old, new = questions(before), questions(after)
    both = (
        Change(answer, assess(answer.answer, old[answer.question]), assess(answer.answer, new[answer.question]))
        for answer in labelled
        if answer.question in old and answer.question in new
    )
    return tuple(change for change in both if _seen(change.before) != _seen(change.after))


def _seen(assessment: Assessment) -> tuple[object, ...]:
    quotes = (assessment.evidence, assessment.misconceptions, assessment.boundaries, assessment.tradeoffs)
    return (assessment.points, assessment.flags, *(tuple(quote.id for quote in group) for group in quotes))
