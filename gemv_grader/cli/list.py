"""``gemv-grade list``: the exercises there are."""

from __future__ import annotations

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import DataProblem
from gemv_grader.exercise import load_exercise
from gemv_grader.paths import list_exercises
from gemv_grader.words import Text


@click.command("list")
@lang_option
@click.pass_obj
def list_command(session: Session) -> int:
    """列出所有练习 / List the exercises."""
    sound = [_show(exercise_id, session) for exercise_id in list_exercises()]
    click.echo(_NEXT.say(session.lang))
    return 0 if all(sound) else DataProblem.exit_code


def _show(exercise_id: str, session: Session) -> bool:
    """Print one exercise's line, or what is wrong with its files: a broken exercise hides no other."""
    try:
        exercise = load_exercise(exercise_id)
    except DataProblem as problem:
        click.echo(problem.text.say(session.lang), err=True)
        return False
    line = _LINE.format(id=exercise.id, title=exercise.title, count=len(exercise.cases))
    click.echo(line.say(session.lang))
    return True


_LINE = Text(zh="{id}  {title}（{count} 个用例）", en="{id}  {title} ({count} cases)")
_NEXT = Text(zh="开始做题：gemv-grade start ID 目录", en="To begin: gemv-grade start ID FOLDER")
