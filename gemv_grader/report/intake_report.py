"""What `intake` prints: a line for each submission, then what is missing, what collides and what was left aside.

On a terminal a table in colour, elsewhere tab-separated lines for other tools.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text as Styled

from gemv_grader.batch.intake.model import Entry, Intake, Student
from gemv_grader.report.plain import one_line
from gemv_grader.words import Lang, Text

_SHOWN = 40  # lines of ignored files on a terminal
_LONGEST = 200  # characters of any one name


def as_dict(intake: Intake, lang: Lang) -> dict[str, Any]:
    """The intake as plain values, for scripts."""
    return {
        "schema": 1,
        "layout": intake.layout,
        "entries": [_entry(entry, lang) for entry in intake.entries],
        "missing": [_student(student) for student in intake.missing],
        "collisions": [
            {"kind": each.kind, "keys": list(each.keys), "text": each.text.say(lang)} for each in intake.collisions
        ],
        "ignored": [{"path": path, "reason": reason.say(lang)} for path, reason in intake.ignored],
    }


def to_json(intake: Intake, lang: Lang) -> str:
    """One JSON document, ending in a newline."""
    document = json.dumps(as_dict(intake, lang), ensure_ascii=False, indent=2) + "\n"
    return document.encode("utf-8", "backslashreplace").decode()


def print_intake(intake: Intake, lang: Lang, console: Console) -> None:
    """Print everything about an intake."""
    if console.is_terminal:
        console.print(_table(intake, lang))
    else:
        for row in (_titles(lang), *(_row(entry, lang) for entry in intake.entries)):
            console.file.write("\t".join(row).rstrip() + "\n")  # rich would make spaces of the tabs
    for line in _remarks(intake, lang, None if not console.is_terminal else _SHOWN):
        console.print(line)


def _entry(entry: Entry, lang: Lang) -> dict[str, Any]:
    return {
        "students": [_student(student) for student in entry.students],
        "program": entry.program.name if entry.program else None,
        "answers": entry.answers.name if entry.answers else None,
        "attempt": entry.attempt,
        "submitted_at": entry.submitted_at,
        "late": entry.late,
        "notes": [note.say(lang) for note in entry.notes],
    }


def _student(student: Student) -> dict[str, Any]:
    return {"key": student.key, "name": student.name, "ids": dict(student.ids)}


def _table(intake: Intake, lang: Lang) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in _titles(lang):
        table.add_column(title, overflow="fold")
    for entry in intake.entries:
        cells = [Styled(cell) for cell in _row(entry, lang)]
        table.add_row(*cells, style=None if entry.program else "yellow")
    return table


def _titles(lang: Lang) -> tuple[str, ...]:
    return tuple(title.say(lang) for title in (KEY, NAME, PROGRAM, ANSWERS, REMARKS))


def _row(entry: Entry, lang: Lang) -> tuple[str, ...]:
    remarks = [LATE.say(lang)] if entry.late else []
    remarks += [*([entry.submitted_at] if entry.submitted_at else []), *(note.say(lang) for note in entry.notes)]
    cells = (
        " + ".join(student.key for student in entry.students),
        " + ".join(student.name for student in entry.students),
        entry.program.name if entry.program else "—",
        entry.answers.name if entry.answers else "—",
        "; ".join(remarks),
    )
    return tuple(one_line(cell, _LONGEST) for cell in cells)


def _remarks(intake: Intake, lang: Lang, limit: int | None) -> Iterator[Styled]:
    found = sum(entry.program is not None for entry in intake.entries)
    yield Styled(SUMMARY.format(layout=intake.layout, found=found, total=len(intake.entries)).say(lang), "bold")
    if intake.missing:
        yield Styled(MISSING.format(count=len(intake.missing)).say(lang), "bold yellow")
        for student in intake.missing:
            yield _indented(" ".join([student.name, *student.ids.values()]))
    if intake.collisions:
        yield Styled(COLLISIONS.format(count=len(intake.collisions)).say(lang), "bold yellow")
        for collision in intake.collisions:
            yield _indented(collision.text.say(lang))
    if intake.ignored:
        yield Styled(IGNORED.format(count=len(intake.ignored)).say(lang), "bold")
        for path, reason in intake.ignored[:limit]:
            yield _indented(f"{one_line(path, _LONGEST)}  {reason.say(lang)}")
        if limit is not None and len(intake.ignored) > limit:
            yield _indented(MORE.format(count=len(intake.ignored) - limit).say(lang))


def _indented(text: str) -> Styled:
    return Styled("  " + one_line(text, 4 * _LONGEST))


KEY = Text(zh="键", en="key")
NAME = Text(zh="学生", en="student")
PROGRAM = Text(zh="程序", en="program")
ANSWERS = Text(zh="答卷", en="answers")
REMARKS = Text(zh="说明", en="remarks")
LATE = Text(zh="迟交", en="late")
SUMMARY = Text(
    zh="布局 {layout}：{total} 份提交，{found} 份有程序。",
    en="Layout {layout}: {total} submissions, {found} with a program.",
)
MISSING = Text(zh="名单上有 {count} 人没有交：", en="{count} of the roster handed nothing in:")
COLLISIONS = Text(zh="需要人看的 {count} 处：", en="{count} things for a person to look at:")
IGNORED = Text(zh="没有采用的 {count} 个文件：", en="{count} files left aside:")
MORE = Text(zh="……还有 {count} 个（--json 列出全部）", en="… and {count} more (--json lists all)")
