"""Reads the YAML that teachers edit, and says file, line and mend for whatever is wrong with it.

It builds on parser events rather than on a loader: one pass yields values and line numbers in less time,
nesting is bounded, and what only makes YAML surprising is refused: duplicate keys, anchors (so there are no
alias bombs), tags, further documents. Plain scalars follow YAML 1.2's core schema, so ``no`` is a string.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamStartEvent,
)

from gemv_grader.errors import DataProblem
from gemv_grader.files import read_at_most
from gemv_grader.words import Text

Location = tuple[str | int, ...]
"""Where a value lies in a document: the keys and list positions that lead to it."""

MAX_BYTES = 1 << 20
MAX_DEPTH = 32

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?\Z")
_NAMED = {"": None, "~": None, "null": None, "true": True, "false": False}


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a document: where, what, and what to do about it."""

    location: Location
    what: Text
    mend: Text


@dataclass(frozen=True)
class Document:
    """A YAML file as plain values (lists as tuples), with the line of every key and list item."""

    path: Path
    sha256: str
    data: object
    lines: Mapping[Location, int]

    def line_of(self, location: Location) -> int:
        """The line (from 1) of the value at ``location``, or of the nearest value around it that exists."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)

    def problem(self, problems: Iterable[Problem]) -> DataProblem:
        """The error that lists ``problems`` in the order of their lines."""
        ordered = sorted(problems, key=lambda problem: self.line_of(problem.location))
        said = [_at(self.path, self.line_of(p.location), p.what, p.mend) for p in ordered]
        return DataProblem(Text(zh="\n".join(t.zh for t in said), en="\n".join(t.en for t in said)))

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Raise DataProblem if there are any ``problems``."""
        found = tuple(problems)
        if found:
            raise self.problem(found)


def read_yaml(path: Path) -> Document:
    """The document in ``path``; raises DataProblem with file and line for anything that is not plain YAML."""
    data = _read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refusal(path, line, _NOT_UTF8, _SAVE_AS_UTF8) from None
    builder = _Builder(path, YAML(typ="safe").parse(text))
    try:
        value = builder.document()
    except YAMLError as error:
        raise _syntax_problem(path, text, error) from None
    return Document(path, hashlib.sha256(data).hexdigest(), value, builder.lines)


class _Builder:
    """Builds plain values from parser events and notes the line of each."""

    def __init__(self, path: Path, events: Iterator[Event]) -> None:
        self.lines: dict[Location, int] = {}
        self._path = path
        self._events = events

    def document(self) -> object:
        event = next(self._events)
        while isinstance(event, (StreamStartEvent, DocumentStartEvent)):
            event = next(self._events)
        if not isinstance(event, MappingStartEvent):
            raise self._refusal(event, _NOT_A_MAPPING, _WRITE_KEYS)
        value = self._mapping(())
        next(self._events)
        event = next(self._events)
        if isinstance(event, DocumentStartEvent):
            raise self._refusal(event, _SECOND_DOCUMENT, _ONE_DOCUMENT)
        return value

    def _value(self, event: Event, at: Location) -> object:
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise self._refusal(event, _ANCHOR, _WRITE_IT_OUT)
        if getattr(event, "tag", None):
            raise self._refusal(event, _TAG, _REMOVE_TAG)
        if len(at) > MAX_DEPTH:
            raise self._refusal(event, _TOO_DEEP, _FLATTEN)
        if isinstance(event, ScalarEvent):
            return _plain(event.value) if event.implicit[0] else event.value
        return self._mapping(at) if isinstance(event, MappingStartEvent) else self._sequence(at)

    def _mapping(self, at: Location) -> dict[str, object]:
        found: dict[str, object] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            if not isinstance(event, ScalarEvent) or event.anchor or event.tag:
                raise self._refusal(event, _ODD_KEY, _PLAIN_KEY)
            key = event.value
            place = (*at, key)
            if key in found:
                raise self._refusal(event, _DUPLICATE.format(key=key, line=self.lines[place]), _KEEP_ONE)
            self.lines[place] = event.start_mark.line + 1
            found[key] = self._value(next(self._events), place)
        return found

    def _sequence(self, at: Location) -> tuple[object, ...]:
        found: list[object] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            place = (*at, len(found))
            self.lines[place] = event.start_mark.line + 1
            found.append(self._value(event, place))
        return tuple(found)

    def _refusal(self, event: Event, what: Text, mend: Text) -> DataProblem:
        return _refusal(self._path, event.start_mark.line + 1, what, mend)


