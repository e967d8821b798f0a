"""`gemv-grade submit`: grade one submission."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click

from gemv_grader.cli.options import device_option, rubric_option
from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import UsageProblem
from gemv_grader.receipt_file import Receipts
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
@rubric_option
@device_option
@click.option(
    "--json",
    "json_path",
    metavar="PATH|-",
    help="把成绩写成 JSON，- 为标准输出 / Write the grade as JSON; - for stdout.",
)
@click.option(
    "--receipt",
    type=click.Path(path_type=Path, readable=False),
    metavar="PATH|none",
    help="答卷所说的运行的凭据；默认读写程序旁的 .receipt.json，none 不读也不写 / The receipt of the run that "
    "the answers tell of. Default: the .receipt.json beside FILE, which each run writes anew; none: no receipt.",
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
    receipt: Path | None,
    seed: int | None,
) -> int:
    """评一份提交 / Grade one submission.

    Exit code: 0 nothing found wrong, 1 something is wrong, 2 usage, 3 rejected, 5 grader fault.
    """
    receipts = Receipts(file, receipt)
    _remove_stale(json_path, (file, answers, rubric, receipts.path))
    with open_device(device) as opened:  # type: ignore[arg-type]  # click has checked the choice
        from gemv_grader.pipeline import Request, submit  # noqa: PLC0415 - while the GPU starts

        grade = submit(Request(file, answers, exercise_id, rubric, seed, receipts.read()), opened)
        # Shown before the device is closed: the driver takes a tenth of a second to let go of a context.
        if json_path != "-":
            from gemv_grader.report.terminal import console_for, print_grade  # noqa: PLC0415

            print_grade(grade, session.lang, console_for())
        if json_path is not None:
            from gemv_grader.report.json_report import to_json  # noqa: PLC0415

            _write(json_path, to_json(grade, session.lang))
        if (note := receipts.write(grade)) is not None:
            from gemv_grader.report.plain import printable  # noqa: PLC0415

            click.echo(printable(note.say(session.lang)), err=True)
    return grade.exit_code


def _remove_stale(target: str | None, inputs: tuple[Path | None, ...]) -> None:
    """Remove an earlier grade at ``target``: should this run fail, nobody takes that for its result."""
    if target is None or target == "-":
        return
    path = Path(target)
    for given in inputs:
        with contextlib.suppress(OSError):
            if given is not None and path.samefile(given):
                raise UsageProblem(OVERWRITES.format(path=target))
    with contextlib.suppress(OSError):  # an unwritable place is reported when there is something to write
        if _replaceable(path):
            path.resolve().unlink()


def _replaceable(path: Path) -> bool:
    """Whether ``path`` is a file of its own: no pipe or device, and not where our output goes (/dev/stdout)."""
    if not path.is_file():
        return False
    for stream in (1, 2):
        with contextlib.suppress(OSError):  # a closed stream
            if os.path.samestat(path.stat(), os.fstat(stream)):
                return False
    return True


def _write(target: str, document: str) -> None:
    # What of a file's name is not UTF-8 becomes a JSON escape.
    data = document.encode("utf-8", "backslashreplace")
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _write_file(Path(target), data)
    except OSError as error:
        raise UsageProblem(CANNOT_WRITE.format(path=target, why=error.strerror or error)) from error


def _write_file(path: Path, data: bytes) -> None:
    """Write ``path`` in one step: a reader sees all of it or none. A pipe or a device is written to as it is."""
    if path.exists() and not _replaceable(path):
        sys.stdout.flush()
        path.write_bytes(data)
        return
    path = path.resolve()
    new = path.with_name(f".gemv-grade-{os.getpid()}.json")
    try:
        with new.open("xb") as file:
            file.write(data)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


OVERWRITES = Text(
    zh="--json {path} 会覆盖要评的文件。请换一个路径。",
    en="--json {path} would overwrite a file to be graded. Give another path.",
)
CANNOT_WRITE = Text(
    zh="成绩见上，但写不了 {path}：{why}。请换一个 --json 路径再运行一次。",
    en="The grade is above, but {path} cannot be written: {why}. Run again with another path for --json.",
)
