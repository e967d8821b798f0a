"""Fills Moodle's offline grading worksheet: grade and feedback comments, in a file of any language.

Moodle skips rows whose grade changed on the site after the download, by their "Last modified" cell; so that stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

from gemv_grader.batch.classlist import ClassList, Row, class_rows, column_kinds
from gemv_grader.batch.export.exported import Exported, Options, unfit
from gemv_grader.batch.export.gradebook import Book, filled, number
from gemv_grader.batch.export.mark import Mark, feedback
from gemv_grader.batch.sheet import Sheet
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

_GRADE = frozenset({
    "grade", "成绩", "分数", "成績", "評分", "評点", "評定", "bewertung", "note", "cijfer", "calificación", "nota",
    "voto", "qualificació", "valutazione", "оценка", "ocena", "betyg", "karakter", "arvosana",
})  # fmt: skip
_FEEDBACK = frozenset({
    "feedback comments", "反馈意见", "反馈评论", "评语反馈", "回饋意見", "feedback als kommentar", "commentaires",
    "feedback par commentaires", "comentarios de retroalimentación", "feedback als opmerkingen", "commenti",
    "feedback-opmerkingen", "отзыв в виде комментария", "フィードバックコメント", "comentários de feedback",
})  # fmt: skip
_CHANGEABLE = frozenset({
    "grade can be changed", "允许更改成绩", "可以更改成绩", "bewertung kann geändert werden", "nota pode ser alterada",
    "la note peut être modifiée", "cijfer kan gewijzigd worden", "la calificación se puede cambiar",
})  # fmt: skip
_NO = frozenset({"no", "否", "nein", "non", "nee", "нет", "いいえ", "não", "nie", "nej"})


def export(sheet: Sheet, marks: Sequence[Mark], options: Options) -> Exported:
    """The worksheet with the marks. Raises UsageProblem if it is no such file or the grade's column is not clear."""
    header = [title.strip() for title in sheet.values(0)]
    if not _has_participants(sheet):
        raise UsageProblem(NOT_MOODLE.format(path=sheet.path))
    maximum = _maximum_column(sheet)
    grade = _grade_column(header, maximum, options.column)
    largest = max((mark.possible for mark in marks), default=0.0)
    stated = {value for row in range(1, len(sheet.rows)) if (value := _number(sheet, row, maximum)) is not None}
    if stated and stated != {largest} and not options.scale:
        raise unfit(f"{largest:g}", ", ".join(f"{value:g}" for value in sorted(stated)))
    kinds = ["moodle_id", *column_kinds(header)[1:]]
    people = class_rows(sheet, 0, kinds)
    changeable = _find(header, _CHANGEABLE)
    book = Book(
        sheet=sheet,
        people=ClassList(people),
        grade=grade,
        feedback=_find(header, _FEEDBACK),
        maximum=lambda row: _number(sheet, row, maximum),
        closed=lambda row: LOCKED if _text(sheet, row, changeable).casefold() in _NO else None,
        grouped=_groups(people),
    )
    exported = filled(book, marks, options, lambda mark: _as_html(mark, options))
    if book.feedback is None:
        exported.notes.append(NO_FEEDBACK)
    return exported


def _as_html(mark: Mark, options: Options) -> str:
    """Moodle takes feedback for HTML: what students wrote must stay text there."""
    return "<br>".join(html.escape(line, quote=False) for line in feedback(mark, options.lang).split("\n"))


def _has_participants(sheet: Sheet) -> bool:
    rows = range(1, len(sheet.rows))
    named = [row for row in rows if re.fullmatch(r"\D*\d+", _text(sheet, row, 0))]
    filled_rows = [row for row in rows if any(cell.value for cell in sheet.rows[row])]
    return bool(named) and len(named) == len(filled_rows) and len(sheet.rows[0]) > 3


def _maximum_column(sheet: Sheet) -> int | None:
    """The column that states the maximum: the same positive number in every row, whatever its title."""
    for column in range(1, len(sheet.rows[0])):
        values = {_text(sheet, row, column) for row in range(1, len(sheet.rows)) if len(sheet.rows[row]) > 1}
        if len(values) == 1 and (number(values.pop()) or 0) > 0 and _is_grade_before(sheet, column):
            return column
    return None


def _is_grade_before(sheet: Sheet, column: int) -> bool:
    """Whether the column before holds grades, or nothing yet."""
    before = [_text(sheet, row, column - 1) for row in range(1, len(sheet.rows))]
    return all(text in ("", "-") or number(text) is not None for text in before)


def _grade_column(header: Sequence[str], maximum: int | None, wanted: str | None) -> int:
    if wanted is not None:
        if wanted in header:
            return header.index(wanted)
    elif (known := _find(header, _GRADE)) is not None:
        return known
    elif maximum is not None:
        return maximum - 1
    raise UsageProblem(WHICH.format(columns="\n".join(f"  {title}" for title in header)))


def _find(header: Sequence[str], titles: frozenset[str]) -> int | None:
    return next((at for at, title in enumerate(header) if title.casefold() in titles), None)


def _groups(people: Sequence[Row]) -> Mapping[str, Sequence[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in people:
        if row.group:
            groups.setdefault(row.group, []).append(row)
    return groups


def _number(sheet: Sheet, row: int, column: int | None) -> float | None:
    return number(_text(sheet, row, column))


def _text(sheet: Sheet, row: int, column: int | None) -> str:
    cells = sheet.rows[row]
    return cells[column].value.strip() if column is not None and column < len(cells) else ""


NOT_MOODLE = Text(
    zh="{path} 不是 Moodle 的离线评分表（第一列应是“Participant 123”这样的标识符）。"
    "请在作业的“查看所有提交”里选“下载评分表”。",
    en="{path} is no Moodle grading worksheet: its first column should hold identifiers such as “Participant 123”. "
    "Choose “Download grading worksheet” on the assignment's page of all submissions.",
)
WHICH = Text(
    zh="不清楚哪一列是成绩。请用 --column 写明其中一个：\n{columns}",
    en="Which column holds the grade is not clear. Name one of these with --column:\n{columns}",
)
LOCKED = Text(zh="在 Moodle 里成绩已锁定，没有改动", en="the grade is locked on Moodle; not touched")
NO_FEEDBACK = Text(
    zh="这个评分表没有评语列，只填了成绩",
    en="this worksheet has no column for feedback comments; only grades were filled in",
)
