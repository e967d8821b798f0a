"""`gemv-grade verify`: settle on a GPU what a batch could not."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.pages import pages_option, tell_of_pages
from gemv_grader.cli.session import Session, lang_option
from gemv_grader.cli.watching import watching


@click.command()
@click.argument("grades", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(1, 512), help="并行数（默认每核一个）/ Processes (default: one per core).")
@pages_option
@click.option("--scheduler", metavar="ADDRESS", help="Dask 调度器 / Dask scheduler, such as tcp://host:8786.")
@lang_option
@click.pass_obj
def verify(session: Session, grades: Path, jobs: int | None, pages: bool, scheduler: str | None) -> int:
    """在 GPU 上验证待定的成绩 / Run on a GPU what waits for one; GRADES is the folder of a batch, and enough.

    Exit code: 0 all graded, 1 some wait for a person or a GPU, 2 usage, 5 some are the grader's fault.
    """
    from gemv_grader.batch.opening import Hands  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.batch.verify import verify as verify_grades  # noqa: PLC0415
    from gemv_grader.report.batch_report import change_lines, summary_lines  # noqa: PLC0415

    with watching(session.lang) as watcher:
        done = verify_grades(grades, Hands("gpu", jobs, scheduler), session.lang, watcher, pages=pages)
    for line in change_lines(done, session.lang):
        click.echo(line)
    for line in summary_lines(done.summary, grades, session.lang):
        click.echo(line)
    tell_of_pages(done.pages, grades, session)
    return done.exit_code
