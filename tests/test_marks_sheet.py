"""marks.csv out and in: a round trip changes nothing, edits are taken, and nothing wrong or stale is imported."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from classes import book as gradebook
from commands import gemv_grade
from hypothesis import given, settings
from hypothesis import strategies as st
from prose_grades import WRONG_CHAIN, all_marks, answered, book_of, class_of, desk_of

from gemv_grader.errors import UsageProblem
from gemv_grader.marks import ItemMark, RequirementMark, VetoMark, digest
from gemv_grader.reviewing.decisions import Hand
from gemv_grader.reviewing.importing import Import, read_import
from gemv_grader.reviewing.opening import open_grades
from gemv_grader.reviewing.places import Change, Place
from gemv_grader.reviewing.sheet import export

Rows = list[dict[str, str]]
HAND = Hand("Tom", "2026-02-02T00:00:00+00:00")
CLASS = {
    "ada": answered("=1+1", "x1", veto="suspected"),
    "bob": answered("text of Bob's", "x2"),
    "007": answered("another", ""),
}


def exported(folder: Path) -> Rows:
    data, count = export(open_grades(folder)[1], "en")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert len(rows) == count
    return rows


def written(rows: Rows, path: Path, delimiter: str = ",", encoding: str = "utf-8-sig") -> Path:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def imported(folder: Path, path: Path, *, overwrite: bool = False) -> Import:
    book, records, _ = open_grades(folder)
    asked = read_import(path, records, HAND, overwrite=overwrite)
    assert not book.save(asked.changes).refused
    return asked


def of(rows: Rows, key: str, item: str) -> dict[str, str]:
    return next(row for row in rows if (row["key"], row["item"]) == (key, item))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return class_of(tmp_path / "grades", CLASS)


def test_a_row_for_each_decision_that_waits(folder: Path) -> None:
    rows = exported(folder)
    assert {(row["key"], row["item"]) for row in rows} == {
        *((key, "q1") for key in CLASS),
        *((key, "requires:boundary") for key in CLASS),
        ("ada", "q2"),
        ("bob", "q2"),
        ("ada", f"veto:{WRONG_CHAIN}"),
    }
    row = of(rows, "ada", "q1")
    assert (row["possible"], row["suggested"], row["points"], row["state"]) == ("2", "1.5", "", "to_confirm")
    assert row["answer"] == "'=1+1", "no formula of a student's runs in a TA's spreadsheet"


@pytest.mark.parametrize(
    ("delimiter", "encoding", "number"),
    [(",", "utf-8-sig", "0.5"), (";", "utf-8-sig", "0,5"), ("\t", "utf-16", "0.5"), (";", "gb18030", "０，５")],
)
def test_what_was_filled_in_is_taken(folder: Path, delimiter: str, encoding: str, number: str) -> None:
    rows = exported(folder)
    of(rows, "ada", "q1").update(points=number, comment="做得好；good")
    of(rows, "bob", "q2").update(comment="see me")
    of(rows, "ada", f"veto:{WRONG_CHAIN}").update(decision="raised")
    of(rows, "007", "requires:boundary").update(key="7", decision="MET")
    asked = imported(folder, written(rows, folder / "marks.csv", delimiter, encoding))
    assert (len(asked.changes), asked.unchanged, asked.conflicts) == (4, len(rows) - 4, ())
    marks = all_marks(folder)
    by = {"author": HAND.author, "at": HAND.at}
    assert marks["ada"].items == {
        "q1": ItemMark(**by, points=0.5, machine=1.5, answer=digest("=1+1"), comment="做得好；good")
    }
    assert marks["bob"].items["q2"].points is None
    assert marks["ada"].vetoes == {WRONG_CHAIN: VetoMark(**by, state="raised")}
    assert marks["007"].requires == {"boundary": RequirementMark(**by, state="met")}


def test_only_the_columns_that_matter_are_needed(folder: Path) -> None:
    path = folder / "own.csv"
    path.write_text("Item,Key,Points\nq1,bob,2\nveto:unrun,bob,\n", encoding="utf-8")
    assert [change.key for change in imported(folder, path).changes] == ["bob"]
    path.write_text("Item,Key,Points\nq1,bob,1\n", encoding="utf-8")
    assert imported(folder, path).conflicts, "it cannot be told whether the first mark was seen"


def test_minus_withdraws(folder: Path) -> None:
    desk_of(folder).set(Place("veto", "unrun"), "raised", ("ada", "bob"))
    book_of(folder).save([Change("bob", Place("item", "q1"), None, ItemMark("Ann", "then", 1.0, 1.5, None, "hm"))])
    rows = exported(folder)
    of(rows, "bob", "q1").update(points="-")
    of(rows, "ada", "veto:unrun").update(decision="-")
    imported(folder, written(rows, folder / "marks.csv"))
    marks = all_marks(folder)
    assert (marks["bob"].items["q1"].points, marks["bob"].items["q1"].comment) == (None, "hm")
    assert (marks["ada"].vetoes, list(marks["bob"].vetoes)) == ({}, ["unrun"])


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"key": "nobody"}, 'no student has the key "nobody"'),
        ({"item": "q9"}, 'the rubric has no "q9"'),
        ({"name": "BOB"}, "one column sorted alone"),
        ({"points": "2.5"}, "no number from 0 to 2"),
        ({"points": "-1"}, "no number from 0 to 2"),
        ({"points": "two"}, "no number from 0 to 2"),
        ({"points": "nan"}, "no number from 0 to 2"),
        ({"decision": "met"}, "takes points"),
        ({"item": "requires:boundary", "decision": "raised"}, "none of met / unmet"),
        ({"item": "requires:boundary", "points": "1"}, "met / unmet"),
        ({"item": f"veto:{WRONG_CHAIN}"}, "the same as line"),
    ],
)
def test_one_wrong_row_and_nothing_is_imported(folder: Path, edit: dict[str, str], said: str) -> None:
    rows = exported(folder)
    of(rows, "bob", "q1").update(points="1")
    row = of(rows, "ada", "q1")
    if edit.get("item", "").startswith("requires"):
        rows.remove(of(rows, "ada", "requires:boundary"))
    row.update(edit)
    path = written(rows, folder / "marks.csv")
    line = next(n for n, each in enumerate(rows, 2) if each is row)
    other = max(n for n, each in enumerate(rows, 2) if (each["key"], each["item"]) == (row["key"], row["item"]))
    with pytest.raises(UsageProblem) as problem:
        imported(folder, path)
    assert said in problem.value.text.en
    assert f"line {max(line, other)}: {row['key']} {row['item']}: " in problem.value.text.en
    assert all(not marks.items for marks in all_marks(folder).values())


def test_what_changed_meanwhile_is_a_conflict(folder: Path) -> None:
    rows = exported(folder)
    for key in ("ada", "bob", "007"):
        of(rows, key, "q1").update(points="2")
    path = written(rows, folder / "marks.csv")
    theirs = ItemMark("Ann", "then", 1.0, 1.5, digest("text of Bob's"))
    book_of(folder).save([Change("bob", Place("item", "q1"), None, theirs)])
    class_of(folder, {"007": answered("a later answer", "")})
    asked = imported(folder, path)
    assert {(conflict.key, conflict.item) for conflict in asked.conflicts} == {("bob", "q1"), ("007", "q1")}
    marks = all_marks(folder)
    assert (marks["ada"].items["q1"].points, marks["bob"].items["q1"], marks["007"].items) == (2.0, theirs, {})
    assert {change.key for change in imported(folder, path, overwrite=True).changes} == {"bob", "007"}
    assert all_marks(folder)["bob"].items["q1"].points == 2.0


def test_an_unedited_row_never_takes_back_what_another_decided(folder: Path) -> None:
    desk_of(folder).give(0.5)
    path = written(exported(folder), folder / "marks.csv")
    bob = desk_of(folder, "Bob")
    while bob.open_keys():
        bob.step(1)
    assert bob.give(1.5).saved
    before = all_marks(folder)
    assert imported(folder, path, overwrite=True).changes == ()
    assert all_marks(folder) == before


def test_points_for_a_replaced_answer_are_asked_for_again(folder: Path) -> None:
    mark = ItemMark("Ann", "then", 1.0, 1.5, digest("an earlier answer"))
    book_of(folder).save([Change("bob", Place("item", "q1"), None, mark)])
    rows = exported(folder)
    assert (of(rows, "bob", "q1")["points"], of(rows, "bob", "q1")["by"]) == ("", "Ann")
    of(rows, "bob", "q1")["points"] = "1"
    imported(folder, written(rows, folder / "marks.csv"))
    assert all_marks(folder)["bob"].items["q1"].answer == digest("text of Bob's")


COMMENTS = st.text(st.characters(exclude_categories=()), max_size=12)


@settings(max_examples=60, deadline=None)
@given(comment=COMMENTS, points=st.none() | st.integers(0, 20_000).map(lambda n: n / 10_000))
def test_a_round_trip_changes_nothing(comment: str, points: float | None) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = class_of(Path(directory), {"ada": answered("text", "")})
        mark = ItemMark("Ann", "then", points, 1.5, digest("text"), comment)
        book_of(folder).save([Change("ada", Place("item", "q1"), None, mark)])
        before = (folder / "ada" / "marks.json").read_bytes()
        path = folder / "marks.csv"
        path.write_bytes(export(open_grades(folder)[1], "zh")[0])
        asked = imported(folder, path)
        assert (asked.changes, asked.conflicts) == ((), ())
        assert (folder / "ada" / "marks.json").read_bytes() == before


def test_by_command(folder: Path, tmp_path: Path) -> None:
    path, show = tmp_path / "marks.csv", ("review", folder, "--lang", "en")
    done = gemv_grade(*show, "--export", path)
    assert (done.code, "9 rows" in done.out) == (0, True), done.said
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    for row in rows:
        row.update({"points": row["suggested"]} if row["item"].startswith("q") else {"decision": ""})
    ended = gemv_grade(*show, "--author", "Eve", "--import", written(rows, path))
    assert ended.code == 1, "vetoes and requirements wait"
    assert "5 marks set, 4 unchanged, 0 conflicts" in ended.out
    assert {mark.author for marks in all_marks(folder).values() for mark in marks.items.values()} == {"Eve"}
    again = gemv_grade(*show, "--import", path)
    assert "0 marks set, 9 unchanged, 0 conflicts" in again.out, "what is already so is no conflict"


REFUSED: list[tuple[Callable[[Path], tuple[str, ...]], str]] = [
    (lambda folder: (str(folder),), "needs a terminal"),
    (lambda folder: (str(folder), "--export", "a", "--import", "b"), "either --export or --import"),
    (lambda folder: (str(folder / "ada"),), "no grades"),
    (lambda folder: (str(folder), "--import", str(folder / "none.csv")), "none.csv"),
    (lambda folder: (str(folder), "--import", str(folder / "ada" / "grade.json")), "no header"),
    (lambda folder: (str(folder), "--export", str(folder / "no" / "where.csv")), "Cannot write"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_what_cannot_be_done_is_said(folder: Path, arguments: Callable[[Path], tuple[str, ...]], said: str) -> None:
    ended = gemv_grade("review", *arguments(folder), "--lang", "en")
    assert (ended.code, said in ended.err) == (2, True), ended.said


def test_the_gradebook_follows_an_import(tmp_path: Path) -> None:
    graded = answered("text", "")
    stamp = {"program_file": "", "answers_file": "", "exercise_sha256": "", "program_sha256": None}
    extra = {"batch": stamp, "static_review_only": False, "build": None}
    folder = class_of(tmp_path / "grades", {"ada": {**graded, **extra}})
    path = tmp_path / "marks.csv"
    path.write_text("key,item,points\nada,q1,2\n", encoding="utf-8")
    gemv_grade("review", folder, "--import", path)
    assert [(row["confirmed"], row["item:q1"]) for row in gradebook(folder)] == [("2", "2")]
