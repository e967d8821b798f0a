"""`gemv-grade intake`: show whose submissions lie in a folder or archive, without grading."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text


@click.command()
@click.argument("source", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="班级名单 CSV，找出谁没有交 / Roster CSV: names, ids, and who is missing.",
)
@click.option(
    "--students",
    type=click.Path(path_type=Path),
    help="写出 students.csv，可以修改，下次沿用 / Write students.csv; correct it, and the next run follows it.",
)
@click.option(
    "--attempt",
    type=click.Choice(["newest", "first"]),
    default="newest",
    show_default=True,
    help="交了几次时取哪一次 / Which of several attempts counts.",
)
@click.option("--json", "as_json", is_flag=True, help="输出 JSON / Print JSON.")
@lang_option
@click.pass_obj
def intake(
    session: Session, source: Path, roster: Path | None, students: Path | None, attempt: str, as_json: bool
) -> int:
    """查看一个班交了什么 / Show who handed in what; DIR is a platform's export, a folder or an archive.

    Exit code: 0 all clear, 1 something needs a person (see the list), 2 usage.
    """
    from gemv_grader.batch.intake import save_students, take_in  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.report.intake_report import print_intake, to_json  # noqa: PLC0415
    from gemv_grader.report.terminal import console_for  # noqa: PLC0415

    found = take_in(source, roster, students, attempt)  # type: ignore[arg-type]  # click checked
    if students is not None:
        try:
            students.parent.mkdir(parents=True, exist_ok=True)
            save_students(students, found)
        except OSError as error:
            raise UsageProblem(UNWRITABLE.format(path=students, reason=error.strerror or error)) from error
    if as_json:
        click.echo(to_json(found, session.lang), nl=False)
    else:
        print_intake(found, session.lang, console_for())
    return 0 if found.is_clear else 1


UNWRITABLE = Text(
    zh="{path} 写不了：{reason}。请用 --students 换一个地方。",
    en="{path} cannot be written: {reason}. Name another place with --students.",
)
