"""A list of a class, as a roster or a gradebook has it, and who on it a submission belongs to.

Header names are those of the platforms and of the lists that offices keep, in Chinese and English. An id decides before
a name does; two rows that fit equally well decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gemv_grader.batch.names import comparable, tokens
from gemv_grader.batch.sheet import Sheet, unguarded

# The kinds of ids that tell students apart, the most reliable first. Columns of students.csv have
# these names.
ID_KINDS = (
    "canvas_id",
    "canvas_anonymous",
    "moodle_id",
    "gradescope_submission",
    "student_id",
    "login",
    "email",
    "github",
)

# Those that tell a submission, not a person: two of one person's differ.
SUBMISSION_KINDS = frozenset({"gradescope_submission"})

# Titles as `_plain` leaves them, without spaces and signs.
_HEADERS = {
    "name": "name fullname studentname student displayname 姓名 名字 学生 学生姓名 全名 氏名",
    "first": "firstname givenname first 名",
    "last": "lastname surname familyname last 姓 姓氏",
    "student_id": "studentid studentnumber sid idnumber sisuserid matriculationnumber studentno uin 学号 学生号 学籍号",
    "login": "login username sisloginid loginid userid netid account uid 用户名 登录名 账号 帐号",
    "email": "email emailaddress mail 邮箱 电子邮件 电子邮箱 邮件 邮箱地址 电子邮件地址",
    "github": "github githubusername githublogin githubuser github用户名",
    "canvas_id": "canvasid canvasuserid",
    "moodle_id": "identifier participant 标识符",
    "group": "group team 小组 组 组别 队伍",
}
_KIND_OF = {title: kind for kind, titles in _HEADERS.items() for title in titles.split()}
# What these mean where no other title says it better.
_VAGUE = {
    "id": "student_id",
    "number": "student_id",
    "编号": "student_id",
    "user": "login",
}  # if nothing says it better
_PERSONAL = ("student_id", "login", "email", "github")  # a person's own, whatever column they were put into
_SINGLE = ("canvas_id", "moodle_id", "student_id")
_SHORTEST_TOKEN = 4
_SHORT_WORD = 2  # letters; as a part of longer names it says nothing


@dataclass(frozen=True)
class Row:
    """One person of the list. ``number`` counts the file's rows from 0."""

    number: int
    name: str
    ids: Mapping[str, str] = field(default_factory=dict)
    group: str = ""


@dataclass(frozen=True)
class Miss:
    """Why no row was found: none fits, several do, or the one with the id has another name."""

    why: Literal["none", "several", "other_name"]
    rows: tuple[Row, ...] = ()


