"""The second reader: what it learns from marked answers, keeps in a file, and says of new ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemv_grader.errors import DataProblem
from gemv_grader.exercise import load_exercise
from gemv_grader.prose.assess import assess, questions
from gemv_grader.prose.labelled import LabelledAnswer, load_labelled
from gemv_grader.prose.learned import Guess, Learned, load_learned, save_learned
from gemv_grader.prose.model import READS_LIKE_WRONG, load_prose_rubric
from gemv_grader.prose.normal import normalise
from gemv_grader.prose.training import train

ROOT = Path(__file__).parents[1]
RUBRIC = load_prose_rubric(load_exercise("03_gemv"))
POSSIBLE = {question.section: question.points for question in RUBRIC.questions}
LABELLED = load_labelled(ROOT / "solutions" / "03_gemv.labelled.yaml")
KEPT_ASIDE = load_labelled(ROOT / "tests" / "prose" / "blind.yaml")


def learned(answers: tuple[LabelledAnswer, ...] = LABELLED) -> Learned:
    model = train(answers, POSSIBLE, "d" * 64)
    assert model is not None
    return model


def guesses(model: Learned, answers: tuple[LabelledAnswer, ...]) -> dict[str, Guess]:
    found = {answer.id: model.guess(normalise(answer.answer).text, answer.question) for answer in answers}
    return {key: guess for key, guess in found.items() if guess is not None}


def test_the_installed_model_is_what_its_answers_teach(tmp_path: Path) -> None:
    installed = load_learned(RUBRIC.learned_path)
    assert installed is not None
    trained, theirs = guesses(learned(), KEPT_ASIDE), guesses(installed, KEPT_ASIDE)
    for key, guess in trained.items():
        assert theirs[key] == pytest.approx(guess, abs=0.02), "run `gemv-grade check 03_gemv --accept`"


def test_wrong_chains_and_lists_of_terms_stand_out_among_answers_it_has_not_seen() -> None:
    found = guesses(learned(), KEPT_ASIDE)
    wrong = sorted(found[a.id].doubt for a in KEPT_ASIDE if "wrong_chain" in a.flags)
    sound = sorted(found[a.id].doubt for a in KEPT_ASIDE if a.score == POSSIBLE[a.question])
    assert wrong[len(wrong) // 2] > sound[-1]
    terms = min(found[a.id].terms for a in KEPT_ASIDE if "terms_only" in a.flags)
    assert terms > max(found[a.id].terms for a in KEPT_ASIDE if a.score == POSSIBLE[a.question])


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    model = learned()
    save_learned(tmp_path / "m.json", model)
    read = load_learned(tmp_path / "m.json")
    assert read is not None
    assert (read.answers, read.sections, dict(read.rows)) == (model.answers, model.sections, dict(model.rows))
    assert read.start == pytest.approx(model.start, abs=1e-4)
    assert load_learned(tmp_path / "none.json") is None


ROWS = '{"schema": 1, "answers": "x", "start": [0, 0, 0], "sections": ["q1"], "runs": {"a": %s}}'


@pytest.mark.parametrize(
    "damage",
    [
        *("", "{", "[]", '{"schema": 2}', '{"schema": 1, "answers": "x"}'),
        *(ROWS % row for row in ("[1, 2]", "null", '["x", 1, 2, 3]', "[1, 2, 3, NaN]", "[1, 2, 3, 4, 5]")),
        (ROWS % "[1, 2, 3, 4]").replace("[0, 0, 0]", "[0, NaN, 0]"),
    ],
)
def test_a_damaged_file_says_what_to_do(tmp_path: Path, damage: str) -> None:
    (tmp_path / "m.json").write_text(damage)
    with pytest.raises(DataProblem, match="--accept"):
        load_learned(tmp_path / "m.json")


def test_nothing_is_learned_from_blank_answers_or_for_other_questions() -> None:
    empty = tuple(answer for answer in LABELLED if answer.kind == "empty")
    assert train(empty, POSSIBLE) is None
    assert train(LABELLED, {"q9": 2.0}) is None
    assert learned().guess("因为", "q9") is None


def test_a_suspicion_quotes_one_sentence_of_the_answer() -> None:
    by = questions(RUBRIC)
    suspected = [
        (answer, quote)
        for answer in (*KEPT_ASIDE, *LABELLED)
        for quote in assess(answer.answer, by[answer.question]).misconceptions
        if quote.id == READS_LIKE_WRONG
    ]
    assert suspected
    for answer, quote in suspected:
        assert answer.answer[quote.start : quote.end] == quote.text
        assert len(quote.text) < len(answer.answer)


def test_without_a_model_only_the_links_count() -> None:
    answer = next(a for a in LABELLED if a.kind == "good" and a.question == "q1")
    question = questions(RUBRIC)["q1"]
    assert question.learned is not None
    alone = assess(answer.answer, replace(question, learned=None))
    assert alone.points <= question.spec.points
    assert READS_LIKE_WRONG not in {quote.id for quote in alone.misconceptions}


@given(st.text(max_size=400))
def test_a_guess_is_a_share_whatever_the_text(text: str) -> None:
    model = _MODEL
    guess = model.guess(normalise(text).text, "q2")
    assert guess is not None
    assert all(0.0 <= value <= 1.0 for value in guess)


def test_rows_are_whole_numbers_one_run_a_line() -> None:
    text = RUBRIC.learned_path.read_text(encoding="utf-8")
    document = json.loads(text)
    assert text.count("\n") == len(document["runs"]) + 2
    assert all(isinstance(value, int) for row in document["runs"].values() for value in row)


_MODEL = learned(LABELLED[:100])
