"""What the answers to an exercise should say: the models behind ``rubrics/<id>.prose.yaml``.

A *concept* is a list of phrasings. A *link* joins a cause to an effect. A *key point* is worth points and is made
by any of its links; a *misconception* is a wrong link, and raises a veto.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from gemv_grader.encoding import decode
from gemv_grader.exercise import Exercise
from gemv_grader.paths import data_root
from gemv_grader.prose.matching import Concept, Phrasings, Vocabulary
from gemv_grader.prose.model_checks import problems
from gemv_grader.prose.phrases import parse_phrases
from gemv_grader.rubric import Rubric
from gemv_grader.words import Text
from gemv_grader.yamlfile import read_yaml
from gemv_grader.yamlmodel import BilingualText, Id, Model, parse

# What reasoning without any accepted link is found for, beside the misconceptions that a rubric lists.
READS_LIKE_WRONG = "reads_like_wrong"


def _listed(value: object) -> object:
    """One name stands for a list of one; a list of phrasings for a concept without exceptions."""
    return (value,) if isinstance(value, str) else value


def _concept(value: object) -> object:
    return {"says": value} if isinstance(value, (str, tuple)) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class ConceptSpec(Model):
    """Phrasings of a notion; ``unless``: phrasings that give a match another meaning when they touch it."""

    says: Names
    unless: Names = ()


class LinkSpec(Model):
    """A cause joined to an effect, each any of the named concepts (``not name`` where it must be denied).

    Without ``effect`` the cause's phrasings already hold the whole link. ``subject``: what the text around it must
    be about, or with ``not`` must not. ``about``: a concept that must be near; ``unless``: one that must not be in
    those sentences. ``within``: how far cause and effect may stand apart: in one sentence, nearby (also in the next,
    if a connective joins them), or anywhere in the answer.
    """

    cause: Names
    effect: Names = ()
    subject: str | None = None
    about: Names = ()
    unless: Names = ()
    within: Literal["sentence", "nearby", "answer"] = "nearby"


class KeyPoint(Model):
    """Something the answer should explain. ``supporting`` ones count only beside one that is not.

    Of the key points with the same ``one_of`` only the best counts. ``named`` takes the links of the boundaries or
    the trade-offs instead of its own.
    """

    id: Id
    title: BilingualText
    points: Annotated[float, Field(gt=0)]
    supporting: bool = False
    one_of: Id | None = None
    links: tuple[LinkSpec, ...] = ()
    named: Literal["boundaries", "tradeoffs"] | None = None


class Named(Model):
    """A boundary of correctness or a trade-off, of which the lesson asks at least one each."""

    id: Id
    title: BilingualText
    links: Annotated[tuple[LinkSpec, ...], Field(min_length=1)]


class Misconception(Model):
    """A wrong chain of causes: what is wrong about it, how it reads, and the veto it raises.

    ``sections``: only where these are asked; everywhere without it. ``together``: only if all of its links are made.
    """

    id: Id
    title: BilingualText
    raises: Id | None = None
    sections: tuple[Id, ...] = ()
    together: bool = False
    links: Annotated[tuple[LinkSpec, ...], Field(min_length=1)]


class QuestionSpec(Model):
    """One question: its section, what it is worth, its key points, and the words of the question itself."""

    section: Id
    points: Annotated[float, Field(gt=0)]
    asked: tuple[str, ...] = ()
    key_points: Annotated[tuple[KeyPoint, ...], Field(min_length=1)]


class Reasoned(Model):
    """The ``share`` of the points that reasoning gets whatever its words, in so many ``statements`` and ``words``.

    ``unlinked``: also without any key point.
    """

    share: Annotated[float, Field(ge=0, le=1)]
    statements: Annotated[int, Field(ge=1)]
    words: Annotated[int, Field(ge=1)]
    unlinked: bool = False


class SecondReader(Model):
    """How much what marked answers teach counts beside the links.

    ``share``: of the suggested points. ``suspects``: the doubt at which it suspects a wrong chain by itself;
    ``suspects_short`` that for answers of fewer than ``short`` words, which more often say little than wrong things.
    ``upholds``: the doubt from which it does not speak against a misconception found. ``lists_terms``: from where on it
    takes an answer for a list of terms. ``raises`` is the veto.
    """

    share: Annotated[float, Field(ge=0, le=1)]
    suspects: Annotated[float, Field(ge=0, le=1)]
    suspects_short: Annotated[float, Field(ge=0, le=1)]
    short: Annotated[int, Field(ge=0)]
    lists_terms: Annotated[float, Field(ge=0, le=1)]
    upholds: Annotated[float, Field(ge=0, le=1)]
    raises: Id
    title: BilingualText


class ProseFile(Model):
    """What ``rubrics/<id>.prose.yaml`` holds.

    ``references`` name files beside the solutions that answers are compared with, to find copies.
    """

    exercise: Id
    step: Annotated[float, Field(gt=0)]
    terms_share: Annotated[float, Field(ge=0, le=1)]
    terms_needed: Annotated[int, Field(ge=1)]
    reasoned: tuple[Reasoned, ...] = ()
    second_reader: SecondReader | None = None
    references: tuple[str, ...] = ()
    subjects: tuple[Id, ...] = ()
    doubts: Id | None = None
    contrasts: Id | None = None
    concepts: dict[str, Annotated[ConceptSpec, BeforeValidator(_concept)]]
    questions: Annotated[tuple[QuestionSpec, ...], Field(min_length=1)]
    boundaries: tuple[Named, ...] = ()
    tradeoffs: tuple[Named, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()


class ProseRubric(ProseFile):
    """A prose rubric with the file it came from and the digest of that file's bytes."""

    path: Path
    sha256: str

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The concepts, their phrasings parsed."""
        return Vocabulary(
            {
                name: Concept(Phrasings(parse_phrases(spec.says)), Phrasings(parse_phrases(spec.unless)))
                for name, spec in self.concepts.items()
            }
        )

    def question(self, section: str) -> QuestionSpec | None:
        """The question that ``section`` answers, None where the section is not assessed."""
        return next((question for question in self.questions if question.section == section), None)

    def title_of(self, found: str) -> Text | None:
        """What a quote's id stands for: the title of a key point, boundary, trade-off or misconception."""
        return self._titles.get(found)

    @cached_property
    def _titles(self) -> Mapping[str, Text]:
        points = [point for question in self.questions for point in question.key_points]
        titles = {point.id: point.title for point in points}
        titles |= {named.id: named.title for named in (*self.boundaries, *self.tradeoffs)}
        titles |= {wrong.id: wrong.title for wrong in self.misconceptions}
        second = self.second_reader
        return titles if second is None else titles | {READS_LIKE_WRONG: second.title}

    @property
    def learned_path(self) -> Path:
        """Where what marked answers teach is kept, beside the rubric."""
        return self.path.with_name(f"{self.exercise}.learned.json")

    def named(self, kind: str) -> Mapping[str, Named]:
        """The boundaries or the trade-offs by id."""
        return {named.id: named for named in (self.boundaries if kind == "boundaries" else self.tradeoffs)}


def load_prose_rubric(exercise: Exercise, path: Path | None = None, rubric: Rubric | None = None) -> ProseRubric:
    """The prose rubric of ``exercise``, from ``path`` or its own; raises DataProblem with file, line and mend.

    With ``rubric``, its items and vetoes must agree with what is asked and raised here.
    """
    document = read_yaml(path or prose_rubric_path(exercise.id))
    written = parse(document, ProseFile)
    document.refuse(problems(written, exercise, rubric))
    fields = {name: getattr(written, name) for name in ProseFile.model_fields}
    return ProseRubric(**fields, path=document.path, sha256=document.sha256)


def reference_texts(rubric: ProseRubric) -> tuple[str, ...]:
    """The texts that answers should not repeat; those left out of the installation are skipped."""
    files = (data_root() / "solutions" / name for name in rubric.references)
    return tuple(decode(file.read_bytes()).text for file in files if file.is_file())


def prose_rubric_path(exercise_id: str) -> Path:
    """Where the prose rubric of an exercise lies if it has one."""
    return data_root() / "rubrics" / f"{exercise_id}.prose.yaml"
