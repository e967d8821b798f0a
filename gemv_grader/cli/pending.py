"""`gemv-grade pending`: what of a folder of grades waits for a GPU."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option


@click.command()
@click.argument("grades", type=click.Path(path_type=Path))
@lang_option
@click.pass_obj
def pending(session: Session, grades: Path) -> int:
    """哪些成绩在等 GPU / List the grades that wait for a GPU; GRADES is the folder of a batch.

    Exit code: 0 nothing waits, 1 something does, 2 usage.
    """
    from gemv_grader.batch.verify import waiting  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.report.batch_report import pending_lines  # noqa: PLC0415

    found = waiting(grades)
    for line in pending_lines(found, grades, session.lang):
        click.echo(line)
    return 1 if found else 0
