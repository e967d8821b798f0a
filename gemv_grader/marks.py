"""What a person decided about a grade: points, vetoes, comments, each with author and time.

They lie in ``marks.json`` beside the grade and are written by people only, so that grading anew cannot lose them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from gemv_grader.words import Text

Json = dict[str, Any]

FILE = "marks.json"
SCHEMA = 1


@dataclass(frozen=True)
class ItemMark:
    """Points that a person gave for an item; None: only a comment.

    ``machine`` are the points that the tool had suggested then, and ``answer`` is the `digest` of the answer that was
    read, both to tell later whether the grade still says the same.
    """

    author: str
    at: str
    points: float | None = None
    machine: float | None = None
    answer: str | None = None
    comment: str = ""

    @property
    def kind(self) -> Literal["confirmed", "overridden", "comment"]:
        """Whether the person agreed with the tool."""
        if self.points is None:
            return "comment"
        return "confirmed" if self.points == self.machine else "overridden"


@dataclass(frozen=True)
class VetoMark:
    """A veto that a person raised or cleared."""

    author: str
    at: str
    state: Literal["raised", "cleared"]
    comment: str = ""


@dataclass(frozen=True)
class RequirementMark:
    """Whether a person found in the answers what they must name."""

    author: str
    at: str
    state: Literal["met", "unmet"]
    comment: str = ""


@dataclass(frozen=True)
class Marks:
    """All that people decided about one student's grade, by the ids of the rubric.

    ``damage`` says that the file cannot be read: there are decisions, but nobody knows which.
    """

    items: Mapping[str, ItemMark] = field(default_factory=dict)
    vetoes: Mapping[str, VetoMark] = field(default_factory=dict)
    requires: Mapping[str, RequirementMark] = field(default_factory=dict)
    damage: Text | None = None

    def with_item(self, item: str, mark: ItemMark | None) -> Marks:
        """The same with another mark for ``item``, or with none."""
        return replace(self, items=_changed(self.items, item, mark))

    def with_veto(self, veto: str, mark: VetoMark | None) -> Marks:
        """The same with another decision about a veto, or with none."""
        return replace(self, vetoes=_changed(self.vetoes, veto, mark))

    def with_requirement(self, requirement: str, mark: RequirementMark | None) -> Marks:
        """The same with another decision about a requirement, or with none."""
        return replace(self, requires=_changed(self.requires, requirement, mark))


NO_MARKS = Marks()


def digest(answer: str) -> str:
    """Identifies the answer that a mark was given for."""
    return hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()


def to_json(marks: Marks) -> bytes:
    """The content of ``marks.json``."""
    decided = {kind: given for kind, given in asdict(marks).items() if kind != "damage"}
    document = {"schema": SCHEMA, **decided}
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def load_marks(path: Path) -> Marks:
    """The marks in a file, none if it is not there, with ``damage`` if it cannot be read. Never raises.

    What a person decided is not passed over in silence, and costs nobody else their grade.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return NO_MARKS
    except OSError as error:
        return Marks(damage=DAMAGED.format(path=path, why=error.strerror or error))
    try:
        document = json.loads(data)
        if document["schema"] != SCHEMA:
            raise ValueError(f"schema {document['schema']!r}")
        items, vetoes, requires = (document[kind].items() for kind in ("items", "vetoes", "requires"))
        return Marks(
            items={key: _item(value) for key, value in items},
            vetoes={key: VetoMark(**_decision(value, "raised", "cleared")) for key, value in vetoes},
            requires={key: RequirementMark(**_decision(value, "met", "unmet")) for key, value in requires},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Marks(damage=DAMAGED.format(path=path, why=f"{type(error).__name__}: {error}"))


def _changed(marks: Mapping[str, Any], key: str, mark: object | None) -> dict[str, Any]:
    rest = {other: value for other, value in marks.items() if other != key}
    return rest if mark is None else {**rest, key: mark}


def _item(value: Json) -> ItemMark:
    for name in ("points", "machine"):
        if not isinstance(value[name], (int, float, type(None))) or isinstance(value[name], bool):
            raise TypeError(f"{name}: {value[name]!r}")
    return ItemMark(**{**value, **{n: None if value[n] is None else float(value[n]) for n in ("points", "machine")}})


def _decision(value: Json, *states: str) -> Json:
    if value["state"] not in states:
        raise ValueError(f"state {value['state']!r}")
    return value


DAMAGED = Text(
    zh="人工给分文件 {path} 读不了（{why}）。请从备份恢复，或改正它；确定不要了再删掉。",
    en="The marks that a person gave in {path} cannot be read ({why}). "
    "Restore the file from a backup or correct it; delete it only if they are not wanted.",
)
