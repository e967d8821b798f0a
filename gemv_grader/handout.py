"""Hands an exercise out: the scaffold and the answers form, written where a student wants to work."""

from __future__ import annotations

from pathlib import Path

from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.words import Text


def hand_out(exercise: Exercise, directory: Path) -> tuple[Path, Path]:
    """Write the scaffold and the answers form into ``directory``, making it if need be; return both paths.

    Nothing is ever overwritten: raises UsageProblem, having written neither file, if one of them is there.
    """
    scaffold = directory / f"{exercise.id}.cu"
    answers = directory / "answers.md"
    for path in (scaffold, answers):
        if path.exists() or path.is_symlink():
            raise UsageProblem(_EXISTS.format(path=path, id=exercise.id))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _write_new(scaffold, exercise.scaffold)
        _write_new(answers, exercise.answers_form)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageProblem(_CANNOT_WRITE.format(directory=directory, reason=reason)) from None
    return scaffold, answers


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


_EXISTS = Text(
    zh="{path} 已存在，没有写入任何文件。请先把它改名，或换一个目录：gemv-grade start {id} 目录",
    en="{path} exists, so nothing was written. Rename it, or take another folder: gemv-grade start {id} DIR",
)
_CANNOT_WRITE = Text(
    zh="无法写入 {directory}（{reason}）。请换一个目录。",
    en="Cannot write into {directory} ({reason}). Choose another folder.",
)
