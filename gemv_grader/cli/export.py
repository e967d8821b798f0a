"""`gemv-grade export`: write a class's grades in the form that a platform or a tool reads."""

from __future__ import annotations

from pathlib import Path

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

_TARGETS = ("canvas", "moodle", "gradescope", "nbgrader", "junit", "check50", "csv")


@click.command()
@click.argument("grades", metavar="GRADES", type=click.Path(path_type=Path))
@click.option("--to", "target", type=click.Choice(_TARGETS), required=True, help="去哪里 / Where to.")
@click.option(
    "--gradebook",
    type=click.Path(path_type=Path),
    help="平台导出的成绩文件（canvas、moodle）/ The file that Canvas or Moodle exported.",
)
@click.option("--out", type=click.Path(path_type=Path), help="写到哪里（默认在 GRADES 旁边）/ Default: beside GRADES.")
@click.option("--column", metavar="TITLE", help="成绩册里的哪一列 / Which column of the gradebook.")
@click.option("--overwrite", is_flag=True, help="替换成绩册里已有的成绩 / Replace grades that are there already.")
@click.option("--provisional", is_flag=True, help="也给还没定下的分数 / Give out points that are not final, too.")
@click.option("--scale", is_flag=True, help="换算成成绩册的满分 / Convert to the gradebook's maximum.")
@lang_option
@click.pass_obj
def export(
    session: Session,
    grades: Path,
    target: str,
    gradebook: Path | None,
    out: Path | None,
    column: str | None,
    overwrite: bool,
    provisional: bool,
    scale: bool,
) -> int:
    """导出成绩 / Export the grades in GRADES to a platform's own file.

    Exit code: 0 everyone is in it, 1 some are not (listed), 2 usage.
    """
    from gemv_grader.batch.export import Options, export  # noqa: PLC0415 - once the arguments are right
    from gemv_grader.report.plain import one_line  # noqa: PLC0415

    options = Options(session.lang, column, overwrite, provisional, scale)
    exported = export(grades, target, gradebook, options)  # type: ignore[arg-type]  # click checked
    place = out or _beside(grades, target)
    _write(exported.files, place)
    click.echo(WRITTEN.format(done=exported.done, path=place).say(session.lang))
    for note in exported.notes:
        click.echo(note.say(session.lang))
    if exported.left:
        click.echo(LEFT.format(count=len(exported.left)).say(session.lang))
    for who, why in exported.left:
        click.echo(f"  {one_line(who, 100)}  {one_line(why.say(session.lang), 300)}")
    return 1 if exported.left else 0


def _beside(grades: Path, target: str) -> Path:
    suffix = {"canvas": ".csv", "moodle": ".csv", "nbgrader": ".csv", "junit": ".xml"}.get(target, "")
    folder = grades.resolve()
    return folder.with_name(f"{folder.name}.{target}{suffix}")


def _write(files: dict[str, bytes], place: Path) -> None:
    from gemv_grader.batch.files import replace_file  # noqa: PLC0415

    if "" in files and place.is_dir():
        raise UsageProblem(IS_FOLDER.format(path=place))
    try:
        for name, data in files.items():
            path = place / name if name else place
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, data)
    except OSError as error:
        raise UsageProblem(CANNOT_WRITE.format(path=place, why=error.strerror or error)) from error


WRITTEN = Text(zh="已写入 {path}：{done} 人。", en="Written: {path}, {done} students.")
LEFT = Text(zh="没有写入的 {count} 人：", en="Not in it, {count}:")
IS_FOLDER = Text(
    zh="{path} 是文件夹；这种导出是一个文件。请用 --out 给出文件名。",
    en="{path} is a folder, and this export is one file. Name the file with --out.",
)
CANNOT_WRITE = Text(
    zh="写不了 {path}：{why}。请换一个 --out。", en="Cannot write {path}: {why}. Choose another place with --out."
)
