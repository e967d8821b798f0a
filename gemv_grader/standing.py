"""How a stored grade stands with what people decided about it: the points that count, and what a pass still needs.

The machine's points stay as they are; a person's are put beside them, and count instead. Where the grade was made anew
since, and now says otherwise than what the person saw, that is told and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gemv_grader.marks import ItemMark, Marks, RequirementMark, VetoMark, digest
from gemv_grader.passing import Part, passing, required_condition, veto_condition
from gemv_grader.words import Lang, Text, Verdict

Json = Mapping[str, Any]


@dataclass(frozen=True)
class ItemStanding:
    """One item. ``state`` is the machine's (earned, lost, pending, to_confirm) or a person's: confirmed, overridden.

    ``counts`` are the points that stand, ``suggested`` those that wait for a person, ``pending`` for a GPU or a person.
    ``machine`` is what the tool gives or suggests now, and ``differs`` says how that departs from what was marked.
    """

    id: str
    title: str
    section: str | None
    points: float
    state: str
    counts: float
    suggested: float
    pending: float
    machine: float
    reason: str
    mark: ItemMark | None
    differs: tuple[Text, ...]

    @property
    def comment(self) -> str:
        """What the person wrote for the student."""
        return self.mark.comment if self.mark is not None else ""

    def explained(self, lang: Lang) -> str:
        """Why it has these points: the tool's reason, or that a person gave them; and the person's comment."""
        by_person = BY_PERSON.say(lang) if self.state in ("confirmed", "overridden") else self.reason
        return f"{by_person}. {self.comment}" if self.comment else by_person


@dataclass(frozen=True)
class VetoStanding:
    """One veto: raised, suspected or cleared, by the person if there is a ``mark``; ``machine`` is the tool's state."""

    id: str
    title: str
    state: str
    machine: str
    reason: str
    mark: VetoMark | None


@dataclass(frozen=True)
class RequirementStanding:
    """Something the answers must name: met, to_confirm or unmet; ``machine`` is the tool's state."""

    id: str
    title: str
    state: str
    machine: str
    mark: RequirementMark | None


@dataclass(frozen=True)
class Standing:
    """A grade with its marks. ``earned`` are the machine's points that stand, ``confirmed`` those a person gave."""

    items: tuple[ItemStanding, ...]
    vetoes: tuple[VetoStanding, ...]
    requires: tuple[RequirementStanding, ...]
    possible: float
    earned: float
    confirmed: float
    suggested: float
    pending: float
    passed: bool | None
    missing: tuple[Text, ...]
    damage: Text | None

    @property
    def total(self) -> float:
        """The points that count so far."""
        return self.earned + self.confirmed

    @property
    def waits_for_person(self) -> bool:
        """Whether a person has still to decide something."""
        return (
            self.damage is not None
            or any(item.state == "to_confirm" or OTHER_ANSWER in item.differs for item in self.items)
            or any(veto.state == "suspected" for veto in self.vetoes)
            or any(requirement.state == "to_confirm" for requirement in self.requires)
        )

    @property
    def differs(self) -> bool:
        """Whether the machine now says otherwise than what a person saw."""
        return any(item.differs for item in self.items)


def standing(grade: Json, marks: Marks) -> Standing:
    """Put a person's marks on a grade, as ``grade.json`` holds it. Raises LookupError, TypeError for what is none."""
    score = grade["score"]
    sections = (grade.get("answers") or {}).get("sections") or {}
    items = tuple(_item(item, marks.items.get(item["id"]), sections) for item in score["items"])
    vetoes = tuple(_veto(veto, marks.vetoes.get(veto["id"])) for veto in score["vetoes"])
    requires = tuple(_requirement(each, marks.requires.get(each["id"])) for each in score.get("requires", ()))
    conditions = [veto_condition(veto.title, veto.state) for veto in vetoes]
    conditions += [
        required_condition(each.title, each.state)
        for each in requires
        if each.state != "unmet" or each.mark is not None  # the tool says so only where nothing is answered
    ]
    unanswered = {item["id"] for item in score["items"] if item.get("unanswered")}
    weighed = passing([_part(item, item.id in unanswered) for item in items], conditions, score.get("passes_at", 0.0))
    by_person = [item for item in items if item.mark is not None and item.mark.points is not None]
    is_fault = grade["verdict"] == Verdict.GRADER_FAULT.value
    return Standing(
        items=items,
        vetoes=vetoes,
        requires=requires,
        possible=score["possible"],
        earned=sum(item.counts for item in items if item not in by_person),
        confirmed=sum(item.counts for item in by_person),
        suggested=sum(item.suggested for item in items),
        pending=sum(item.pending for item in items),
        passed=None if marks.damage or (is_fault and len(by_person) < len(items)) else weighed.passed,
        missing=weighed.missing if marks.damage is None else (marks.damage, *weighed.missing),
        damage=marks.damage,
    )


def _item(item: Json, mark: ItemMark | None, sections: Mapping[str, str]) -> ItemStanding:
    section = item.get("section")
    machine = item["suggested"] if item["state"] == "to_confirm" else item["earned"]
    stands = mark is not None and mark.points is not None
    return ItemStanding(
        id=item["id"],
        title=item.get("title", item["id"]),
        section=section,
        points=item["points"],
        state=mark.kind if mark is not None and stands else item["state"],
        counts=mark.points if mark is not None and mark.points is not None else item["earned"],
        suggested=0.0 if stands else item["suggested"],
        pending=0.0 if stands else item["pending"],
        machine=machine,
        reason=item["reason"],
        mark=mark,
        differs=tuple(_differences(mark, machine, sections.get(section or "", ""))) if mark is not None else (),
    )


def _differences(mark: ItemMark, machine: float, answer: str) -> list[Text]:
    found = []
    if mark.answer is not None and mark.answer != digest(answer):
        found.append(OTHER_ANSWER)
    if mark.machine is not None and mark.machine != machine:
        found.append(OTHER_POINTS.format(now=f"{machine:g}", then=f"{mark.machine:g}"))
    return found


def _veto(veto: Json, mark: VetoMark | None) -> VetoStanding:
    state = mark.state if mark is not None else veto["state"]
    reason = mark.comment if mark is not None and mark.comment else veto["reason"]
    return VetoStanding(veto["id"], veto.get("title", veto["id"]), state, veto["state"], reason, mark)


def _requirement(requirement: Json, mark: RequirementMark | None) -> RequirementStanding:
    state = mark.state if mark is not None else requirement["state"]
    return RequirementStanding(requirement["id"], requirement["title"], state, requirement["state"], mark)


def _part(item: ItemStanding, unanswered: bool) -> Part:
    if item.mark is not None and item.mark.points is not None:
        # Who gives points for an answer says that there is one.
        return Part(item.title, item.counts, item.counts, unanswered and not item.counts)
    possible = item.points if item.state == "to_confirm" else item.counts + item.pending
    return Part(item.title, item.counts, possible, unanswered)


BY_PERSON = Text(zh="人工评阅", en="marked by a person")
OTHER_ANSWER = Text(zh="批阅之后答案变了，请重新看一遍", en="the answer is not the one that was marked; read it again")
OTHER_POINTS = Text(
    zh="批阅时工具建议 {then}，现在是 {now}", en="the tool said {then} when this was marked, and says {now} now"
)
