"""marks.csv: a row for each decision that waits or was made, for people who like spreadsheets.

``points`` and ``comment`` (for vetoes and requirements: ``decision``) are to be filled in; an empty cell changes
nothing. ``seen`` tells on the way back whether a row was edited, and whether somebody else decided meanwhile.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from gemv_grader.batch.sheet import guarded, unguarded
from gemv_grader.batch.store import Record
from gemv_grader.report.plain import printable
from gemv_grader.reviewing.material import material
from gemv_grader.reviewing.places import Place
from gemv_grader.reviewing.queue import Stands, groups_of, part_of, questions_of
from gemv_grader.standing import OTHER_ANSWER, ItemStanding, standing
from gemv_grader.words import Lang

COLUMNS = (
    "key", "name", "item", "title", "possible", "suggested", "state", "points", "decision", "comment",
    "by", "at", "note", "answer", "seen",
)  # fmt: skip
_LONGEST = 32_000  # characters; a spreadsheet's cell holds 32,767
_SHORT = 12

PREFIXES: Mapping[str, str] = {"item": "", "veto": "veto:", "requirement": "requires:"}


@dataclass(frozen=True)
class Cells:
    """What a row says about the decision, as it is written; empty where there is none."""

    points: str = ""
    decision: str = ""
    comment: str = ""


def name_of(place: Place) -> str:
    """A place as the column ``item`` writes it: ``q1``, ``veto:<id>``, ``requires:<id>``."""
    return PREFIXES[place.kind] + place.id


def number(points: float) -> str:
    """Points as a cell holds them."""
    return f"{points:.10g}"


def cells_of(stands: Stands) -> Cells:
    """The decision that stands, as the cells hold it when they come back.

    Points for an answer that was replaced since are left out, so that giving the same again says something.
    """
    if isinstance(stands, ItemStanding):
        points = stands.mark.points if stands.mark is not None else None
        is_given = points is not None and OTHER_ANSWER not in stands.differs
        return Cells(number(points) if points is not None and is_given else "", "", returned(stands.comment))
    return Cells() if stands.mark is None else Cells("", stands.mark.state, returned(stands.mark.comment))


def returned(comment: str) -> str:
    """A comment as it comes back from a spreadsheet: line ends, space around it and odd characters may differ."""
    sound = comment.encode("utf-8", "replace").decode().replace("\0", "")
    return unguarded(guarded("\n".join(sound.splitlines()).strip())).strip()


def digest_of_cells(name: str, cells: Cells) -> str:
    """Tells whether a row is as it was exported."""
    return _short({"item": name, **asdict(cells)})


def digest_of_state(record: Record, place: Place, stands: Stands) -> str:
    """Tells whether the decision, the answer or what the tool makes of it changed since the export."""
    mark = place.mark_in(record.marks)
    told = {
        "key": record.key,
        "item": name_of(place),
        "mark": None if mark is None else asdict(mark),
        "machine": stands.machine,
        "texts": _texts(record, stands),
    }
    return _short(told)


def export(records: Mapping[str, Record], lang: Lang) -> tuple[bytes, int]:
    """The file, and how many rows it has: question after question, each with its students in review order."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    rows = [*_rows(records, lang)]
    writer.writerows([guarded(cells.get(column, "")) for column in COLUMNS] for cells in rows)
    return text.getvalue().encode("utf-8-sig", "replace"), len(rows)  # with the mark by which Excel knows UTF-8


def _rows(records: Mapping[str, Record], lang: Lang) -> Iterator[dict[str, str]]:
    standings = {key: standing(record.grade, record.marks) for key, record in records.items()}
    for question in questions_of(records.values(), standings):
        for group in groups_of(question, records.values(), standings):
            for key in group.keys:
                if (part := part_of(standings[key], question.place)) is not None:
                    yield _row(records[key], question.place, part, lang)


def _row(record: Record, place: Place, part: Stands, lang: Lang) -> dict[str, str]:
    mark, name = place.mark_in(record.marks), name_of(place)
    cells = cells_of(part)
    differs = part.differs if isinstance(part, ItemStanding) else ()
    notes = [difference.say(lang) for difference in differs] or [getattr(part, "reason", "")]
    texts = "\n\n".join(_texts(record, part))
    return {
        "key": record.key,
        "name": record.student.get("name", ""),
        "item": name,
        "title": part.title,
        "possible": number(part.points) if isinstance(part, ItemStanding) else "",
        "suggested": number(part.machine) if isinstance(part, ItemStanding) else part.machine,
        "state": part.state,
        **asdict(cells),
        "by": mark.author if mark is not None else "",
        "at": mark.at if mark is not None else "",
        "note": printable("; ".join(notes)),
        "answer": printable(texts if len(texts) <= _LONGEST else texts[: _LONGEST - 1] + "…"),
        "seen": f"{digest_of_cells(name, cells)}-{digest_of_state(record, place, part)}",
    }


def _texts(record: Record, stands: Stands) -> list[str]:
    section = stands.section if isinstance(stands, ItemStanding) else None
    return [part.text for part in material(record.grade, section)]


def _short(told: Mapping[str, object]) -> str:
    document = json.dumps(told, sort_keys=True).encode()
    return hashlib.sha256(document).hexdigest()[:_SHORT]