def _plain(text: str) -> object:
    """A plain scalar's value by the YAML 1.2 core schema, without its odder spellings."""
    if text in _NAMED:
        return _NAMED[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text


def _read_bytes(path: Path) -> bytes:
    try:
        data = read_at_most(path, MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise _refusal(path, None, _UNREADABLE.format(reason=reason), _CHECK_PATH) from None
    if len(data) > MAX_BYTES:
        raise _refusal(path, None, _TOO_BIG, _CHECK_PATH)
    return data


def _syntax_problem(path: Path, text: str, error: YAMLError) -> DataProblem:
    reason = str(error).splitlines()[0]
    line = None
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else None
        reason = error.problem or reason
    elif isinstance(position := getattr(error, "position", None), int):
        line = text.count("\n", 0, position) + 1
    return _refusal(path, line, _SYNTAX.format(reason=reason), _MEND_SYNTAX)


def _refusal(path: Path, line: int | None, what: Text, mend: Text) -> DataProblem:
    return DataProblem(_at(path, line, what, mend))


def _at(path: Path, line: int | None, what: Text, mend: Text) -> Text:
    where = f"{path}:{line}" if line else str(path)
    return Text(zh=f"{where}: {what.zh}；{mend.zh}", en=f"{where}: {what.en}; {mend.en}")


_NOT_UTF8 = Text(zh="文件不是 UTF-8 编码", en="the file is not UTF-8")
_SAVE_AS_UTF8 = Text(zh="请另存为 UTF-8", en="save it as UTF-8")
_NOT_A_MAPPING = Text(zh="文件应由“键: 值”组成", en="the file should consist of `key: value` pairs")
_WRITE_KEYS = Text(zh="请参照现有的练习填写各个键", en="write the keys as an existing exercise does")
_SECOND_DOCUMENT = Text(zh="这里开始了第二个 YAML 文档", en="a second YAML document starts here")
_ONE_DOCUMENT = Text(zh="请删除多余的 `---`", en="remove the extra `---`")
_ANCHOR = Text(zh="不支持锚点与别名（& 和 *）", en="anchors and aliases (& and *) are not supported")
_WRITE_IT_OUT = Text(
    zh="请把值完整写出；若 & 或 * 是文字，请加引号",
    en="write the value out, or quote it if the & or * is text",
)
_TAG = Text(zh="不支持标签（!）", en="tags (!) are not supported")
_REMOVE_TAG = Text(zh="请删除标签；若 ! 是文字，请加引号", en="remove the tag, or quote the value if the ! is text")
_TOO_DEEP = Text(zh=f"嵌套超过 {MAX_DEPTH} 层", en=f"values nest deeper than {MAX_DEPTH} levels")
_FLATTEN = Text(zh="请检查括号与缩进", en="check brackets and indentation")
_ODD_KEY = Text(zh="键应是一个简单的词", en="a key should be a plain word")
_PLAIN_KEY = Text(zh="请改用简单的键，如 `id:`", en="use a plain key such as `id:`")
_DUPLICATE = Text(zh="键“{key}”重复，首次出现在第 {line} 行", en='duplicate key "{key}", first on line {line}')
_KEEP_ONE = Text(zh="请只保留一个", en="keep one of them")
_UNREADABLE = Text(zh="无法读取文件（{reason}）", en="the file cannot be read ({reason})")
_CHECK_PATH = Text(zh="请检查路径", en="check the path")
_TOO_BIG = Text(zh="文件超过 1 MiB，不像是练习数据", en="the file is larger than 1 MiB, which no exercise data is")
_SYNTAX = Text(zh="YAML 语法错误（{reason}）", en="YAML syntax error ({reason})")
_MEND_SYNTAX = Text(
    zh="请检查本行及上一行的缩进、引号与括号；含“: ”或“#”的文字要加引号",
    en="check indentation, quotes and brackets here and just above; quote text that holds `: ` or `#`",
)
