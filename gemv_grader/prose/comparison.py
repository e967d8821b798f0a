"""What a changed rubric makes of the labelled answers of an exercise, beside what was kept of it before.

The answers lie in ``solutions/<id>.labelled.yaml``, out of the students' reach as the solution is, and what the rubric
made of them when a teacher last accepted it in ``solutions/<id>.labelled.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.errors import DataProblem, UsageProblem
from gemv_grader.exercise_checks import repeated, unknown
from gemv_grader.paths import data_root
from gemv_grader.prose.labelled import (
    Change,
    LabelledAnswer,
    LabelledFile,
    Record,
    changes,
    load_records,
    records,
    save_records,
)
from gemv_grader.prose.learned import load_learned, save_learned
from gemv_grader.prose.model import ProseRubric
from gemv_grader.words import Text
from gemv_grader.yamlfile import Problem, read_yaml
from gemv_grader.yamlmodel import parse


@dataclass(frozen=True)
class Comparison:
    """All labelled answers, what the rubric makes of them now and made of them when records were last kept.

    ``before`` is empty where none were kept. ``path`` is where they are kept. ``unlearned``: the second reader learned
    from other answers than these.
    """

    answers: tuple[LabelledAnswer, ...]
    before: Mapping[str, Record]
    after: Mapping[str, Record]
    path: Path
    unlearned: bool

    @property
    def changes(self) -> tuple[Change, ...]:
        """The answers that are read otherwise than before, and those that are new."""
        return changes(self.before, self.after, self.answers)

    def mean_error(self, of: Mapping[str, Record]) -> float | None:
        """How far the points suggested are from those given, on average over the answers that have been kept."""
        errors = [abs(of[a.id].points - a.score) for a in self.answers if a.id in self.before and a.id in of]
        return sum(errors) / len(errors) if errors else None


def compare(rubric: ProseRubric, *, accept: bool = False) -> Comparison | None:
    """Read the exercise's labelled answers by ``rubric``; None where it has none. Raises DataProblem.

    With ``accept`` the second reader learns from them first, and what came of it is kept. Raises UsageProblem where it
    cannot be written.
    """
    path = data_root() / "solutions" / f"{rubric.exercise}.labelled.yaml"
    if not path.is_file():
        return None
    document = read_yaml(path)
    answers = parse(document, LabelledFile).answers
    document.refuse(_problems(answers, rubric))
    kept = path.with_suffix(".json")
    before = _kept(kept)
    if accept:
        with _writing(rubric.learned_path):
            _learn(rubric, answers, document.sha256)
    after = records(rubric, answers)
    if accept:
        with _writing(kept):
            save_records(kept, after)
    return Comparison(answers, before, after, kept, unlearned=_is_unlearned(rubric, document.sha256))


def _learn(rubric: ProseRubric, answers: tuple[LabelledAnswer, ...], digest: str) -> None:
    """Train the second reader where the rubric has one, and keep it beside the rubric. Raises OSError."""
    from gemv_grader.prose.training import train  # noqa: PLC0415 - NumPy, for this alone

    learned = train(answers, {question.section: question.points for question in rubric.questions}, digest)
    if rubric.second_reader is not None and learned is not None:
        save_learned(rubric.learned_path, learned)


def _is_unlearned(rubric: ProseRubric, digest: str) -> bool:
    learned = load_learned(rubric.learned_path) if rubric.second_reader is not None else None
    return rubric.second_reader is not None and (learned is None or learned.answers != digest)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageProblem(CANNOT_KEEP.format(path=path, why=error.strerror or error)) from error


def _kept(path: Path) -> Mapping[str, Record]:
    try:
        return load_records(path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataProblem(DAMAGED.format(path=path)) from error


def _problems(answers: Iterable[LabelledAnswer], rubric: ProseRubric) -> Iterator[Problem]:
    answers = tuple(answers)
    yield from repeated("answers", [answer.id for answer in answers])
    known = {question.section: question.points for question in rubric.questions}
    for i, answer in enumerate(answers):
        if answer.question not in known:
            yield Problem(("answers", i, "question"), *unknown(_QUESTION, answer.question, list(known)))
        elif answer.score > known[answer.question]:
            most = f"{known[answer.question]:g}"
            what = _TOO_MUCH.format(score=f"{answer.score:g}", question=answer.question, most=most)
            yield Problem(("answers", i, "score"), what, _LOWER)


CANNOT_KEEP = Text(
    zh="写不了 {path}：{why}。请检查权限后再用 --accept。",
    en="Cannot write {path}: {why}. Check its permissions and use --accept again.",
)
DAMAGED = Text(
    zh="{path} 已损坏。请删除它，再用 gemv-grade check --accept 重新记录。",
    en="{path} is damaged. Remove it, and let `gemv-grade check --accept` write it anew.",
)
_QUESTION = Text(zh="题目", en="question")
_TOO_MUCH = Text(
    zh="给了 {score} 分，而 {question} 最多 {most} 分", en="{score} points are given, but {question} is worth {most}"
)
_LOWER = Text(zh="请改正", en="correct it")
