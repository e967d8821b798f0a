"""The command line: each command is a thin module that parses arguments and prints; it decides nothing."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import Any

import click

from gemv_grader import __version__
from gemv_grader.cli.session import Session, default_lang
from gemv_grader.errors import GradeError, GraderFault
from gemv_grader.words import Lang, Text

# Command -> module:function. Loaded on use: `submit` must start nvcc and the runner before anything heavy.
COMMANDS = {
    "submit": "submit:submit",
    "try": "try_:try_",
    "start": "start:start",
    "hint": "hint:hint",
    "list": "list:list_command",
    "doctor": "doctor:doctor",
    "check": "check:check",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when that command is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The commands in the order a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import and return the command, or None for an unknown name."""
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name].split(":")
        command = getattr(importlib.import_module(f"gemv_grader.cli.{module}"), function)
        assert isinstance(command, click.Command)  # noqa: S101 - a wrong table entry is our own mistake
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gemv-grade")
@click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    default=None,
    help="语言 / Language (default: from the locale).",
)
@click.pass_context
def gemv_grade(ctx: click.Context, lang: Lang | None) -> None:
    """给 CUDA 填空练习评分 / Grades CUDA exercises with one blank."""
    ctx.obj = Session(lang=lang or default_lang())


def main(arguments: list[str] | None = None) -> None:
    """Entry point: run a command, and turn every failure into a message and an exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        outcome: Any = gemv_grade.main(arguments, prog_name="gemv-grade", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("\n已中断 / Interrupted.", err=True)
        sys.exit(130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except GradeError as problem:
        _show(problem, arguments)
        sys.exit(problem.exit_code)
    except BrokenPipeError:
        sys.exit(141)
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback reaches a user
        fault = GraderFault(OUR_FAULT.format(error=f"{type(error).__name__}: {error}"))
        _show(fault, arguments)
        sys.exit(fault.exit_code)
    sys.exit(outcome if isinstance(outcome, int) else 0)


OUR_FAULT = Text(
    zh="评分器自身出错（不算学生的错，不记零分）：{error}\n"
    "请把这一行和命令一起报告给维护者；设 GEMV_GRADE_DEBUG=1 可看到细节。",
    en="The grader itself failed (not the student's fault, never a zero): {error}\n"
    "Please report this line with the command; set GEMV_GRADE_DEBUG=1 to see the details.",
)


def _show(problem: GradeError, arguments: list[str]) -> None:
    from gemv_grader.report.plain import printable  # noqa: PLC0415

    lang = _lang_of(arguments)
    click.echo(printable(problem.text.say(lang)), err=True)
    if os.environ.get("GEMV_GRADE_DEBUG"):
        click.echo(traceback.format_exc(), err=True)


def _lang_of(arguments: list[str]) -> Lang:
    """The language asked for, found without click: parsing itself may have failed."""
    for flag, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if flag == "--lang" and value in ("zh", "en"):
            return "zh" if value == "zh" else "en"
        if flag.startswith("--lang="):
            return "zh" if flag.endswith("zh") else "en"
    return default_lang()
