"""A person's marks on a stored grade: which points count, what a pass still needs, what no regrade may lose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stored_grades import grade, stored, student
from trails import ANSWERS, RIGHT, compiled, filled, run, with_answers

from gemv_grader.batch.gradebook import row
from gemv_grader.batch.store import GradeStore, Record
from gemv_grader.errors import DataProblem
from gemv_grader.grade import grade as judged
from gemv_grader.marks import NO_MARKS, ItemMark, Marks, RequirementMark, VetoMark, digest, load_marks, to_json
from gemv_grader.report.json_report import as_dict
from gemv_grader.standing import OTHER_ANSWER, standing

BY = {"author": "Ann", "at": "2026-01-02T03:04:05+00:00"}
MET = {name: RequirementMark(**BY, state="met") for name in ("boundary", "tradeoff")}
SCORED = as_dict(judged(with_answers(run(compiled(filled(RIGHT))))), "en")
"""Three points for the code; four answers of one letter each, to be read by a person."""


def given(**points: float) -> dict[str, ItemMark]:
    machine = {item["id"]: item["suggested"] for item in SCORED["score"]["items"]}
    return {item: ItemMark(**BY, points=value, machine=machine[item]) for item, value in points.items()}


ALL = given(explanation=1.0, q1=2.0, q2=2.0, q3=1.0)


def test_the_machine_alone_leaves_prose_open() -> None:
    stands = standing(SCORED, NO_MARKS)
    assert (stands.total, stands.earned, stands.confirmed) == (3.0, 3.0, 0.0)
    assert stands.passed is SCORED["score"]["passed"]
    assert [text.en for text in stands.missing] == SCORED["score"]["missing"]
    assert stands.waits_for_person


@pytest.mark.parametrize(
    ("marks", "total", "passed"),
    [
        (Marks(ALL, requires=MET), 9.0, True),
        (Marks(ALL), 9.0, None),
        (Marks(ALL, requires=MET | {"boundary": RequirementMark(**BY, state="unmet")}), 9.0, False),
        (Marks(given(explanation=1.0, q1=0.0, q2=2.0, q3=1.5), requires=MET), 7.5, False),
        (Marks(ALL, {"wrong_causal_chain": VetoMark(**BY, state="raised")}, MET), 9.0, False),
        (Marks(given(q1=2.0), requires=MET), 5.0, None),
        (Marks(given(normal=0.0) | ALL, requires=MET), 7.0, False),
    ],
)
def test_what_counts_and_passes(marks: Marks, total: float, passed: bool | None) -> None:
    stands = standing(SCORED, marks)
    assert (stands.total, stands.passed) == (total, passed)
    assert bool(stands.missing) is (passed is not True)


def test_points_are_told_apart() -> None:
    stands = standing(SCORED, Marks(given(q1=2.0) | {"q2": ItemMark("Ann", BY["at"], comment="see me")}))
    states = {item.id: item.state for item in stands.items}
    assert (states["normal"], states["q1"], states["q2"]) == ("earned", "overridden", "to_confirm")
    agreed = standing(SCORED, Marks({"q1": ItemMark(**BY, points=0.0, machine=0.0)}))
    assert {item.id: item.state for item in agreed.items}["q1"] == "confirmed"
    cells = row(Record("k", SCORED, {"name": "x"}, Marks(given(q1=2.0))), stands)
    assert (cells["earned"], cells["confirmed"], cells["total"]) == ("3", "2", "5")


def test_a_person_clears_what_the_tool_suspects() -> None:
    claim = ANSWERS.replace("static review only", "max error = 1.2e-6")
    suspected = as_dict(judged(with_answers(compiled(filled(RIGHT)), claim)), "en")
    unrun = "unrun_claimed_as_measured"
    assert {veto.id: veto.state for veto in standing(suspected, NO_MARKS).vetoes}[unrun] == "suspected"
    cleared = standing(suspected, Marks(vetoes={unrun: VetoMark(**BY, state="cleared", comment="has a log")}))
    veto = next(veto for veto in cleared.vetoes if veto.id == unrun)
    assert (veto.state, veto.machine, veto.reason) == ("cleared", "suspected", "has a log")


def test_a_grade_made_anew_says_where_it_differs() -> None:
    mark = ItemMark(**BY, points=1.5, machine=0.0, answer=digest("B"))
    assert not standing(SCORED, Marks({"q1": mark})).differs
    other = {**SCORED, "answers": {"sections": {"q1": "another answer"}}}
    stands = standing(other, Marks({"q1": replace(mark, machine=1.0)}))
    item = next(item for item in stands.items if item.id == "q1")
    assert (item.counts, item.machine) == (1.5, 0.0)
    assert OTHER_ANSWER in item.differs
    assert "said 1" in item.differs[1].en
    assert stands.waits_for_person, "points for another answer are to be looked at again"


def test_marks_survive_a_new_grade(tmp_path: Path) -> None:
    store = GradeStore(stored(tmp_path, ("ann", grade(3.0), student("Ann"))))
    marks = Marks(given(q1=2.0), {"wrong_causal_chain": VetoMark(**BY, state="raised", comment="因果\n反了")}, MET)
    store.put_marks("ann", marks)
    store.put("ann", grade(5.0), student("Ann"))
    record = store.get("ann")
    assert record is not None
    assert record.marks == marks


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"schema": 2, "items": {}, "vetoes": {}, "requires": {}}',
        to_json(Marks(given(q1=2.0))).replace(b"2.0", b'"two"'),
        to_json(Marks(vetoes={"v": VetoMark(**BY, state="raised")})).replace(b"raised", b"perhaps"),
    ],
)
def test_damaged_marks_are_never_passed_over(tmp_path: Path, damage: bytes) -> None:
    store = GradeStore(stored(tmp_path, ("ann", grade(10.0), student("Ann")), ("bob", grade(10.0), student("Bob"))))
    (tmp_path / "ann" / "marks.json").write_bytes(damage)
    ann, bob = store
    assert ann.marks.damage is not None
    assert "marks.json" in ann.marks.damage.en
    stands = standing(ann.grade, ann.marks)
    assert (stands.passed, stands.waits_for_person, stands.missing[0]) == (None, True, ann.marks.damage)
    assert standing(bob.grade, bob.marks).passed is True, "it costs nobody else anything"
    with pytest.raises(DataProblem, match=r"marks\.json"):
        store.put_marks("ann", Marks(given(q1=2.0)))
    assert (tmp_path / "ann" / "marks.json").read_bytes() == damage
    assert load_marks(tmp_path / "none.json") == NO_MARKS


def test_a_grade_of_ours_that_failed_passes_nobody_and_fails_nobody() -> None:
    document: dict[str, Any] = grade(0.0, "grader_fault")
    assert standing(document, NO_MARKS).passed is None
