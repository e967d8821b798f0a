"""Points: earned by cases that ran, lost with a reason, pending a GPU or a reader; vetoes; and what passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from trails import ANSWERS, RIGHT, by_thread, compiled, filled, handed_in, run, run_until_crash, with_answers

from gemv_grader.grade import grade
from gemv_grader.scoring import Score
from gemv_grader.trail import Trail
from gemv_grader.words import Evidence, Text

PROSE = ("explanation", "q1", "q2", "q3")
A_WHOLE_ROW = "[&] { float s = 0; for (int i = 0; i < N; ++i) s += row_A[i] * x[i]; return col ? 0.0f : s; }()"


def right() -> Trail:
    return compiled(filled(RIGHT))


def score(trail: Trail) -> Score:
    return grade(trail).score


def states(trail: Trail) -> dict[str, str]:
    return {item.id: item.state for item in score(trail).items}


def vetoes(trail: Trail) -> dict[str, str]:
    return {veto.id: veto.state for veto in score(trail).vetoes if veto.state != "cleared"}


@pytest.mark.parametrize(
    ("trail", "normal", "edge"),
    [
        (run(right()), "earned", "earned"),
        (run(right(), by_thread), "lost", "lost"),
        (run_until_crash(right(), "many_rows"), "earned", "lost"),
        (run_until_crash(right(), "walkthrough"), "lost", "lost"),
        (run(right(), evidence=Evidence.EMULATED), "pending", "pending"),
        (right(), "pending", "pending"),
        (replace(right(), fault=Text("盘", "disk")), "pending", "pending"),
        (compiled(filled("y"), ("no", 0)), "lost", "lost"),
        (filled(""), "lost", "lost"),
        (filled("x[col]++"), "lost", "lost"),
        (handed_in(b""), "lost", "lost"),
    ],
)
def test_a_group_is_earned_whole_or_not_at_all(trail: Trail, normal: str, edge: str) -> None:
    found = states(trail)
    assert (found["normal"], found["edge"]) == (normal, edge)


def test_points_add_up_and_every_item_says_why() -> None:
    for trail in (run(right()), with_answers(run(right(), by_thread)), with_answers(right())):
        result = score(trail)
        assert result.possible == 10
        lost = sum(item.points for item in result.items if item.state == "lost")
        assert result.earned + result.suggested + result.pending + lost == result.possible
        assert all(item.reason.zh and item.reason.en for item in result.items)


def test_prose_waits_for_a_reader_and_is_lost_where_nothing_was_written() -> None:
    assert {states(run(right()))[item] for item in PROSE} == {"lost"}
    assert {states(with_answers(run(right())))[item] for item in PROSE} == {"to_confirm"}
    partly = states(with_answers(run(right()), "## Q1\nbecause\n## Q2\n\n## Q3\nso\n"))
    assert [partly[item] for item in PROSE] == ["lost", "to_confirm", "lost", "to_confirm"]


@pytest.mark.parametrize(
    ("trail", "passed"),
    [
        (with_answers(run(right())), None),  # a person still has to read the answers
        (with_answers(right()), None),
        (run(right()), False),  # answers left out can no longer come in
        (with_answers(run(right()), ANSWERS.replace("B", "")), False),
        (with_answers(run(right(), by_thread)), False),  # 7 points at most
        (with_answers(filled("x[col]++")), False),
        (with_answers(replace(right(), fault=Text("盘", "disk"))), None),
        (replace(right(), fault=Text("盘", "disk")), None),  # to be graded again, whatever is missing
    ],
)
def test_what_passes(trail: Trail, passed: bool | None) -> None:
    assert score(trail).passed is passed


def test_all_points_earned_pass() -> None:
    trail = run(right())
    code = tuple(item for item in trail.rubric.items if item.kind == "cases")
    rubric = trail.rubric.model_copy(update={"items": code, "total": 3.0, "passes_at": 3.0})
    assert score(replace(trail, rubric=rubric)).passed is True
    assert score(replace(run(right(), by_thread), rubric=rubric)).passed is False


def test_a_removed_guard_is_a_veto() -> None:
    trail = with_answers(handed_in(filled(RIGHT).submission.text.replace("if (row >= M) return;", "")))
    assert vetoes(trail) == {"boundary_check_removed": "raised"}
    assert score(trail).passed is False


def test_right_numbers_by_other_means_are_suspected() -> None:
    trail = with_answers(compiled(filled(A_WHOLE_ROW)))
    assert vetoes(run(trail)) == {"wrong_causal_chain": "suspected"}
    assert score(run(trail)).passed is None
    assert vetoes(run(trail, by_thread)) == {}, "failed cases already say what is wrong"
    assert vetoes(trail) == {}, "nothing ran, so nothing is right by accident"
    assert vetoes(with_answers(run(right()))) == {}


def test_claimed_runs_need_a_run() -> None:
    claim = ANSWERS.replace("static review only", "max error = 1.2e-6")
    unrun = "unrun_claimed_as_measured"
    assert vetoes(with_answers(right(), claim)) == {unrun: "suspected"}
    assert vetoes(with_answers(run(right()), claim)) == {}
    assert vetoes(with_answers(right())) == {}
    assert vetoes(with_answers(right(), ANSWERS.partition("## Run output")[0])) == {}
