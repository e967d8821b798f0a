"""Answers with the points that people gave them: how far suggestions are off, and what a changed rubric moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
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
class Record:
    """What the engine made of one labelled answer: enough to tell whether a rubric reads it otherwise."""

    points: float
    found: tuple[str, ...]
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A labelled answer that is read otherwise than before; ``before`` is None for an answer that is new."""

    answer: LabelledAnswer
    before: Record | None
    after: Record

    @property
    def nearer(self) -> bool:
        """Whether the new suggestion is nearer to what people gave than the old one."""
        label = self.answer.score
        return self.before is not None and abs(self.after.points - label) < abs(self.before.points - label)

    @property
    def gained(self) -> tuple[str, ...]:
        """Key points and misconceptions that are found now and were not."""
        return tuple(name for name in self.after.found if self.before is None or name not in self.before.found)

    @property
    def lost(self) -> tuple[str, ...]:
        """Key points and misconceptions that were found and are not now."""
        return tuple(name for name in (self.before.found if self.before else ()) if name not in self.after.found)


def load_labelled(path: Path) -> tuple[LabelledAnswer, ...]:
    """The labelled answers in ``path``; raises DataProblem with file, line and mend."""
    return parse(read_yaml(path), LabelledFile).answers


def records(rubric: ProseRubric, labelled: Iterable[LabelledAnswer]) -> dict[str, Record]:
    """What ``rubric`` makes of each labelled answer to one of its questions, by the answer's id."""
    by = questions(rubric)
    return {
        answer.id: _record(assess(answer.answer, by[answer.question])) for answer in labelled if answer.question in by
    }


def changes(
    before: Mapping[str, Record], after: Mapping[str, Record], labelled: Iterable[LabelledAnswer]
) -> tuple[Change, ...]:
    """The labelled answers that are read otherwise: other points, key points, misconceptions or flags."""
    return tuple(
        Change(answer, before.get(answer.id), after[answer.id])
        for answer in labelled
        if answer.id in after and before.get(answer.id) != after[answer.id]
    )


def load_records(path: Path) -> dict[str, Record]:
    """The records that ``save_records`` wrote; none where there is no such file."""
    if not path.is_file():
        return {}
    written = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Record(float(entry["points"]), tuple(entry["found"]), tuple(entry["flags"]))
        for name, entry in written.items()
    }


def save_records(path: Path, found: Mapping[str, Record]) -> None:
    """Write records to compare with later, one answer a line, so that a diff reads well."""
    lines = [
        f"  {json.dumps(name)}: {json.dumps(asdict(record), ensure_ascii=False)}" for name, record in found.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _record(assessment: Assessment) -> Record:
    found = (*assessment.evidence, *assessment.misconceptions, *assessment.boundaries, *assessment.tradeoffs)
    return Record(assessment.points, tuple(dict.fromkeys(quote.id for quote in found)), assessment.flags)
