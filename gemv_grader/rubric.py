"""A rubric: the points each part of an exercise is worth, what vetoes a pass, what the review looks for.

The models mirror ``rubrics/<id>.yaml``; what must agree with the exercise is checked in ``rubric_checks``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from gemv_grader.exercise import Exercise
from gemv_grader.paths import data_root
from gemv_grader.rubric_checks import problems
from gemv_grader.words import Evidence, Severity
from gemv_grader.yamlfile import read_yaml
from gemv_grader.yamlmodel import BilingualText, Id, Model, parse

LockPolicy = Literal["tokens", "exact"]

RuleName = Literal[
    "reads_element",
    "same_index",
    "index_is",
    "no_loop",
    "no_lambda",
    "no_effect_calls",
    "no_double_promotion",
    "no_integer_truncation",
]


class Item(Model):
    """A part of the score: a group of cases, or a section of the answers.

    ``confirm`` says who makes points of what is suggested for a section: a person, or nobody any more (auto).
    """

    id: Id
    kind: Literal["cases", "prose"]
    group: str | None = None
    section: str | None = None
    points: Annotated[float, Field(gt=0)]
    evidence: Annotated[Evidence, Field(strict=False)]
    confirm: Literal["person", "auto"] = "person"
    title: BilingualText


class VetoSpec(Model):
    """Something that fails a submission whatever its points."""

    id: Id
    title: BilingualText


class Requirement(Model):
    """Something that the answers must name for a pass: one of the ``names`` in the exercise's prose rubric."""

    id: Id
    names: Literal["boundaries", "tradeoffs"]
    title: BilingualText


def _for_people(value: object) -> object:
    """The value, if it is a severity that decides no verdict: an error is for the lock and the compiler."""
    if value not in (Severity.INFO, Severity.WARNING):
        raise PydanticCustomError("enum", "no severity of a review", {"expected": "'info' or 'warning'"})
    return value


class RuleSpec(Model):
    """A rule of the static review.

    ``patterns``: C++ expressions in which ``?`` stands for the index, as in ``row_A[?]``. ``of``: the
    reads_element rules whose indices are looked at. ``index``: the expression that they must be. ``raises``:
    the veto that is suspected when the rule finds something although every case passes.
    """

    id: Id
    rule: RuleName
    severity: Annotated[Severity, Field(strict=False), BeforeValidator(_for_people)]
    raises: Id | None = None
    patterns: tuple[str, ...] = ()
    of: tuple[Id, ...] = ()
    index: str | None = None
    message: BilingualText

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that this rule was given."""
        given = {"patterns": self.patterns, "of": self.of, "index": self.index}
        return frozenset(name for name, value in given.items() if value)


class RubricFile(Model):
    """What ``rubrics/<id>.yaml`` holds."""

    exercise: Id
    total: Annotated[float, Field(gt=0)]
    passes_at: Annotated[float, Field(ge=0)]
    lock: LockPolicy = "tokens"
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    vetoes: tuple[VetoSpec, ...]
    requires: tuple[Requirement, ...] = ()
    review: tuple[RuleSpec, ...]


class Rubric(RubricFile):
    """A rubric with the file it came from and the digest of that file's bytes."""

    path: Path
    sha256: str


def load_rubric(exercise: Exercise, path: Path | None = None) -> Rubric:
    """The rubric of ``exercise``, from ``path`` or its own; raises DataProblem with file, line and mend."""
    document = read_yaml(path or data_root() / "rubrics" / f"{exercise.id}.yaml")
    written = parse(document, RubricFile)
    document.refuse(problems(written, exercise))
    fields = {name: getattr(written, name) for name in RubricFile.model_fields}
    return Rubric.model_construct(**fields, path=document.path, sha256=document.sha256)
