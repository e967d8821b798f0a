"""``gemv-grade start``: writes an exercise's scaffold and answers form."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.exercise import load_exercise
from gemv_grader.handout import hand_out
from gemv_grader.words import Text


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.argument("directory", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@lang_option
@click.pass_obj
def start(session: Session, exercise_id: str, directory: Path) -> None:
    """取得骨架和答卷 / Write the scaffold and the answers form into DIR."""
    exercise = load_exercise(exercise_id)
    scaffold, answers = hand_out(exercise, directory)
    command = shlex.join(["gemv-grade", "submit", str(scaffold), "--answers", str(answers)])
    message = _WRITTEN.format(
        scaffold=scaffold, answers=answers, marker=exercise.blank.marker, command=command, id=exercise.id
    )
    click.echo(message.say(session.lang))


_WRITTEN = Text(
    zh="已写入：\n  {scaffold}    填其中唯一的空 {marker}\n  {answers}    写下你的解释和答案\n"
    "完成后：    {command}\n"
    "需要提示：  gemv-grade hint {id} --level 1",
    en="Written:\n  {scaffold}    fill its one blank, {marker}\n  {answers}    your explanation and answers\n"
    "When done:    {command}\n"
    "For a hint:   gemv-grade hint {id} --level 1",
)
