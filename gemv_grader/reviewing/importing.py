"""Takes marks.csv back: everything is verified first, and nothing is written if any row is wrong.

A row that somebody else decided meanwhile, or whose answer changed, is a conflict: reported, and left as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.batch.sheet import Sheet, read_sheet, unguarded
from gemv_grader.batch.store import Record
from gemv_grader.errors import UsageProblem
from gemv_grader.marks import ItemMark
from gemv_grader.reviewing.decisions import (
    REQUIREMENT_STATES,
    VETO_STATES,
    Hand,
    Seen,
    in_range,
    parse_points,
    with_comment,
    with_points,
    with_state,
)
from gemv_grader.reviewing.places import Change, Mark, Place
from gemv_grader.reviewing.queue import Stands, part_of, place_of
from gemv_grader.reviewing.sheet import (
    Cells,
    cells_of,
    digest_of_cells,
    digest_of_state,
    name_of,
    number,
    returned,
)
from gemv_grader.standing import ItemStanding, Standing, standing
from gemv_grader.words import Text

WITHDRAW = "-"
_SHOWN = 20  # wrong rows that are listed


@dataclass(frozen=True)
class Conflict:
    """A row of the file (line from 1) whose decision is not the one that was exported any more."""

    line: int
    key: str
    item: str


@dataclass(frozen=True)
class Import:
    """What a file asks for. ``unchanged`` counts the rows that ask for nothing new."""

    changes: tuple[Change, ...]
    unchanged: int
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True)
class _Row:
    line: int
    record: Record
    place: Place
    stands: Stands
    asked: Cells
    seen: str


def read_import(path: Path, records: Mapping[str, Record], hand: Hand, *, overwrite: bool) -> Import:
    """What the file at ``path`` changes. Raises UsageProblem, with every wrong row, if anything in it is wrong."""
    sheet = read_sheet(path)
    reader = _Reader(sheet, records)
    rows = [*reader.rows()]
    if reader.wrong:
        raise UsageProblem(_refusal(path, reader.wrong))
    changes: list[Change] = []
    conflicts = []
    for row in rows:
        before = row.place.mark_in(row.record.marks)
        if _asks_nothing(row):
            continue
        if not overwrite and not _is_current(row, before):
            conflicts.append(Conflict(row.line, row.record.key, name_of(row.place)))
            continue
        changes.append(Change(row.record.key, row.place, before, _mark(row, hand)))
    return Import(tuple(changes), len(rows) - len(changes) - len(conflicts), tuple(conflicts))


class _Reader:
    """The rows of one file; ``wrong`` collects what is the matter, by line."""

    def __init__(self, sheet: Sheet, records: Mapping[str, Record]) -> None:
        self._sheet, self._records = sheet, records
        self._standings: dict[str, Standing] = {}
        self._zeros = Counter(key.lstrip("0") for key in records if key.isdigit())
        self._padded = {key.lstrip("0"): key for key in records if key.isdigit()}
        self.wrong: list[tuple[int, Text]] = []

    def rows(self) -> Iterator[_Row]:
        header, columns = self._header()
        told: dict[tuple[str, Place], int] = {}
        for number_ in range(header + 1, len(self._sheet.rows)):
            values = self._sheet.values(number_)
            cells = {name: values[at] for name, at in columns.items() if at < len(values)}
            line = self._sheet.line(number_)
            if not any(value.strip() for value in values):
                continue
            plain = {name: unguarded(value).strip() for name, value in cells.items()}
            row = self._row(line, plain)
            if isinstance(row, Text):
                self._refuse(line, plain, row)
            elif (first := told.setdefault((row.record.key, row.place), line)) != line:
                self._refuse(line, plain, TWICE.format(line=first))
            else:
                yield row

    def _refuse(self, line: int, cells: Mapping[str, str], why: Text) -> None:
        """Note that a row is wrong, by its key and item: a spreadsheet shows no lines where answers have several."""
        self.wrong.append((line, WHERE.format(key=cells.get("key", ""), item=cells.get("item", ""), why=why)))

    def _header(self) -> tuple[int, dict[str, int]]:
        for row in range(len(self._sheet.rows)):
            titles = [value.strip().casefold() for value in self._sheet.values(row)]
            if {"key", "item"} <= set(titles):
                return row, {title: titles.index(title) for title in titles if title}
        raise UsageProblem(NO_HEADER.format(path=self._sheet.path))

    def _row(self, line: int, cells: Mapping[str, str]) -> _Row | Text:
        record = self._record(cells["key"]) if "key" in cells else None
        if record is None:
            return UNKNOWN_KEY.format(key=cells.get("key", ""))
        name = returned(record.student.get("name", ""))
        if cells.get("name") and " ".join(cells["name"].split()) != " ".join(name.split()):
            return OTHER_NAME.format(key=record.key, name=cells["name"])
        stands = self._stands(record, cells.get("item", ""))
        if stands is None:
            return UNKNOWN_ITEM.format(item=cells.get("item", ""))
        asked = _asked(stands, cells)
        if isinstance(asked, Text):
            return asked
        return _Row(line, record, place_of(stands), stands, asked, cells.get("seen", ""))

    def _record(self, key: str) -> Record | None:
        """By the key; a spreadsheet may have taken leading zeros off."""
        if key not in self._records and self._zeros[key] == 1:
            key = self._padded[key]
        return self._records.get(key)

    def _stands(self, record: Record, item: str) -> Stands | None:
        stands = self._standings.setdefault(record.key, standing(record.grade, record.marks))
        parts: tuple[Stands, ...] = (*stands.items, *stands.vetoes, *stands.requires)
        place = next((place_of(part) for part in parts if name_of(place_of(part)) == item), None)
        return part_of(stands, place) if place is not None else None


def _asked(stands: Stands, cells: Mapping[str, str]) -> Cells | Text:
    points, decision = cells.get("points", ""), cells.get("decision", "").casefold()
    comment = returned(cells.get("comment", ""))
    if isinstance(stands, ItemStanding):
        if decision:
            return NO_DECISION
        if points in ("", WITHDRAW):
            return Cells(points, "", comment)
        given = parse_points(points)
        if given is None or not in_range(given, stands.points):
            return BAD_POINTS.format(points=points, possible=number(stands.points))
        return Cells(number(given), "", comment)
    states = VETO_STATES if place_of(stands).kind == "veto" else REQUIREMENT_STATES
    if points:
        return NO_POINTS.format(states=" / ".join(states))
    if decision not in ("", WITHDRAW, *states):
        return BAD_DECISION.format(decision=decision, states=" / ".join(states))
    if comment and not decision and stands.mark is None:
        return NEEDS_DECISION.format(states=" / ".join(states))
    return Cells("", decision, comment)


def _asks_nothing(row: _Row) -> bool:
    """Whether the row is as it was exported, or says what stands anyway; an empty cell says nothing."""
    if row.seen.partition("-")[0] == digest_of_cells(name_of(row.place), row.asked):
        return True
    now = cells_of(row.stands)
    pairs = ((row.asked.points, now.points), (row.asked.decision, now.decision), (row.asked.comment, now.comment))
    return all(asked in ("", stands) or (asked == WITHDRAW and not stands) for asked, stands in pairs)


def _is_current(row: _Row, before: Mark | None) -> bool:
    """Whether the decision is still the one that the person saw; a row without `seen` can only add one."""
    _, dash, state = row.seen.partition("-")
    return state == digest_of_state(row.record, row.place, row.stands) if dash else before is None


def _mark(row: _Row, hand: Hand) -> Mark | None:
    asked, stands = row.asked, row.stands
    if isinstance(stands, ItemStanding):
        return _item_mark(Seen(row.record, stands), asked, hand)
    earlier = stands.mark
    comment = _text(asked.comment, earlier.comment if earlier is not None else "")
    state = asked.decision or (earlier.state if earlier is not None else "")
    return None if state == WITHDRAW else with_state(row.place, state, comment, hand)


def _item_mark(seen: Seen, asked: Cells, hand: Hand) -> ItemMark | None:
    comment = _text(asked.comment, seen.item.comment)
    if asked.points in ("", cells_of(seen.item).points):
        return with_comment(seen, comment, hand)
    if asked.points == WITHDRAW:
        return ItemMark(hand.author, hand.at, None, seen.item.machine, seen.answer, comment) if comment else None
    mark = with_points(seen, float(asked.points), hand)
    return ItemMark(mark.author, mark.at, mark.points, mark.machine, mark.answer, comment)


def _text(asked: str, stood: str) -> str:
    if asked == WITHDRAW:
        return ""
    return stood if asked in ("", returned(stood)) else asked


def _refusal(path: Path, wrong: Sequence[tuple[int, Text]]) -> Text:
    listed = [ROW.format(line=line, what=what) for line, what in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        listed.append(MORE.format(count=len(wrong) - _SHOWN))
    said = Text("\n".join(text.zh for text in listed), "\n".join(text.en for text in listed))
    return REFUSED.format(path=path, count=len(wrong), rows=said)


REFUSED = Text(
    zh="{path} 里有 {count} 行不对，什么都没有导入：\n{rows}",
    en="{count} rows of {path} are wrong, so nothing was imported:\n{rows}",
)
ROW = Text(zh="  第 {line} 行：{what}", en="  line {line}: {what}")
WHERE = Text(zh="{key} {item}：{why}", en="{key} {item}: {why}")
MORE = Text(zh="  ……还有 {count} 行", en="  … and {count} more")
NO_HEADER = Text(
    zh="{path} 没有 key、item 两列的表头。请用 gemv-grade review GRADES --export 写出的文件。",
    en="{path} has no header with the columns key and item. Use a file that `review GRADES --export` wrote.",
)
UNKNOWN_KEY = Text(zh="没有学生 key“{key}”", en='no student has the key "{key}"')
OTHER_NAME = Text(
    zh="{key} 不叫“{name}”；是不是只排序了一列？", en='{key} is not "{name}"; was one column sorted alone?'
)
UNKNOWN_ITEM = Text(zh="评分标准里没有“{item}”", en='the rubric has no "{item}"')
TWICE = Text(zh="和第 {line} 行说的是同一件事", en="says something about the same as line {line}")
BAD_POINTS = Text(
    zh="points“{points}”不是 0 到 {possible} 的数", en='points "{points}" is no number from 0 to {possible}'
)
NO_POINTS = Text(
    zh="这一行没有分数；请在 decision 写 {states}", en="this row has no points; write {states} as its decision"
)
NO_DECISION = Text(zh="这一行的 decision 应留空；请写 points", en="this row takes points, and no decision")
BAD_DECISION = Text(zh="decision“{decision}”不是 {states}", en='decision "{decision}" is none of {states}')
NEEDS_DECISION = Text(zh="有意见就要有 decision（{states}）", en="a comment here needs a decision, too ({states})")
