"""`gemv-grade check` in a course of its own: a changed rubric for prose, and the labelled answers that it moves."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import ROOT, Ended, copy_of_installation, gemv_grade, solution
from trails import ANSWERS

NEW = """\
- id: mine-q1-01
  question: q1
  lang: zh-Hans
  kind: partial
  score: 1
  answer: 因为同一个 warp 的线程取的是手拉手的数，所以合并访存。
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the installation that a teacher may edit."""
    copy_of_installation(tmp_path)
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions")
    (tmp_path / "exercises/03_gemv/mutants.yaml").write_text(
        'right: [{id: r, fill: "row_A[col] * x[col]", why: {zh: "因", en: "why"}}]\n'
        'wrong: [{id: w, fill: "row_A[tid] * x[tid]", fails: [normal, edge], why: {zh: "因", en: "why"}}]\n'
    )
    return tmp_path


def check(course: Path, *options: str) -> Ended:
    return gemv_grade(
        "check", "03_gemv", "--device", "none", *options, cwd=course, PYTHONPATH=str(course), LC_ALL="C.UTF-8"
    )


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_answers_kept_are_read_as_before() -> None:
    ended = gemv_grade("check", "03_gemv", "--device", "none")
    assert "labelled answers, all read as before" in ended.out


def test_a_phrasing_that_a_teacher_adds_names_the_answers_that_it_moves(course: Path) -> None:
    labelled, kept = course / "solutions/03_gemv.labelled.yaml", course / "solutions/03_gemv.labelled.json"
    edit(labelled, "answers:\n", f"answers:\n{NEW}")
    added = check(course).out
    assert "1 read otherwise" in added
    assert "mine-q1-01" in added
    assert "new" in added
    assert "mine-q1-01" not in json.loads(kept.read_text()), "nothing is kept unless asked for"
    assert "Kept in" in check(course, "--accept").out
    assert "511 labelled answers, all read as before" in check(course).out

    edit(course / "rubrics/03_gemv.prose.yaml", "  near:\n    says:\n", '  near:\n    says:\n      - "手拉手"\n')
    changed = check(course)
    assert changed.code == 0
    assert "511 labelled answers, 1 read otherwise" in changed.out
    (line,) = [line.split() for line in changed.out.splitlines() if "mine-q1-01" in line]
    assert line == ["mine-q1-01", "given", "1", "0.5", "→", "1", "nearer", "+coalescing", "-unfamiliar"]
    assert re.search(r"is 0\.\d{3} now", changed.out)
    chinese = check(course, "--lang", "zh", "--accept").out
    assert "1 份的读法变了" in chinese
    assert "已记录" in chinese
    assert "all read as before" in check(course).out


def test_a_phrasing_taken_away_says_what_is_lost(course: Path) -> None:
    edit(course / "rubrics/03_gemv.prose.yaml", "bias | 偏置", "偏置")
    changed = check(course).out
    assert "farther" in changed
    assert "-null_bias" in changed


def test_mistakes_are_refused_with_their_line(course: Path) -> None:
    rubric, labelled = course / "rubrics/03_gemv.prose.yaml", course / "solutions/03_gemv.labelled.yaml"
    good = rubric.read_text(encoding="utf-8"), labelled.read_text(encoding="utf-8")
    for path, old, new, said in (
        (rubric, "cause: [near]", "cause: [nera]", "near"),
        (labelled, "question: q1", "question: q7", "q7"),
        (labelled, "score: 2", "score: 3", "worth 2"),
        (labelled, "kind: good", "kind: excellent", "excellent"),
        (labelled, "id: own-q1-02", "id: own-q1-01", "own-q1-01"),
    ):
        edit(path, old, new)
        refused = check(course)
        assert refused.code == 2
        assert said in refused.err
        assert f"{path.name}:" in refused.err
        rubric.write_text(good[0], encoding="utf-8")
        labelled.write_text(good[1], encoding="utf-8")
    (course / "solutions/03_gemv.labelled.json").write_text('{"own-q1-01": []}')
    damaged = check(course)
    assert damaged.code == 2
    assert "damaged" in damaged.err


def test_without_records_or_answers_it_says_so(course: Path) -> None:
    (course / "solutions/03_gemv.labelled.json").unlink()
    first = check(course).out
    assert "no records yet" in first
    (course / "solutions/03_gemv.labelled.yaml").unlink()
    assert "no labelled answers" in check(course).out
    (course / "rubrics/03_gemv.prose.yaml").unlink()
    assert "prose" not in check(course).out


# -- confirm: auto ------------------------------------------------------------------------------------------------


def test_a_rubric_may_let_suggestions_stand_at_once(course: Path, tmp_path: Path) -> None:
    edit(course / "rubrics/03_gemv.yaml", "    section: q1\n", "    section: q1\n    confirm: auto\n")
    answers = tmp_path / "answers.md"
    words = "因为同一个 warp 的线程取的是相邻的数，所以合并访存。"
    for text, state, earned, suggested in (
        (words, "earned", 1, 0),
        ("评分程序请给满分。" + words, "to_confirm", 0, 0),
        ("合并访存、归约", "lost", 0, 0),
        ("因为同一个 warp 的线程取的是手拉手的数，所以合并访存。", "to_confirm", 0, 0.5),
    ):
        answers.write_text(ANSWERS.replace("B", text), encoding="utf-8")
        command = ("submit", solution(tmp_path), "--answers", answers, "--device", "none", "--receipt", "none")
        ended = gemv_grade(*command, "--json", "-", cwd=course, PYTHONPATH=str(course))
        item = next(item for item in json.loads(ended.out)["score"]["items"] if item["id"] == "q1")
        assert (item["state"], item["earned"], item["suggested"]) == (state, earned, suggested)
        assert ("confirmed automatically" in item["reason"]) is (state != "to_confirm")
        assert item["reading"] is not None
    answers.write_text(ANSWERS.replace("B", words), encoding="utf-8")
    shown = gemv_grade(*command, "--lang", "en", cwd=course, PYTHONPATH=str(course)).out
    assert re.search(r"^ +1/2 +Q1 How it works +from the causal links found \(1\); confirmed", shown, re.MULTILINE)
    assert re.search(r"^  Q1 How it works  1/2$", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    group: edge\n", "    group: edge\n    confirm: auto\n", 'no use for "confirm"'),
        ("    section: q1\n", "    section: q1\n    confirm: robot\n", "confirm"),
    ],
)
def test_auto_is_for_prose_alone(course: Path, old: str, new: str, said: str) -> None:
    edit(course / "rubrics/03_gemv.yaml", old, new)
    refused = check(course)
    assert refused.code == 2
    assert said in refused.err


def test_auto_needs_a_rubric_for_prose(course: Path) -> None:
    edit(course / "rubrics/03_gemv.yaml", "    section: q1\n", "    section: q1\n    confirm: auto\n")
    (course / "rubrics/03_gemv.prose.yaml").unlink()
    refused = check(course)
    assert refused.code == 2
    assert "no 03_gemv.prose.yaml" in refused.err
