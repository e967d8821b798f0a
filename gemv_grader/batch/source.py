"""Where exercises and rubrics lie, and digests of their files, which tell when a grade is out of date.

Nothing is parsed here: a batch with nothing to do should end before the parsers are even imported.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gemv_grader.errors import UsageProblem
from gemv_grader.paths import data_root, list_exercises
from gemv_grader.submission import read_bytes
from gemv_grader.words import Text

_MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class Source:
    """Where an exercise and its rubric lie: below ``root``, unless ``own_rubric`` names another."""

    root: Path
    exercise_id: str
    own_rubric: Path | None = None

    @property
    def rubric(self) -> Path:
        """The rubric's file."""
        return self.own_rubric or self.root / "rubrics" / f"{self.exercise_id}.yaml"

    @property
    def files(self) -> tuple[Path, ...]:
        """The exercise's files that a grade depends on, what prose is read by among them if there is any."""
        names = ("exercise.yaml", f"{self.exercise_id}.cu", "harness.cu", "answers.md")
        own = tuple(self.root / "exercises" / self.exercise_id / name for name in names)
        prose = (self.root / "rubrics" / f"{self.exercise_id}.{kind}" for kind in ("prose.yaml", "learned.json"))
        return (*own, *(path for path in prose if path.is_file()))

    @cached_property
    def exercise_sha256(self) -> str:
        """Digest of the exercise's files. Raises UsageProblem for one that cannot be read."""
        digests = (f"{path.name} {_sha256(path)}" for path in self.files)
        return hashlib.sha256("\n".join(digests).encode()).hexdigest()

    @cached_property
    def rubric_sha256(self) -> str:
        """Digest of the rubric's file."""
        return _sha256(self.rubric)

    def copy_to(self, root: Path) -> None:
        """Put the files where `Source(root, exercise_id)` finds them. Raises OSError if the disk does not take them."""
        for path in self.files:
            _copy(path, root / path.relative_to(self.root))
        _copy(self.rubric, Source(root, self.exercise_id).rubric)


def sources(exercise_id: str | None, rubric: Path | None) -> tuple[Source, ...]:
    """What to grade by: one exercise, or every one that is installed. Raises UsageProblem."""
    installed = list_exercises()
    if exercise_id is not None and exercise_id not in installed:
        raise UsageProblem(NO_EXERCISE.format(id=exercise_id, known=", ".join(installed)))
    ids = (exercise_id,) if exercise_id else installed
    if rubric is not None and len(ids) > 1:
        raise UsageProblem(WHICH_EXERCISE.format(rubric=rubric, ids=", ".join(ids)))
    return tuple(Source(data_root(), each, rubric) for each in ids)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def _sha256(path: Path) -> str:
    return hashlib.sha256(read_bytes(path, _MAX_BYTES)).hexdigest()


NO_EXERCISE = Text(zh="没有名为“{id}”的练习。现有：{known}。", en='There is no exercise "{id}". There are: {known}.')
WHICH_EXERCISE = Text(
    zh="--rubric {rubric} 只属于一个练习；请用 --exercise 指明是哪个（{ids}）。",
    en="--rubric {rubric} belongs to one exercise; say which with --exercise ({ids}).",
)
