"""`gemv-grade submit`: grade one submission."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import UsageProblem
from gemv_grader.run.device import open_device
from gemv_grader.words import Text


@click.command()
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option("--answers", type=click.Path(path_type=Path, readable=False), help="答卷 / The answers form, filled in.")
@click.option(
    "--exercise",
    "exercise_id",
    help="练习编号（默认从文件内容认出）/ Exercise id (default: told from the file).",
)
@click.option(
    "--rubric",
    type=click.Path(path_type=Path, readable=False),
    help="另一份评分标准 / Another rubric than the exercise's own.",
)
@click.option(
    "--device",
    type=click.Choice(["auto", "gpu", "cpu", "none"]),
    default="auto",
    show_default=True,
    help="在哪里运行；none 只做静态审查 / Where to run; none: static review only.",
)
@click.option(
    "--json",
    "json_path",
    metavar="PATH|-",
    help="把成绩写成 JSON，- 为标准输出 / Write the grade as JSON; - for stdout.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="重现一次评分用的种子 / Seed, to repeat a run.")
@lang_option
@click.pass_obj
def submit(
    session: Session,
    file: Path,
    answers: Path | None,
    exercise_id: str | None,
    rubric: Path | None,
    device: str,
    json_path: str | None,
    seed: int | None,
) -> int:
    """评一份提交 / Grade one submission.

    Exit code: 0 nothing found wrong, 1 something is wrong, 2 usage, 3 rejected, 5 grader fault.
    """
    with open_device(device) as opened:  # type: ignore[arg-type]  # click has checked the choice
        from gemv_grader.pipeline import Request, submit  # noqa: PLC0415 - while the GPU starts

        grade = submit(Request(file, answers, exercise_id, rubric, seed), opened)
        # Shown before the device is closed: the driver takes a tenth of a second to let go of a context.
        if json_path != "-":
            from gemv_grader.report.terminal import console_for, print_grade  # noqa: PLC0415

            print_grade(grade, session.lang, console_for())
        if json_path is not None:
            from gemv_grader.report.json_report import to_json  # noqa: PLC0415

            _write(json_path, to_json(grade, session.lang))
    return grade.exit_code


def _write(target: str, document: str) -> None:
    if target == "-":
        click.echo(document, nl=False)
        return
    try:
        Path(target).write_text(document, encoding="utf-8")
    except OSError as error:
        raise UsageProblem(CANNOT_WRITE.format(path=target, why=error.strerror or error)) from error


CANNOT_WRITE = Text(
    zh="成绩见上，但写不了 {path}：{why}。请换一个 --json 路径再运行一次。",
    en="The grade is above, but {path} cannot be written: {why}. Run again with another path for --json.",
)
