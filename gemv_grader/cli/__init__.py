"""The command line: each command is a thin module that parses arguments and prints; it decides nothing."""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
from typing import Any

import click

from gemv_grader import __version__
from gemv_grader.cli.session import Session, default_lang
from gemv_grader.cli.usage import complaint
from gemv_grader.errors import GradeError, GraderFault
from gemv_grader.process import end_in_order
from gemv_grader.words import Lang, Text

# Command -> module:function. Loaded on use: `submit` must start nvcc and the runner before anything heavy.
COMMANDS = {
    "submit": "submit:submit",
    "try": "try_:try_",
    "trace": "trace:trace",
    "start": "start:start",
    "hint": "hint:hint",
    "list": "list:list_command",
    "doctor": "doctor:doctor",
    "intake": "intake:intake",
    "batch": "batch:batch",
    "review": "review:review",
    "pending": "pending:pending",
    "verify": "verify:verify",
    "pages": "pages:pages",
    "export": "export:export",
    "check": "check:check",
}

_SIGPIPE_STATUS = 141  # 128 and the number of the signal


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

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. If its reader left early, the exit code says so, and is no verdict's."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(_SIGPIPE_STATUS) from None


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
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
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: list[str] | None = None) -> None:
    """Entry point: run a command, and turn every failure into a message and an exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    _open_output()
    end_in_order()
    try:
        outcome: Any = gemv_grade.main(arguments, prog_name="gemv-grade", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        click.echo("\n已中断 / Interrupted.", err=True)
        sys.exit(130)
    except click.ClickException as problem:
        _show(complaint(problem), arguments)
        sys.exit(problem.exit_code)
    except GradeError as problem:
        _show(problem.text, arguments)
        sys.exit(problem.exit_code)
    except BrokenPipeError:
        _discard_output()
        sys.exit(_SIGPIPE_STATUS)
    except OSError as error:
        _show(MACHINE.format(error=error), arguments)
        _discard_output()
        sys.exit(GraderFault.exit_code)
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback reaches a user
        _show(OUR_FAULT.format(error=f"{type(error).__name__}: {error}"), arguments)
        sys.exit(GraderFault.exit_code)
    sys.exit(outcome if isinstance(outcome, int) else 0)


def _open_output() -> None:
    """Make stdout take every character, as a question mark where its encoding has none, and be there at all."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open as long as we run
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _discard_output() -> None:
    """Send what is still to be written nowhere: nobody reads it, and Python would complain when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


MACHINE = Text(
    zh="这台机器出了问题（不算学生的错，不记零分）：{error}\n"
    "请检查磁盘空间与权限后重试；gemv-grade doctor 可检查这台机器。",
    en="This machine failed (not the student's fault, never a zero): {error}\n"
    "Check disk space and permissions, and try again; `gemv-grade doctor` looks at the machine.",
)
OUR_FAULT = Text(
    zh="评分器自身出错（不算学生的错，不记零分）：{error}\n"
    "请把这一行和命令一起报告给维护者；设 GEMV_GRADE_DEBUG=1 可看到细节。",
    en="The grader itself failed (not the student's fault, never a zero): {error}\n"
    "Please report this line with the command; set GEMV_GRADE_DEBUG=1 to see the details.",
)


def _show(message: Text, arguments: list[str]) -> None:
    from gemv_grader.report.plain import printable  # noqa: PLC0415

    click.echo(printable(message.say(_lang_of(arguments))), err=True)
    if os.environ.get("GEMV_GRADE_DEBUG"):
        click.echo(traceback.format_exc(), err=True)


def _lang_of(arguments: list[str]) -> Lang:
    """The language asked for, found without click: parsing itself may have failed."""
    for flag, value in zip(arguments, [*arguments[1:], ""], strict=False):
        if flag == "--lang" and value in ("zh", "en"):
            return "zh" if value == "zh" else "en"
        if flag.startswith("--lang="):
            return "zh" if flag.endswith("zh") else "en"
    return default_lang()
