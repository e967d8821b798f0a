"""`gemv-grade check`: lint an exercise and its rubric, and prove the case list with its mutants."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.words import Lang, Text


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option(
    "--rubric",
    type=click.Path(path_type=Path, readable=False),
    help="另一份评分标准 / Another rubric than the exercise's own.",
)
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
@lang_option
@click.pass_obj
def check(session: Session, exercise_id: str, rubric: Path | None, device: str, seed: int | None, jobs: int) -> int:
    """检查练习，证明用例 / Check an exercise and prove its cases.

    Exit code: 0 all well, 1 a fill or a case list is at fault, 2 malformed data, 5 grader fault.
    """
    from gemv_grader.exercise import load_exercise  # noqa: PLC0415 - NumPy and more, once the arguments are right
    from gemv_grader.proof import prove  # noqa: PLC0415
    from gemv_grader.report.proof_report import trial_line  # noqa: PLC0415
    from gemv_grader.rubric import load_rubric  # noqa: PLC0415
    from gemv_grader.rubric_patterns import refuse_bad_patterns  # noqa: PLC0415
    from gemv_grader.run.device import open_device  # noqa: PLC0415

    exercise = load_exercise(exercise_id)
    refuse_bad_patterns(load_rubric(exercise, rubric))
    click.echo(LINTED.format(cases=len(exercise.cases)).say(session.lang))
    seed = secrets.randbits(64) if seed is None else seed
    trials = []
    for trial in prove(exercise, lambda: open_device(device), seed, jobs):  # type: ignore[arg-type]  # click checked
        trials.append(trial)
        click.echo(trial_line(trial, session.lang))
    faults = sum(trial.problem is not None for trial in trials)
    ran = all(trial.outcomes for trial in trials if trial.problem is None)
    click.echo(_summary(len(trials), faults, ran, session.lang))
    return 1 if faults else 0


def _summary(count: int, faults: int, ran: bool, lang: Lang) -> str:
    if faults:
        return FAULTS.format(count=count, faults=faults).say(lang)
    return (PROVED if ran else NOT_RUN).format(count=count).say(lang)


LINTED = Text(
    zh="练习和评分标准没有问题（{cases} 个用例）。", en="Exercise and rubric are well formed ({cases} cases)."
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
