"""`gemv-grade check`: lint an exercise and its rubrics, show what a rubric moves, and prove the cases with mutants."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemv_grader.cli.options import rubric_option
from gemv_grader.cli.session import Session, lang_option
from gemv_grader.words import Lang, Text

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.rubric import Rubric


@click.command()
@click.argument("exercise_id", metavar="ID")
@rubric_option
@click.option(
    "--device",
    type=click.Choice(["auto", "gpu", "cpu", "none"]),
    default="auto",
    show_default=True,
    help="在哪里运行 / Where to run; none: lint and compile only.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="种子 / Seed, to repeat a run.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="并行数 / Programs tried at once.",
)
@click.option(
    "--accept",
    is_flag=True,
    help="让第二读者重新学习标注答案，并记录现在的读法，以后与它相比 / Let the second reader learn from the labelled "
    "answers, and keep how they are read now, to compare with later.",
)
@lang_option
@click.pass_obj
def check(
    session: Session, exercise_id: str, rubric: Path | None, device: str, seed: int | None, jobs: int, accept: bool
) -> int:
    """检查练习，证明用例 / Check an exercise and prove its cases.

    Exit code: 0 all well, 1 a fill or a case list is at fault, 2 malformed data, 5 grader fault.
    """
    from gemv_grader.blank_checks import refuse_host_blank  # noqa: PLC0415 - a parser, NumPy and more,
    from gemv_grader.exercise import load_exercise  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.proof import prove  # noqa: PLC0415
    from gemv_grader.report.proof_report import trial_line  # noqa: PLC0415
    from gemv_grader.rubric import load_rubric  # noqa: PLC0415
    from gemv_grader.rubric_patterns import refuse_bad_patterns  # noqa: PLC0415
    from gemv_grader.run.device import open_device  # noqa: PLC0415

    exercise = load_exercise(exercise_id)
    points = load_rubric(exercise, rubric)
    refuse_bad_patterns(points)
    refuse_host_blank(exercise)
    click.echo(LINTED.format(cases=len(exercise.cases)).say(session.lang))
    _check_prose(exercise, points, session.lang, accept=accept)
    seed = secrets.randbits(64) if seed is None else seed
    trials = []
    for trial in prove(exercise, lambda: open_device(device), seed, jobs):  # type: ignore[arg-type]  # click checked
        trials.append(trial)
        click.echo(trial_line(trial, session.lang))
    faults = sum(trial.problem is not None for trial in trials)
    ran = all(trial.outcomes for trial in trials if trial.problem is None)
    click.echo(_summary(len(trials), faults, ran, session.lang))
    return 1 if faults else 0


def _check_prose(exercise: Exercise, rubric: Rubric, lang: Lang, *, accept: bool) -> None:
    """Lint the rubric for prose, if there is one, and show which labelled answers it reads otherwise than before."""
    from gemv_grader.prose.comparison import compare  # noqa: PLC0415
    from gemv_grader.prose.model import load_prose_rubric, prose_rubric_path  # noqa: PLC0415
    from gemv_grader.report.labelled_report import comparison_lines  # noqa: PLC0415

    if not prose_rubric_path(exercise.id).is_file():
        return
    prose = load_prose_rubric(exercise, rubric=rubric)
    click.echo(PROSE.format(questions=len(prose.questions)).say(lang))
    comparison = compare(prose, accept=accept)
    if comparison is None:
        click.echo(UNLABELLED.format(id=exercise.id).say(lang))
        return
    for line in comparison_lines(comparison, lang, accepted=accept):
        click.echo(line)


def _summary(count: int, faults: int, ran: bool, lang: Lang) -> str:
    if faults:
        return FAULTS.format(count=count, faults=faults).say(lang)
    return (PROVED if ran else NOT_RUN).format(count=count).say(lang)


LINTED = Text(
    zh="练习和评分标准没有问题（{cases} 个用例）。", en="Exercise and rubric are well formed ({cases} cases)."
)
PROSE = Text(
    zh="答卷的评分标准没有问题（{questions} 题）。", en="The rubric for prose is well formed ({questions} questions)."
)
UNLABELLED = Text(
    zh="没有标注过的答案（solutions/{id}.labelled.yaml），看不出评分标准的改动影响谁。",
    en="There are no labelled answers (solutions/{id}.labelled.yaml) to show what a change of the rubric moves.",
)
FAULTS = Text(zh="{count} 个填法中有 {faults} 个有问题。", en="{faults} of {count} fills show a problem.")
PROVED = Text(
    zh="{count} 个填法全部符合预期：用例已被证明。",
    en="All {count} fills came out as expected: the case list is proved.",
)
NOT_RUN = Text(
    zh="{count} 个填法都能通过锁定（有 nvcc 时也能编译），但这里没有 GPU，用例还没有被证明。",
    en="All {count} fills pass the lock (and nvcc, where it is installed), but nothing ran: "
    "the case list is not proved without a GPU.",
)
