"""Prose rubrics: a malformed one is refused with its lines, and phrasings mean what the rubric's head says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bad_yaml import BAD_DATA, assert_marks_are_said

from gemv_grader.errors import DataProblem
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.prose.matching import Concept, Matches, Phrasings, Vocabulary
from gemv_grader.prose.model import load_prose_rubric, prose_rubric_path, reference_texts
from gemv_grader.prose.negation import Denials
from gemv_grader.prose.normal import normalise
from gemv_grader.prose.phrases import PhraseError, parse_phrases
from gemv_grader.prose.tokens import tokenise
from gemv_grader.rubric import load_rubric

BAD = BAD_DATA / "prose"


@pytest.fixture
def tiny(tmp_path: Path) -> Exercise:
    folder = tmp_path / "exercises" / "tiny"
    shutil.copytree(BAD_DATA / "exercise", folder)
    (folder / "good.yaml").rename(folder / "exercise.yaml")
    return load_exercise("tiny", tmp_path)


def test_a_sound_rubric_is_read(tiny: Exercise) -> None:
    rubric = load_prose_rubric(tiny, BAD / "good.yaml")
    assert [point.links[0].cause for point in rubric.questions[0].key_points] == [("near",)]


def test_points_and_vetoes_must_agree_with_the_rubric_of_points(tiny: Exercise, tmp_path: Path) -> None:
    points = load_rubric(tiny, BAD_DATA / "rubric" / "good.yaml")
    path = tmp_path / "prose.yaml"
    text = (BAD / "good.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("    points: 1\n", "    points: 5\n"), encoding="utf-8")
    with pytest.raises(DataProblem, match=r"worth 5 points here(.|\n)*veto"):
        load_prose_rubric(tiny, path, points)


def test_the_lessons_prose_rubric_agrees_with_its_points() -> None:
    exercise = load_exercise("03_gemv")
    rubric = load_prose_rubric(exercise, rubric=load_rubric(exercise))
    names = [point.id for question in rubric.questions for point in question.key_points]
    assert all(rubric.title_of(name) for name in (*names, "reads_like_wrong", "guard_removed", "small_n", "tail"))


def test_a_reference_that_is_not_there_is_told_unless_all_were_left_out(tmp_path: Path) -> None:
    exercise = load_exercise("03_gemv")
    text = prose_rubric_path("03_gemv").read_text(encoding="utf-8")
    (path := tmp_path / "prose.yaml").write_text(text.replace("03_gemv.lesson.md]", "03_gemv.leson.md]"), "utf-8")
    with pytest.raises(DataProblem, match=r"no 03_gemv\.leson\.md in solutions"):
        load_prose_rubric(exercise, path)
    path.write_text(text.replace("[03_gemv.answers.md, 03_gemv.lesson.md]", "[none.md]"), "utf-8")
    assert reference_texts(load_prose_rubric(exercise, path)) == ()


@pytest.mark.parametrize("bad", [p for p in sorted(BAD.glob("*.yaml")) if p.stem != "good"], ids=lambda p: p.stem)
def test_a_malformed_rubric_is_refused_with_its_lines(bad: Path, tiny: Exercise) -> None:
    with pytest.raises(DataProblem) as caught:
        load_prose_rubric(tiny, bad)
    assert_marks_are_said(bad, bad, caught.value.text.en)


def found(text: str, *says: str, unless: tuple[str, ...] = ()) -> list[str]:
    """The stretches of ``text`` in which the concept is affirmed, and ``not`` those in which it is denied."""
    concepts = {"side": Concept(Phrasings(parse_phrases(("side | 旁边",))), Phrasings(()))}
    concepts["it"] = Concept(Phrasings(parse_phrases(says)), Phrasings(parse_phrases(unless)))
    normal = normalise(text)
    tokens = tokenise(normal.text)
    matches = Matches(Vocabulary(concepts), tokens, Denials(tokens))

    def stretch(first: int, last: int) -> str:
        return normal.text[tokens[first].start : tokens[last].end]

    return [stretch(m.first, m.last) for m in matches.of("it")] + [
        f"not {stretch(m.first, m.last)}" for m in matches.of("not it")
    ]


@pytest.mark.parametrize(
    ("text", "says", "expected"),
    [
        ("The threads were reading.", "thread | read", ["threads", "reading"]),
        ("32 個執行緒", "32 个执行绪", ["32 个执行绪"]),
        ("合 并 访存", "合并访存", ["合 并 访存"]),
        ("only one of them is ever used", "only .. used", ["only one of them is ever used"]),
        ("only a b c d e f g h i used", "only .. used", []),
        ("only a b c d e f g h i used", "only ... used", ["only a b c d e f g h i used"]),
        ("only one. It is used", "only ... used", []),
        ("used by only one", "only & used", ["used by only"]),
        ("used by only one", "only ... used", []),
        ("side of the road", "{side} .. road", ["side of the road"]),
        ("by the side road", "{side} road", ["side road"]),
        ("它在旁边", "{side}", ["旁边"]),
        ("it is not used", "used", ["not used"]),
        ("no longer used; then used again", "used", ["used", "not used"]),
        ("不是合并访存，而是合并访存", "合并访存", ["合并访存", "not 合并访存"]),
        ("不仅合并访存", "合并访存", ["合并访存"]),
        ("合并不了", "合并", ["not 合并"]),
        ("看不到", "看不到", ["看不到"]),
        ("不能合并", "能合并", ["not 能合并"]),
        ("cannot be used because it is used", "used", ["used", "not used"]),
        ("two threads", "2 threads", ["two threads"]),
    ],
)
def test_phrasings(text: str, says: str, expected: list[str]) -> None:
    assert found(text, says) == expected


def test_unless_takes_a_match_away() -> None:
    assert found("runs in parallel | parallel runs", "parallel", unless=("parallel runs",)) == ["parallel"]


@pytest.mark.parametrize("text", ["a .. b & c", "{a", "a}", "", " .. b", "{A b}", "{side} x & y"])
def test_what_is_no_phrasing(text: str) -> None:
    with pytest.raises(PhraseError):
        parse_phrases((text,))
