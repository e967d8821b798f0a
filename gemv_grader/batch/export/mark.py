"""What of a stored grade goes to a platform: points, whether they are final, and words for the student."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gemv_grader.batch.store import Record
from gemv_grader.report import wording
from gemv_grader.standing import ItemStanding, standing
from gemv_grader.standing import Standing as Stands
from gemv_grader.words import Lang, Text, Verdict

Json = Mapping[str, Any]

Standing = Literal["final", "open", "fault"]
"""``open``: a GPU or a person may still change the points. ``fault``: the machine failed, there are no points."""


@dataclass(frozen=True)
class Mark:
    """One student's grade, read for export. Of a group each member has one."""

    key: str
    name: str
    found_as: str
    ids: Mapping[str, str]
    points: float
    possible: float
    standing: Standing
    grade: Json
    student: Json
    stands: Stands

    @property
    def who(self) -> str:
        """Key and name for messages; names may be alike, keys are not."""
        return self.key if self.key == self.name else f"{self.name} ({self.key})"


def mark_of(record: Record) -> Mark:
    """Read a record. Raises LookupError, TypeError or ValueError where it is no grade of schema 1."""
    grade, student = record.grade, record.student
    stands = standing(grade, record.marks)
    return Mark(
        key=record.key,
        name=str(student.get("name") or record.key),
        found_as=str(student.get("found_as") or ""),
        ids={str(kind): str(value) for kind, value in (student.get("ids") or {}).items()},
        points=float(stands.total),
        possible=float(stands.possible),
        standing=_standing(grade, stands),
        grade=grade,
        student=student,
        stands=stands,
    )


def _standing(grade: Json, stands: Stands) -> Standing:
    if grade["verdict"] == "grader_fault" and stands.passed is None:
        return "fault"
    return "open" if stands.pending or stands.suggested or stands.passed is None else "final"


def feedback(mark: Mark, lang: Lang, separator: str = "\n") -> str:
    """Verdict, points of each item with the reason, and vetoes, a line each."""
    verdict = wording.VERDICTS[Verdict(mark.grade["verdict"])]
    total = TOTAL.format(verdict=verdict, points=f"{mark.points:g}", possible=f"{mark.possible:g}")
    lines = [total.say(lang), *mark.grade["reasons"]]
    stands = mark.stands
    lines += [f"{item.title} {_points(item)}/{item.points:g}: {item.explained(lang)}" for item in stands.items]
    vetoes = [veto for veto in stands.vetoes if veto.state != "cleared"]
    lines += [f"{VETOES[veto.state].say(lang)} {veto.title}: {veto.reason}" for veto in vetoes]
    if mark.standing == "open":
        lines.append(NOT_FINAL.say(lang))
    return separator.join(lines)


def _points(item: ItemStanding) -> str:
    """Points that stand, or a dash while they are open: a nought would read like a grade."""
    return "–" if item.state in ("pending", "to_confirm") else f"{item.counts:g}"


TOTAL = Text(zh="{verdict}，{points}/{possible} 分", en="{verdict}, {points}/{possible} points")
VETOES = {"raised": Text(zh="一票否决", en="veto"), "suspected": Text(zh="疑似一票否决", en="suspected veto")}
NOT_FINAL = Text(
    zh="分数还没有最后定下：有的要等 GPU 运行，有的要等人确认。",
    en="These points are not final: some wait for a run on a GPU or for a person.",
)
