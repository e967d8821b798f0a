"""Rubrics: the lesson's adds up to ten, and a malformed one is refused with file, line and mend."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from bad_yaml import BAD_DATA, assert_marks_are_said
from click.testing import CliRunner

from gemv_grader.cli import gemv_grade
from gemv_grader.errors import DataProblem
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.paths import data_root
from gemv_grader.rubric import load_rubric
from gemv_grader.rubric_patterns import refuse_bad_patterns
from gemv_grader.words import Evidence, Severity

RUBRICS = BAD_DATA / "rubric"


@pytest.fixture
def tiny(tmp_path: Path) -> Exercise:
    folder = tmp_path / "exercises" / "tiny"
    shutil.copytree(BAD_DATA / "exercise", folder)
    (folder / "good.yaml").rename(folder / "exercise.yaml")
    return load_exercise("tiny", tmp_path)


def test_the_lesson_gives_ten_points_and_passes_at_eight() -> None:
    rubric = load_rubric(load_exercise("03_gemv"))
    assert (rubric.total, rubric.passes_at, rubric.lock) == (10, 8, "tokens")
    assert {item.id: item.points for item in rubric.items} == {
        "normal": 2,
        "edge": 1,
        "explanation": 1,
        "q1": 2,
        "q2": 2,
        "q3": 2,
    }
    assert {item.evidence for item in rubric.items if item.kind == "cases"} == {Evidence.GPU}
    assert [veto.id for veto in rubric.vetoes] == [
        "wrong_causal_chain",
        "boundary_check_removed",
        "unrun_claimed_as_measured",
    ]


def test_no_rule_of_the_lesson_decides_a_verdict() -> None:
    rubric = load_rubric(load_exercise("03_gemv"))
    assert all(rule.severity is not Severity.ERROR for rule in rubric.review)


def test_a_rubric_of_ones_own_can_take_the_place_of_the_default(tiny: Exercise) -> None:
    path = RUBRICS / "good.yaml"
    rubric = load_rubric(tiny, path)
    assert rubric.path == path
    assert rubric.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [rule.parameters for rule in rubric.review] == [{"patterns"}, {"of", "index"}, set()]


def test_points_may_be_halves(tiny: Exercise, tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    text = (RUBRICS / "good.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("points: 2", "points: 1.5").replace("total: 4", "total: 3.5"), encoding="utf-8")
    assert load_rubric(tiny, path).total == 3.5


@pytest.mark.parametrize("bad", [p for p in sorted(RUBRICS.glob("*.yaml")) if p.stem != "good"], ids=lambda p: p.stem)
def test_a_malformed_rubric_is_refused_with_its_lines(bad: Path, tiny: Exercise) -> None:
    with pytest.raises(DataProblem) as caught:
        load_rubric(tiny, bad)
    text = caught.value.text
    assert_marks_are_said(bad, bad, text.en)
    assert [line.split(" ")[0] for line in text.zh.splitlines()] == [
        line.split(" ")[0] for line in text.en.splitlines()
    ]


def with_rule(path: Path, old: str, new: str) -> Path:
    path.write_text((RUBRICS / "good.yaml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "pattern", ["x[2 * ?]", "x + ?", "?[i]", "x[?", "f(x[?])", "x[?]; y[i]", "x[?], y", "x[i, ?]", "f(x)[?]", "?"]
)
def test_check_refuses_a_pattern_that_is_no_element(pattern: str, tiny: Exercise, tmp_path: Path) -> None:
    rubric = load_rubric(tiny, with_rule(tmp_path / "r.yaml", '"x[?]"', f'"{pattern}"'))
    with pytest.raises(DataProblem, match=r"r\.yaml:11: the pattern .* is no element of an array"):
        refuse_bad_patterns(rubric)


@pytest.mark.parametrize("index", ["i +", "i; j", "int", "{i}", "i, j", "i)"])
def test_check_refuses_an_index_that_is_no_expression(index: str, tiny: Exercise, tmp_path: Path) -> None:
    rubric = load_rubric(tiny, with_rule(tmp_path / "r.yaml", "index: i,", f'index: "{index}",'))
    with pytest.raises(DataProblem, match=r"r\.yaml:12: the index .* is not an expression"):
        refuse_bad_patterns(rubric)


@pytest.mark.parametrize("pattern", ["x[?]", "A[row * N + ?]", "A[blockIdx.x * N + (? + 1)]"])
def test_check_takes_patterns_that_can_match(pattern: str, tiny: Exercise, tmp_path: Path) -> None:
    refuse_bad_patterns(load_rubric(tiny, with_rule(tmp_path / "r.yaml", '"x[?]"', f'"{pattern}"')))
    refuse_bad_patterns(load_rubric(load_exercise("03_gemv")))


def test_the_check_command_reads_the_patterns(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    text = (data_root() / "rubrics" / "03_gemv.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace('"x[?]"', '"x(?)"', 1), encoding="utf-8")
    result = CliRunner().invoke(gemv_grade, ["check", "03_gemv", "--rubric", str(path), "--device", "none"])
    assert isinstance(result.exception, DataProblem) or result.exit_code == DataProblem.exit_code


def test_a_missing_rubric_is_named(tiny: Exercise, tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match=r"nowhere\.yaml: the file cannot be read"):
        load_rubric(tiny, tmp_path / "nowhere.yaml")
