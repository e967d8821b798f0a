"""`gemv-grade trace`: the lesson's walk-through, printed from a real run on the CPU."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option("--shape", required=True, metavar="MxN", help="规模，如 3x1024 / The shape, such as 3x1024.")
@click.option("--block", type=click.IntRange(min=0), default=0, show_default=True, help="跟踪哪个 block / Which block.")
@click.option("--threads", default="0,1,31,32,255", show_default=True, help="显示哪些线程 / Which threads to show.")
@click.option("--bias", type=click.Choice(["present", "none"]), default="present", show_default=True)
@click.option(
    "--data", default="ramp", show_default=True, help="数据种类 / Kind of data: ramp, signed, integers, ones …"
)
@click.option(
    "--file", type=click.Path(path_type=Path), help="用你的填法（默认用正确的）/ Your own fill (default: a right one)."
)
@lang_option
@click.pass_obj
def trace(
    session: Session,
    exercise_id: str,
    shape: str,
    block: int,
    threads: str,
    bias: str,
    data: str,
    file: Path | None,
) -> None:
    """逐步跟踪一个 block / Follow one block step by step: reads, partial sums, reduction, write."""
    from gemv_grader.exercise import load_exercise  # noqa: PLC0415 - the parser above must not wait for these
    from gemv_grader.run.cpu.trace import tell  # noqa: PLC0415
    from gemv_grader.tracing import fill_to_trace, trace_block  # noqa: PLC0415
    from gemv_grader.tryout import Shape, parse_shape  # noqa: PLC0415

    exercise = load_exercise(exercise_id)
    wanted = Shape(parse_shape(shape), ("bias",) if bias == "none" else (), data)
    numbers = _numbers(threads)
    story = trace_block(exercise, fill_to_trace(exercise, file), wanted, block)
    for line in tell(story, numbers):
        click.echo(line.say(session.lang))


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise UsageProblem(NOT_NUMBERS.format(text=text)) from None


NOT_NUMBERS = Text(
    zh="看不懂线程号“{text}”：请写成 0,1,255 这样。", en='"{text}" are no thread numbers: write them like 0,1,255.'
)
