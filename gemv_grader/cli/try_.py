"""`gemv-grade try`: the lesson's "try another size", computed beside expected."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.run.device import open_device

_SHOWN = 20


@click.command("try")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option("--shape", required=True, metavar="MxN", help="规模，如 5x77 / The shape, such as 5x77.")
@click.option(
    "--bias",
    type=click.Choice(["present", "none"]),
    default="present",
    show_default=True,
    help="none: nullptr.",
)
@click.option(
    "--data",
    default="signed",
    show_default=True,
    help="数据种类 / Kind of data: signed, ramp, integers, ones …",
)
@click.option("--exercise", "exercise_id", help="练习编号 / Exercise id (default: told from the file).")
@click.option("--device", type=click.Choice(["auto", "gpu", "cpu"]), default="auto", show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="种子 / Seed, to repeat a run.")
@click.option("--all", "show_all", is_flag=True, help="显示每个元素 / Show every element.")
@lang_option
@click.pass_obj
def try_(
    session: Session,
    file: Path,
    shape: str,
    bias: str,
    data: str,
    exercise_id: str | None,
    device: str,
    seed: int | None,
    show_all: bool,
) -> int:
    """换一个规模试试 / Try another size: computed beside expected."""
    from gemv_grader.grade import grade  # noqa: PLC0415 - the parser above must not wait for these
    from gemv_grader.pipeline import Request  # noqa: PLC0415
    from gemv_grader.report.terminal import console_for, print_head  # noqa: PLC0415
    from gemv_grader.report.tryout_report import element_lines, summary  # noqa: PLC0415
    from gemv_grader.tryout import Shape, elements, parse_shape, try_shape  # noqa: PLC0415

    wanted = Shape(parse_shape(shape), ("bias",) if bias == "none" else (), data)
    with open_device(device) as opened:  # type: ignore[arg-type]  # click has checked the choice
        trail = try_shape(Request(file, exercise_id=exercise_id, seed=seed), opened, wanted)
    result = grade(trail)
    if not trail.outcomes:
        print_head(result, session.lang, console_for())
    if trail.seed is None:
        return result.exit_code
    for line in element_lines(elements(trail) if show_all else islice(elements(trail), _SHOWN), session.lang):
        click.echo(line)
    if trail.outcomes:
        click.echo(summary(trail, session.lang))
    return result.exit_code
