"""Click's own complaints about a command line, in both languages: click speaks only English."""

from __future__ import annotations

import click

from gemv_grader.words import Text


def complaint(problem: click.ClickException) -> Text:
    """What is wrong with the command line, and which help says how it should be."""
    said = problem.format_message()
    what = _what(problem).format(said=said)
    context = getattr(problem, "ctx", None)
    return WITH_HELP.format(what=what, command=context.command_path) if context is not None else what


def _what(problem: click.ClickException) -> Text:
    if isinstance(problem, click.NoSuchOption):
        return NO_OPTION.format(name=problem.option_name, said="{said}")
    if isinstance(problem, click.MissingParameter):
        return MISSING.format(name=_name(problem), said="{said}")
    if isinstance(problem, click.BadParameter):
        return BAD_VALUE.format(name=_name(problem), said="{said}")
    return WRONG_USE


def _name(problem: click.BadParameter) -> str:
    if problem.param is None:
        return ""
    return problem.param.get_error_hint(problem.ctx) if problem.ctx is not None else problem.param.name or ""


NO_OPTION = Text(zh="没有选项 {name}。（{said}）", en="{said}")
MISSING = Text(zh="缺少参数 {name}。（{said}）", en="{said}")
BAD_VALUE = Text(zh="参数 {name} 的值不对。（{said}）", en="{said}")
WRONG_USE = Text(zh="命令写得不对。（{said}）", en="{said}")
WITH_HELP = Text(zh="{what}\n用法见：{command} -h", en="{what}\nFor help: {command} -h")
