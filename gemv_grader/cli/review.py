"""`gemv-grade review`: a person decides what the tool only suggests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import GraderFault, UsageProblem
from gemv_grader.words import Lang, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gemv_grader.batch.store import Record
    from gemv_grader.reviewing.book import MarkBook


@click.command()
@click.argument("grades", metavar="GRADES", type=click.Path(path_type=Path))
@click.option("--export", "to", metavar="CSV", type=click.Path(path_type=Path), help="写成表格 / Write a spreadsheet.")
@click.option("--import", "source", metavar="CSV", type=click.Path(path_type=Path), help="读回表格 / Take it back.")
@click.option("--overwrite", is_flag=True, help="--import：冲突时以表格为准 / With --import: conflicts go to the file.")
@click.option("--author", metavar="NAME", help="记在谁名下（默认登录名）/ Whose marks (default: the login name).")
@lang_option
@click.pass_obj
def review(
    session: Session, grades: Path, to: Path | None, source: Path | None, overwrite: bool, author: str | None
) -> int:
    """批阅文字题 / Review answers, one question at a time over all students in GRADES; ? shows the keys.

    Exit code: 0 nothing waits for a person any more, 1 something does, 2 usage.
    """
    from gemv_grader.reviewing.opening import open_grades, user_name  # noqa: PLC0415 - once the arguments are right

    if to is not None and source is not None:
        raise UsageProblem(ONE_WAY)
    book, records, damage = open_grades(grades)
    for problem in damage:
        click.echo(LEFT_OUT.format(problem=problem).say(session.lang), err=True)
    by = author or user_name()
    if to is not None:
        return _export(to, records, session.lang)
    if source is not None:
        return _import(source, book, records, by, overwrite=overwrite, lang=session.lang)
    return _look(book, records, by, session.lang)


def _look(book: MarkBook, records: Mapping[str, Record], author: str, lang: Lang) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageProblem(NO_TERMINAL)
    from gemv_grader.reviewing.desk import Desk  # noqa: PLC0415
    from gemv_grader.reviewing.opening import now  # noqa: PLC0415

    desk = Desk(records.values(), book, author, now)
    if not desk.questions:
        click.echo(NOTHING.say(lang))
        return 0
    try:
        from gemv_grader.reviewing.screen.app import ReviewApp  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        raise UsageProblem(NO_TEXTUAL) from None
    app = ReviewApp(desk, lang)
    app.run()
    if app.fault is not None:
        raise app.fault
    # Also after a review that changed nothing: an earlier one may have lost its terminal.
    return _close(book, records, lang)


def _export(to: Path, records: Mapping[str, Record], lang: Lang) -> int:
    from gemv_grader.batch.files import replace_file  # noqa: PLC0415
    from gemv_grader.reviewing.sheet import export  # noqa: PLC0415

    data, rows = export(records, lang)
    try:
        replace_file(to, data)
    except OSError as error:
        raise UsageProblem(CANNOT_WRITE.format(path=to, why=error.strerror or error)) from error
    click.echo(EXPORTED.format(path=to, rows=rows).say(lang))
    return 0


def _import(
    source: Path, book: MarkBook, records: Mapping[str, Record], author: str, *, overwrite: bool, lang: Lang
) -> int:
    from gemv_grader.report.plain import one_line  # noqa: PLC0415
    from gemv_grader.reviewing.decisions import Hand  # noqa: PLC0415
    from gemv_grader.reviewing.importing import read_import  # noqa: PLC0415
    from gemv_grader.reviewing.opening import now  # noqa: PLC0415

    asked = read_import(source, records, Hand(author, now()), overwrite=overwrite)
    outcome = book.save(asked.changes)
    conflicts = [(f"{conflict.line}", conflict.key, conflict.item) for conflict in asked.conflicts]
    conflicts += [("-", change.key, change.place.id) for change in outcome.refused]
    counts = {"set": len(outcome.saved), "unchanged": asked.unchanged, "conflicts": len(conflicts)}
    click.echo(IMPORTED.format(path=source, **counts).say(lang))
    for line, key, item in conflicts:
        click.echo(CONFLICT.format(line=line, key=one_line(key, 100), item=item).say(lang))
    if conflicts:
        click.echo(CONFLICTS_HINT.say(lang))
    code = _close(book, records, lang, changed=bool(outcome.saved))
    if outcome.fault is not None:
        raise GraderFault(outcome.fault)
    return 1 if conflicts else code


def _close(book: MarkBook, records: Mapping[str, Record], lang: Lang, *, changed: bool = True) -> int:
    """Bring the gradebook up to date, and say what still waits."""
    from gemv_grader.standing import standing  # noqa: PLC0415

    if changed and (problem := book.close()) is not None:
        click.echo(problem.say(lang), err=True)
    waiting = sum(
        standing(record.grade, book.folder.store.marks(key)).waits_for_person for key, record in records.items()
    )
    path = book.folder.path
    if book.outdates_pages():
        click.echo(PAGES.format(path=path).say(lang))
    click.echo((WAITING.format(waiting=waiting, path=path) if waiting else DONE.format(path=path)).say(lang))
    return 1 if waiting else 0


LEFT_OUT = Text(zh="不在本次批阅中：{problem}", en="Left out of this review: {problem}")
ONE_WAY = Text(zh="--export 和 --import 只能用一个。", en="Use either --export or --import.")
NO_TERMINAL = Text(
    zh="批阅要在终端里进行。没有终端时可用 --export marks.csv 导出，填好后 --import marks.csv 读回。",
    en="A review needs a terminal. Without one: --export marks.csv, fill it in, then --import marks.csv.",
)
NO_TEXTUAL = Text(
    zh="批阅界面需要 Textual：pip install 'gemv-grade[review]'。也可用 --export / --import 在表格里批阅。",
    en="The review needs Textual: pip install 'gemv-grade[review]'. "
    "Or review in a spreadsheet with --export and --import.",
)
NOTHING = Text(zh="没有要人批阅的内容。", en="There is nothing for a person to review.")
CANNOT_WRITE = Text(zh="写不了 {path}：{why}。请换一个地方。", en="Cannot write {path}: {why}. Choose another place.")
EXPORTED = Text(
    zh="已写入 {path}，{rows} 行。填 points、decision、comment 三列（空格表示不变），再用 --import 读回。",
    en="Written: {path}, {rows} rows. Fill in points, decision, comment (empty: unchanged), then --import it.",
)
IMPORTED = Text(
    zh="{path}：写入 {set} 项，{unchanged} 项不变，{conflicts} 项冲突。",
    en="{path}: {set} marks set, {unchanged} unchanged, {conflicts} conflicts.",
)
CONFLICT = Text(zh="  冲突  第 {line} 行  {key}  {item}", en="  conflict  line {line}  {key}  {item}")
CONFLICTS_HINT = Text(
    zh="这些项在导出之后被改过（别人给了分，或答案、建议变了），没有动。重新导出后再填，或加 --overwrite。",
    en="These changed since the export (another's mark, another answer or suggestion) and were left alone. "
    "Export again, or add --overwrite.",
)
WAITING = Text(
    zh="还有 {waiting} 名学生有内容待人判断；再运行 gemv-grade review {path} 会接着批。",
    en="{waiting} students still wait for a person; `gemv-grade review {path}` goes on from here.",
)
DONE = Text(
    zh="都批完了；{path} 里的 gradebook.csv 已是最新。",
    en="All reviewed; gradebook.csv in {path} is up to date.",
)
PAGES = Text(
    zh="网页还是批阅之前的：gemv-grade pages {path} 会重写。",
    en="The pages are those from before the review: `gemv-grade pages {path}` writes them anew.",
)
