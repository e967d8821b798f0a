"""YAML as Ruby writes it, as plain dicts, lists and strings: every scalar stays text, so an id keeps its zeros."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from gemv_grader.encoding import decode

_MAX_DEPTH = 64

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"


class UnreadableYaml(Exception):
    """The text is no YAML, or nested beyond reason; says where."""


def read_plain(data: bytes) -> Plain:
    """The first document. Tags are passed over; an alias is the very value that it names. Raises UnreadableYaml."""
    try:
        events = YAML(typ="safe").parse(decode(data).text)
        anchors: dict[str, Plain] = {}
        for event in events:
            if isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent)):
                return _value(event, events, anchors, 0)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise UnreadableYaml(f"line {mark.line + 1}" if mark else str(error)) from None
    return ""


def _value(event: Event, events: Iterator[Event], anchors: dict[str, Plain], depth: int) -> Plain:
    if depth > _MAX_DEPTH:
        raise UnreadableYaml(f"line {event.start_mark.line + 1}")
    if isinstance(event, AliasEvent):
        return anchors.get(event.anchor, "")
    if isinstance(event, ScalarEvent):
        return _named(event.anchor, event.value, anchors)
    if isinstance(event, SequenceStartEvent):
        items: list[Plain] = []
        while not isinstance(item := next(events), SequenceEndEvent):
            items.append(_value(item, events, anchors, depth + 1))
        return _named(event.anchor, items, anchors)
    assert isinstance(event, MappingStartEvent)  # noqa: S101 - the only kind left where a value begins
    pairs: dict[str, Plain] = {}
    while not isinstance(item := next(events), MappingEndEvent):
        key = _value(item, events, anchors, depth + 1)
        pairs[key if isinstance(key, str) else ""] = _value(next(events), events, anchors, depth + 1)
    return _named(event.anchor, pairs, anchors)


def _named(anchor: str | None, value: Plain, anchors: dict[str, Plain]) -> Plain:
    if anchor:
        anchors[anchor] = value
    return value