class ClassList:
    """The rows of a class, found by id or by name."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        self._by_id: dict[tuple[str, str], list[Row]] = {}
        self._by_token: dict[str, list[Row]] = {}
        self._by_name: dict[str, list[Row]] = {}
        for row in self.rows:
            for kind, value in row.ids.items():
                self._by_id.setdefault((kind, _same(value)), []).append(row)
            for token in _own_tokens(row.ids):
                self._by_token.setdefault(token, []).append(row)
            for variant in name_variants(row.name):
                self._by_name.setdefault(variant, []).append(row)

    def find(self, name: str, ids: Mapping[str, str], found_as: str = "") -> Row | Miss:
        """The row of a person. ``found_as`` may hold an id somewhere, as in ``张三_2021001``."""
        for kind in ID_KINDS:
            rows = self._by_id.get((kind, _same(ids[kind]))) if kind in ids else None
            if rows:
                agreeing = [row for row in rows if names_agree(name, row.name)]
                return _only(agreeing) if agreeing else Miss("other_name", tuple(rows))
        mentioned = {_same(found_as), *_own_tokens(ids)}
        mentioned |= {_same(token) for token in tokens(found_as) if len(token) >= _SHORTEST_TOKEN}
        if rows := _possible(ids, (row for token in mentioned for row in self._by_token.get(token, ()))):
            return _only(rows)
        names = name_variants(name) | {comparable(token) for token in tokens(found_as)}
        return _only(_possible(ids, (row for variant in names for row in self._by_name.get(variant, ()))))


def class_rows(sheet: Sheet, header: int, kinds: Sequence[str | None]) -> list[Row]:
    """The people below the row ``header``; ``kinds`` says what each column holds. Rows without anyone are left out."""
    rows = []
    for number in range(header + 1, len(sheet.rows)):
        values = dict(_known(kinds, sheet.values(number)))
        name = values.pop("name", "") or _full_name(values.get("first", ""), values.get("last", ""))
        ids = {kind: values[kind] for kind in ID_KINDS if values.get(kind)}
        if name or ids:
            rows.append(Row(number, name, ids, values.get("group", "")))
    return rows


def column_kinds(header: Sequence[str]) -> list[str | None]:
    """What each column of a class list holds by its header, None for other columns; the first of a kind counts."""
    plain = [_plain(title) for title in header]
    kinds: list[str | None] = [None] * len(plain)
    for known in (_KIND_OF, _VAGUE):
        for column, title in enumerate(plain):
            kind = known.get(title)
            if kind is not None and kind not in kinds:
                kinds[column] = kind
    return kinds


def name_variants(name: str) -> frozenset[str]:
    """The ways of writing a name, comparable: "O'Brien, Ann", "Ann O'Brien" and "obrienann" have one in common."""
    parts = name.split(",") if "," in name else name.split()
    turned = ["".join(parts[at:] + parts[:at]) for at in range(len(parts))]
    return frozenset(filter(None, map(comparable, turned)))


def names_agree(one: str, other: str) -> bool:
    """Whether two names may be one person's: a word in common will do. No name agrees with any."""
    if not comparable(one) or not comparable(other) or name_variants(one) & name_variants(other):
        return True
    return _shares_word(one, other) or _shares_word(other, one)


def _shares_word(one: str, other: str) -> bool:
    """Whether a word of ``one`` stands in ``other``, also where ``other`` has lost its spaces."""
    words, joined = tokens(other), comparable(other)
    return any(word in words or (len(word) > _SHORT_WORD and word in joined) for word in tokens(one) if len(word) > 1)


def _known(kinds: Sequence[str | None], values: Sequence[str]) -> Iterable[tuple[str, str]]:
    for kind, value in zip(kinds, values, strict=False):
        text = unguarded(value).strip()
        if kind == "moodle_id":  # "Participant 123", the word in the site's language
            text = digits[-1] if (digits := re.findall(r"\d+", text)) else ""
        if kind and text:
            yield kind, text


def _full_name(first: str, last: str) -> str:
    is_latin = (first + last).isascii()
    return f"{first} {last}".strip() if is_latin else last + first


def _plain(title: str) -> str:
    return re.sub(r"[\s_:：/()（）*.-]+", "", title).casefold()


def _same(value: str) -> str:
    """An id for comparison: spreadsheets drop leading zeros."""
    value = value.casefold()
    return value.lstrip("0") or "0" if value.isdigit() else value


def _own_tokens(ids: Mapping[str, str]) -> set[str]:
    own = {_same(ids[kind]) for kind in _PERSONAL if kind in ids}
    return own | {value.partition("@")[0] for value in own if "@" in value}


def _possible(ids: Mapping[str, str], rows: Iterable[Row]) -> list[Row]:
    """The rows, each once, without those that state another id of a kind of which a person has but one."""
    return [
        row
        for row in {row.number: row for row in rows}.values()
        if all(_same(ids[kind]) == _same(row.ids[kind]) for kind in _SINGLE if kind in ids and kind in row.ids)
    ]


def _only(rows: Sequence[Row]) -> Row | Miss:
    return rows[0] if len(rows) == 1 else Miss("several" if rows else "none", tuple(rows))
