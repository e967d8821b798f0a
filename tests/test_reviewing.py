"""The review without its screen: who is asked about, in which order, what a decision saves, and how it is undone."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from commands import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from prose_grades import WRONG_CHAIN, Json, all_marks, answered, book_of, class_of, desk_of
from trails import ANSWERS, EXERCISE, RIGHT, RUBRIC, compiled, filled, run, with_answers

from gemv_grader.batch.folder import Folder
from gemv_grader.grade import grade as judged
from gemv_grader.marks import ItemMark, Marks, digest
from gemv_grader.prose.reading import read_all
from gemv_grader.report.json_report import as_dict
from gemv_grader.reviewing.book import Outcome
from gemv_grader.reviewing.decisions import parse_points
from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.material import material, stretches
from gemv_grader.reviewing.places import Change, Place
from gemv_grader.reviewing.scale import read_scale
from gemv_grader.reviewing.screen.entry import ChoiceEntry, PointsEntry
from gemv_grader.standing import OTHER_ANSWER, ItemStanding, standing

Q1, VETO = Place("item", "q1"), Place("veto", WRONG_CHAIN)
SAME = {"ada": answered("one text", "x1"), "bob": answered("one  text", "x2"), "cid": answered("another", "x3")}


def where(desk: Desk) -> tuple[str, tuple[str, ...]]:
    return desk.question.place.id, desk.group.keys


def test_questions_come_in_the_rubrics_order_and_only_where_a_person_is_needed(tmp_path: Path) -> None:
    graded = {"ada": answered("a", "b", veto="suspected"), "bob": answered("c", "")}
    desk = desk_of(class_of(tmp_path, graded))
    assert [question.place.id for question in desk.questions] == ["q1", "q2", WRONG_CHAIN, "boundary"]
    assert [desk.progress(n).students for n in range(4)] == [2, 1, 1, 2]
    assert desk.questions[0].title == "Question q1"


def test_equal_answers_are_one_decision(tmp_path: Path) -> None:
    desk = desk_of(class_of(tmp_path, SAME))
    assert sorted(group.keys for group in desk.groups) == [("ada", "bob"), ("cid",)]
    while desk.group.keys != ("ada", "bob"):
        desk.step(1)
    assert {change.key for change in desk.give(0.5).saved} == {"ada", "bob"}
    marks = all_marks(tmp_path)
    assert marks["ada"].items["q1"] == ItemMark("Ann", "2026-01-02T03:04:05+00:00", 0.5, 1.5, digest("one text"))
    assert marks["bob"].items["q1"].answer == digest("one  text"), "of each the own text"
    assert (desk.progress().decided, desk.progress().students) == (2, 3)
    assert marks["cid"] == Marks()


def test_the_order_is_shuffled_but_the_same_for_everyone(tmp_path: Path) -> None:
    texts = {f"s{n:02}": answered(f"answer {n}", f"answer {n}") for n in range(30)}
    desk = desk_of(class_of(tmp_path, texts))
    order = [group.keys for group in desk.groups]
    assert order == [group.keys for group in desk_of(tmp_path, "Bob").groups]
    assert order != sorted(order)
    desk.turn(1)
    assert [group.keys for group in desk.groups] != order, "nobody is last in every question"


def test_a_pause_resumes_at_what_is_open(tmp_path: Path) -> None:
    first = desk_of(class_of(tmp_path, SAME))
    start = where(first)
    first.accept()
    assert first.next_open()
    second = desk_of(tmp_path, "Bob")
    assert where(second) == where(first) != start
    seen = set()
    while second.open_keys():
        seen.add(where(second))
        assert second.question.place.kind != "item" or second.accept().saved
        if second.question.place.kind != "item":
            second.decide("met")
        second.next_open()
    assert len(seen) == 8 - 1, "two groups of q1, three of q2, and nobody names a boundary; one was decided"
    assert not any(
        standing(g, m).waits_for_person for g, m in zip(SAME.values(), all_marks(tmp_path).values(), strict=True)
    )
    assert desk_of(tmp_path).open_keys() == ()


def test_skipped_answers_come_back_last(tmp_path: Path) -> None:
    desk = desk_of(class_of(tmp_path, SAME))
    skipped = where(desk)
    desk.next_open()
    assert where(desk) != skipped
    desk.accept()
    desk.next_open()
    assert where(desk) == skipped
    desk.next_open()
    assert desk.question.place.id == "q2", "skipped again, it waits until the other questions are done"


def test_points_out_of_range_are_refused(tmp_path: Path) -> None:
    desk = desk_of(class_of(tmp_path, SAME))
    for points in (-0.5, 2.25, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="of 2"):
            desk.give(points)
    assert all(not marks.items for marks in all_marks(tmp_path).values())


def test_a_comment_keeps_points_and_points_keep_the_comment(tmp_path: Path) -> None:
    desk = desk_of(class_of(tmp_path, {"ada": answered("text", "")}))
    desk.comment("why?")
    mark = all_marks(tmp_path)["ada"].items["q1"]
    assert (mark.points, mark.comment, mark.kind) == (None, "why?", "comment")
    assert desk.open_keys() == ("ada",), "a comment decides nothing"
    desk.give(1.0)
    mark = all_marks(tmp_path)["ada"].items["q1"]
    assert (mark.points, mark.comment, mark.kind) == (1.0, "why?", "overridden")
    desk.comment("")
    mark = all_marks(tmp_path)["ada"].items["q1"]
    assert (mark.points, mark.machine, mark.comment) == (1.0, 1.5, "")


def test_a_late_twin_does_not_change_what_was_decided(tmp_path: Path) -> None:
    desk_of(class_of(tmp_path, {"ada": answered("text", "")})).give(0.0)
    desk = desk_of(class_of(tmp_path, {"bob": answered("text", "")}))
    assert desk.group.keys == ("ada", "bob")
    assert desk.open_keys() == ("bob",)
    desk.give(2.0)
    assert [marks.items["q1"].points for marks in all_marks(tmp_path).values()] == [0.0, 2.0]
    desk.give(1.0)
    assert [marks.items["q1"].points for marks in all_marks(tmp_path).values()] == [1.0, 1.0], "changed for all"


def test_another_answer_is_to_be_read_again(tmp_path: Path) -> None:
    desk_of(class_of(tmp_path, {"ada": answered("text", "")})).accept()
    class_of(tmp_path, {"ada": answered("better text", "", (2.0, 0.0))})
    desk = desk_of(tmp_path)
    part = desk.part("ada")
    assert isinstance(part, ItemStanding)
    assert OTHER_ANSWER in part.differs
    desk.turn(1)
    assert desk.next_differing()
    assert desk.question.place == Q1
    assert desk.open_keys() == ("ada",)
    desk.accept()
    assert desk.open_keys() == ()
    assert all_marks(tmp_path)["ada"].items["q1"].points == 2.0
    assert not desk.next_differing()


def test_vetoes_and_requirements(tmp_path: Path) -> None:
    desk = desk_of(class_of(tmp_path, {"ada": answered("a text", "", veto="suspected")}))
    desk.set(Place("veto", "unrun"), "raised")
    assert all_marks(tmp_path)["ada"].vetoes["unrun"].state == "raised"
    desk.set(Place("veto", "unrun"), None)
    assert all_marks(tmp_path)["ada"].vetoes == {}
    desk.turn(1)
    assert desk.question.place == VETO
    assert not desk.comment("before any decision").saved
    desk.decide("cleared")
    desk.comment("fine")
    assert (all_marks(tmp_path)["ada"].vetoes[WRONG_CHAIN].comment, desk.open_keys()) == ("fine", ())
    with pytest.raises(ValueError, match="met"):
        desk.decide("met")


def test_two_reviewers_never_overwrite_each_other(tmp_path: Path) -> None:
    folder = class_of(tmp_path, SAME)
    ann, bob = desk_of(folder, "Ann"), desk_of(folder, "Bob")
    assert where(ann) == where(bob)
    ann.give(0.5)
    late = bob.give(2.0)
    assert (late.saved, len(late.refused)) == ((), len(ann.group.keys))
    key = ann.group.keys[0]
    assert bob.record(key).marks.items["q1"].author == "Ann", "and Bob sees it now"
    bob.set(VETO, "raised")
    ann.comment("of Ann's, who has not seen Bob's veto")
    assert all_marks(folder)[key].vetoes[WRONG_CHAIN].author == "Bob"
    bob.next_open()
    ann.next_open()
    assert where(ann) == where(bob)
    bob.accept()
    ann.next_open()
    assert where(ann) != where(bob), "what Bob has decided is not offered any more"


def test_what_another_decided_meanwhile_is_passed_over(tmp_path: Path) -> None:
    folder = class_of(tmp_path, SAME)
    ann, bob = desk_of(folder, "Ann"), desk_of(folder, "Bob")
    while ann.question.place == Q1:
        ann.accept()
        ann.next_open()
    bob.next_open()
    assert bob.question.place.id == "q2"


def test_a_batch_at_work_delays_the_gradebook_only(tmp_path: Path) -> None:
    folder = class_of(tmp_path, SAME)
    book = book_of(folder)
    with Folder(folder).held():
        assert desk_of(folder).accept().saved
        problem = book.close()
        assert problem is not None
        assert "still the old one" in problem.en
    assert book.close() is None


def test_undo_leaves_alone_what_another_changed_since(tmp_path: Path) -> None:
    folder = class_of(tmp_path, {"ada": answered("text", "")})
    ann = desk_of(folder)
    ann.give(1.0)
    bob = desk_of(folder, "Bob")
    bob.turn(-bob.questions.index(bob.question))
    bob.give(2.0)
    outcome = ann.undo()
    assert outcome is not None
    assert (outcome.saved, len(outcome.refused)) == ((), 1)
    assert all_marks(folder)["ada"].items["q1"].author == "Bob"
    assert ann.undo() is None


ACTIONS = st.lists(
    st.sampled_from(("accept", "give", "comment", "uncomment", "veto", "unveto", "next", "step", "turn")), max_size=12
)


@settings(max_examples=25, deadline=None)
@given(actions=ACTIONS, seed=st.integers(0, 99))
def test_undoing_everything_restores_every_mark(actions: list[str], seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - the same each time
    with tempfile.TemporaryDirectory() as directory:
        folder = class_of(Path(directory), SAME)
        earlier = ItemMark("Zoe", "2025-01-01T00:00:00+00:00", 0.25, 1.5, digest("another"), "héllo")
        book_of(folder).save([Change("cid", Q1, None, earlier)])
        before = [all_marks(folder)]
        desk = desk_of(folder)
        for action in actions:
            if action in ("next", "step", "turn"):
                moves: dict[str, Callable[[], object]] = {"next": desk.next_open}
                moves |= {"step": lambda: desk.step(1), "turn": lambda: desk.turn(1)}
                moves[action]()
                continue
            if _act(desk, action, rng):
                before.append(all_marks(folder))
        assert before[-1] == all_marks(folder)
        for marks in before[-2::-1]:
            assert desk.undo() is not None
            assert all_marks(folder) == marks
        assert desk.undo() is None


def _act(desk: Desk, action: str, rng: random.Random) -> bool:
    """Whether anything was saved."""
    if action in ("accept", "give") and desk.question.place.kind != "item":
        return bool(desk.decide("met").saved)
    actions: dict[str, Callable[[], Outcome]] = {
        "accept": desk.accept,
        "give": lambda: desk.give(rng.randrange(5) / 2),
        "comment": lambda: desk.comment(f"comment {rng.random()}"),
        "uncomment": lambda: desk.comment(""),
        "veto": lambda: desk.set(VETO, rng.choice(("raised", "cleared"))),
        "unveto": lambda: desk.set(VETO, None),
    }
    return bool(actions[action]().saved)


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=6))
def test_an_answer_cut_at_its_notes_is_the_answer(text: str, spans: list[tuple[int, int]]) -> None:
    made: Json = answered(text or "x", "")
    text = text or "x"
    passages = [{"id": "m", "title": f"note {n}", "from": a, "to": b} for n, (a, b) in enumerate(spans)]
    made["score"]["items"][0]["reading"] = {"evidence": passages, "wrong": passages[:2], "missing": [], "flags": []}
    (part,) = material(made, "q1")
    pieces = list(stretches(part))
    assert "".join(piece.text for piece in pieces) == text
    for number, note in enumerate(part.noted):
        assert "".join(piece.text for piece in pieces if number in piece.noted) == text[note.start : note.end]
        assert sum(number in piece.begins for piece in pieces) == 1
    assert "".join(piece.text for piece in stretches(part, 9)) == text[:9]


def test_what_a_real_grade_notes_in_an_answer() -> None:
    reference = (ROOT / "solutions" / "03_gemv.answers.md").read_text(encoding="utf-8")
    trail = with_answers(run(compiled(filled(RIGHT))), reference)
    assert trail.answers is not None
    scored = as_dict(judged(replace(trail, readings=read_all(trail.answers, EXERCISE, RUBRIC))), "en")
    copy = scored["score"]["items"][3]["reading"]["copy"]
    assert copy["share"] > 0.9
    (part,) = material(scored, "q1")
    noted = {note.sort: part.text[note.start : note.end] for note in part.noted}
    assert noted.keys() == {"found", "copied"}
    assert noted["copied"] == copy["text"] == reference[copy["start"] : copy["end"]]
    claim = ANSWERS.replace("static review only", "max error = 1.2e-6")
    everything = material(as_dict(judged(with_answers(compiled(filled(RIGHT)), claim)), "en"), None)
    assert [part.title for part in everything[:2]] == ["fill", "output"], "first what there is to look at"
    assert [note.sort for note in everything[1].noted] == ["claimed"]


def test_the_rubrics_scale(tmp_path: Path) -> None:
    assert read_scale(tmp_path, "none").points == {}
    scale = read_scale(Path(__file__).parents[1], "03_gemv")
    assert scale.step == 0.5
    assert scale.points["q2", "取来的大多没用 → 有效带宽崩溃"] == 0.5


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        *[("1", 1.0), ("1.5", 1.5), ("1,5", 1.5), (".5", 0.5), ("１．５", 1.5), ("1。5", 1.5), ("²", 2.0)],
        *[("", None), (".", None), ("-1", None), ("1e3", None), ("nan", None), ("1.5.5", None), ("one", None)],
    ],
)
def test_points_as_people_type_them(typed: str, points: float | None) -> None:
    assert parse_points(typed) == points


def test_the_entry_steps_within_range_and_enter_alone_gives_what_is_offered() -> None:
    entry = PointsEntry(0.75, 2.0)
    assert entry.value == 0.75
    assert [entry.moved(1).value, entry.moved(-1).value, entry.moved(1).moved(1).value] == [1.0, 0.5, 1.5]
    assert PointsEntry(2.0, 2.0).moved(1).value == 2.0
    assert PointsEntry(0.0, 2.0).moved(-1).value == 0.0
    assert entry.key("1").key(".").key("5").value == 1.5
    assert entry.key("9").value is None
    assert entry.key("9").back().value == 0.75
    choice = ChoiceEntry(("cleared", "raised"))
    assert choice.value is None
    assert [choice.moved(1).value, choice.moved(-1).value, choice.key("2").value, choice.key("3").value] == [
        "cleared",
        "raised",
        "raised",
        None,
    ]
