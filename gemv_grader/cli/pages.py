"""`gemv-grade pages`: write the pages of a folder of grades anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.batch.pages import Pages

_SHOWN = 10

pages_option = click.option(
    "--pages/--no-pages", default=True, show_default=True, help="写网页 / Write a page for each student and the class."
)


@click.command()
@click.argument("grades", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(1, 512), help="并行数（默认每核一个）/ Processes (default: one per core).")
@lang_option
@click.pass_obj
def pages(session: Session, grades: Path, jobs: int | None) -> int:
    """重写网页 / Write every page anew, such as after a review; GRADES is the folder of a batch.

    Exit code: 0 all written, 2 usage, 5 some could not be made (listed).
    """
    from gemv_grader.batch.pages import rewrite_pages  # noqa: PLC0415 - once the arguments are right

    done = rewrite_pages(grades, session.lang, jobs)
    tell_of_pages(done, grades, session)
    return done.exit_code


def tell_of_pages(done: Pages, grades: Path, session: Session) -> None:
    """Where the pages are, if any were written, and a line for each that could not be made."""
    from gemv_grader.report.plain import one_line  # noqa: PLC0415

    if done.written:
        click.echo(WRITTEN.format(count=done.written, path=grades / "class.html").say(session.lang))
    if done.failed:
        click.echo(FAILED.format(count=len(done.failed)).say(session.lang))
        for key, why in sorted(done.failed.items())[:_SHOWN]:
            click.echo(f"  {one_line(key, 60)}: {one_line(why, 200)}")


WRITTEN = Text(zh="网页：{path}（写了 {count} 名学生的）", en="pages: {path} (those of {count} students were written)")
FAILED = Text(
    zh="有 {count} 个网页写不出来，这是评分器的问题，成绩不受影响：",
    en="{count} pages could not be made. That is the grader's fault; the grades stand:",
)
