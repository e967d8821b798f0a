"""``gemv-grade hint``: shows one of an exercise's hints, each level giving away more."""

from __future__ import annotations

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.exercise import load_exercise
from gemv_grader.exercise_checks import HINT_LEVELS
from gemv_grader.words import Text


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option(
    "--level",
    type=click.IntRange(1, HINT_LEVELS),
    default=1,
    show_default=True,
    help="概念区域、方向、关键局部、完整答案 / concept area, direction, key part, full answer.",
)
@lang_option
@click.pass_obj
def hint(session: Session, exercise_id: str, level: int) -> None:
    """看一级提示 / Show a hint; each level gives away more."""
    exercise = load_exercise(exercise_id)
    text = exercise.hints[level - 1]
    click.echo(_HINT.format(level=level, levels=HINT_LEVELS, hint=text).say(session.lang))
    if level < HINT_LEVELS:
        click.echo(_MORE.format(id=exercise.id, level=level + 1).say(session.lang))


_HINT = Text(zh="提示 {level}/{levels}  {hint}", en="Hint {level}/{levels}  {hint}")
_MORE = Text(
    zh="还不清楚？gemv-grade hint {id} --level {level}",
    en="Not enough? gemv-grade hint {id} --level {level}",
)
