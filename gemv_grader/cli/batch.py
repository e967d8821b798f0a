"""`gemv-grade batch`: grade a whole class."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemv_grader.cli.options import device_option
from gemv_grader.cli.pages import pages_option, tell_of_pages
from gemv_grader.cli.session import Session, lang_option
from gemv_grader.cli.watching import watching
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.batch.run import Request


_INTERRUPTED = 130  # 128 and the number of the signal


@click.command()
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="成绩文件夹 / The folder of grades; run again, the batch goes on there.",
)
@click.option("--roster", type=click.Path(path_type=Path), help="班级名单 CSV / Roster CSV.")
@click.option(
    "--exercise", "exercise_id", help="练习编号（默认从文件内容认出）/ Exercise id (default: told from each file)."
)
@click.option(
    "--rubric",
    type=click.Path(path_type=Path),
    help="另一份评分标准 / Another rubric than the exercise's own.",
)
@device_option
@click.option("--jobs", type=click.IntRange(1, 512), help="并行数（默认每核一个）/ Processes (default: one per core).")
@click.option(
    "--rerun",
    multiple=True,
    metavar="failed|stale|ID",
    help="重评：评分器故障的、依据已变的、或某个学生 / Grade again: faults, outdated grades, or a student.",
)
@pages_option
@click.option("--scheduler", metavar="ADDRESS", help="Dask 调度器 / Dask scheduler, such as tcp://host:8786.")
@lang_option
@click.pass_obj
def batch(
    session: Session,
    submissions: Path,
    out: Path,
    roster: Path | None,
    exercise_id: str | None,
    rubric: Path | None,
    device: str,
    jobs: int | None,
    rerun: tuple[str, ...],
    pages: bool,
    scheduler: str | None,
) -> int:
    """给整个班评分 / Grade a whole class; SUBMISSIONS is a platform's export, a folder or an archive.

    Exit code: 0 all graded, 1 some wait for a person or a GPU, 2 usage, 5 some are the grader's fault.
    """
    from gemv_grader.batch.opening import Hands  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.batch.plan import parse_rerun  # noqa: PLC0415
    from gemv_grader.batch.run import Request, run_batch  # noqa: PLC0415
    from gemv_grader.report.batch_report import absent_lines, intake_lines, moved_lines, summary_lines  # noqa: PLC0415

    hands = Hands(device, jobs, scheduler)  # type: ignore[arg-type]  # click has checked the choice
    request = Request(submissions, out, session.lang, hands, parse_rerun(rerun), roster, exercise_id, rubric, pages)
    try:
        with watching(session.lang) as watcher:
            done = run_batch(request, watcher)
    except KeyboardInterrupt:
        click.echo(STOPPED.say(session.lang), err=True)
        sys.exit(_INTERRUPTED)
    for line in moved_lines(done.moved, session.lang):
        click.echo(line)
    for line in summary_lines(done.summary, out, session.lang):
        click.echo(line)
    for line in absent_lines(done.summary, done.intake, session.lang):
        click.echo(line)
    for line in intake_lines(done.intake, done.left_out, _intake_arguments(request), session.lang):
        click.echo(line)
    tell_of_pages(done.pages, out, session)
    return done.exit_code


def _intake_arguments(request: Request) -> str:
    """Those by which `gemv-grade intake` shows what the batch took in, ready to be pasted."""
    words = [str(request.source), "--students", str(request.out / "students.csv")]
    return shlex.join([*words, "--roster", str(request.roster)] if request.roster else words)


STOPPED = Text(
    zh="已停止。已评的成绩都在；再运行同一条命令会接着评。",
    en="Stopped. What was graded is saved; the same command goes on from here.",
)
