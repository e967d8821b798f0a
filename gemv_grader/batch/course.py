"""What a batch grades by: every exercise that a submission may belong to, with its rubric, loaded once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemv_grader.batch.source import Source
from gemv_grader.errors import DataProblem
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.lock import identify
from gemv_grader.rubric import Rubric, load_rubric
from gemv_grader.submission import Submission
from gemv_grader.words import Lang


@dataclass(frozen=True)
class Part:
    """One exercise of the course, ready to grade by."""

    exercise: Exercise
    rubric: Rubric
    exercise_sha256: str


@dataclass(frozen=True)
class Course:
    """All exercises that a submission may belong to, and the language of the grades."""

    parts: tuple[Part, ...]
    lang: Lang

    def part(self, exercise_id: str) -> Part:
        """The part of one exercise."""
        return next(part for part in self.parts if part.exercise.id == exercise_id)

    def part_of(self, submission: Submission) -> Part:
        """The part whose scaffold a submission resembles most."""
        if len(self.parts) == 1:
            return self.parts[0]
        return self.part(identify(submission, [part.exercise for part in self.parts]).id)


def load_course(sources: Sequence[Source], lang: Lang) -> Course:
    """Load every exercise with its rubric; of several, those that load. Raises UsageProblem or DataProblem."""
    loaded = [_load(source) for source in sources]
    parts = tuple(part for part in loaded if isinstance(part, Part))
    problems = [problem for problem in loaded if isinstance(problem, DataProblem)]
    if problems and not parts:
        raise problems[0]
    return Course(parts, lang)


def _load(source: Source) -> Part | DataProblem:
    try:
        exercise = load_exercise(source.exercise_id, source.root)
        return Part(exercise, load_rubric(exercise, source.rubric), source.exercise_sha256)
    except DataProblem as problem:
        return problem
