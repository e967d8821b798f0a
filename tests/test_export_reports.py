"""Gradescope, nbgrader, JUnit and check50: made from the grades alone, and valid whatever students write."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from stored_grades import grade, stored, student

from gemv_grader.batch.export import TARGETS, Options, Target, export, junit
from gemv_grader.batch.export.mark import mark_of
from gemv_grader.batch.store import Record
from gemv_grader.cli import gemv_grade

OPEN = grade(3.0, pending=7.0, passed=None)
OPEN["score"]["items"][1] |= {"state": "to_confirm"}


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    return stored(
        tmp_path / "grades",
        (
            "ann",
            grade(8.5, "wrong"),
            student("O'Brien, Ann", student_id="002", email="a@x", gradescope_submission="502"),
        ),
        ("张三", grade(10.0), student("张三", student_id="001", gradescope_submission="501")),
        ("evil", grade(1.0, "rejected"), student("=HYPERLINK(1)\x07", login="-x")),
        ("later", OPEN, student("Bob Root", login="bob")),
        ("fault", grade(0.0, "grader_fault"), student("Cem Öz", login="cem")),
    )


def files(grades: Path, target: Target, **options: Any) -> dict[str, bytes]:
    return export(grades, target, None, Options(**options)).files


def test_gradescope_results(grades: Path) -> None:
    written = files(grades, "gradescope", lang="zh")
    assert set(written) == {"submission_502/results.json", "submission_501/results.json", "evil/results.json"}
    result = json.loads(written["submission_502/results.json"])
    assert result["score"] == 8.5
    assert result["output"].startswith("✗ 结果错误，8.5/10 分\n")
    assert result["output_format"] == result["test_output_format"] == "text"
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in result["tests"]] == [
        ("normal", 2.0, 2.0, "passed"),
        ("q1", 6.5, 8.0, "passed"),
    ]


def test_provisional_gradescope_results_say_so_and_leave_open_items_open(grades: Path) -> None:
    result = json.loads(files(grades, "gradescope", provisional=True)["later/results.json"])
    assert result["score"] == 3.0
    assert "not final" in result["output"]
    assert "status" not in result["tests"][1]


def test_nbgrader_grades(grades: Path) -> None:
    result = export(grades, "nbgrader", None, Options())
    rows = {row["student_id"]: row for row in csv.DictReader(io.StringIO(result.files[""].decode()))}
    assert rows["002"]["last_name"] == "O'Brien"
    assert rows["002"]["first_name"] == "Ann"
    assert rows["002"]["score"] == rows["002"]["raw_score"] == "8.5"
    assert rows["001"]["last_name"] == "张三"
    assert rows["'-x"]["last_name"].startswith("'=HYPERLINK")
    assert {who for who, _ in result.left} == {"Bob Root (later)", "Cem Öz (fault)"}


def test_junit_maps_verdicts_and_cases(grades: Path) -> None:
    root = ET.fromstring(files(grades, "junit")[""])  # noqa: S314 - our own
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {"ann", "张三", "evil", "later", "fault"}
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "15",
        "failures": "5",
        "errors": "1",
        "skipped": "0",
    }
    ann = {test.get("name"): test for test in suites["ann"].findall("testcase")}
    failure = ann["heavy_tail"].find("failure")
    assert failure is not None
    assert (
        failure.get("message")
        == "y[0]: expected 1, computed 2 \N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}<&"
    )
    assert ann["walkthrough"].get("time") == "0.000250"
    assert suites["fault"].find("testcase/error") is not None


def test_check50_reports(grades: Path) -> None:
    report = json.loads(files(grades, "check50")["ann.json"])
    assert (report["slug"], report["version"]) == ("03_gemv", "0.1.0")
    results = {result["name"]: result for result in report["results"]}
    assert {name: result["passed"] for name, result in results.items()} == {
        "verdict": False,
        "walkthrough": True,
        "heavy_tail": False,
    }
    assert results["heavy_tail"]["cause"] | {"rationale": ""} == {
        "rationale": "",
        "help": None,
        "expected": "1.0",
        "actual": "nan",
    }
    assert results["heavy_tail"]["dependency"] == "verdict"
    fault = json.loads(files(grades, "check50")["fault.json"])
    assert fault["results"][0]["passed"] is None


def test_the_plain_table_has_everyone_and_no_formulas(grades: Path) -> None:
    rows = {row["key"]: row for row in csv.DictReader(io.StringIO(files(grades, "csv")[""].decode("utf-8-sig")))}
    assert set(rows) == {"ann", "张三", "evil", "later", "fault"}
    assert rows["ann"]["id:student_id"] == "002"
    assert rows["evil"]["name"].startswith("'=")
    assert (rows["later"]["pending"], rows["later"]["passed"]) == ("7", "")


@given(st.text(max_size=30), st.text(max_size=30))
def test_junit_is_valid_xml_whatever_is_in_it(name: str, detail: str) -> None:
    graded = grade(0.0, "wrong")
    graded["cases"][1]["detail"] = detail
    graded["reasons"] = [detail]
    mark = mark_of(Record("key", graded, student(name)))
    ET.fromstring(junit.export([mark], Options()).files[""])  # noqa: S314 - our own


@pytest.mark.parametrize("target", TARGETS)
def test_the_command_writes_beside_the_grades(grades: Path, target: str) -> None:
    book = grades.parent / "book.csv"
    text = {
        "canvas": 'Student,ID,Section,03_gemv (7)\n"O\'Brien, Ann",5,A,\n',
        "moodle": 'Identifier,Full name,Grade,Maximum grade,Modified\nParticipant 5,"Ann O\'Brien",,10,-\n',
    }.get(target, "x")
    book.write_text(text)
    arguments = ["--lang", "en", "export", str(grades), "--to", target, "--gradebook", str(book)]
    result = CliRunner().invoke(gemv_grade, arguments, standalone_mode=False)
    assert result.exception is None
    everyone = target in ("junit", "check50", "csv")
    assert result.return_value == (0 if everyone else 1)
    assert ("Not in it" in result.output) is not everyone
    assert "\x07" not in result.output
    written = list(grades.parent.glob(f"grades.{target}*"))
    assert len(written) == 1
    assert str(written[0]) in result.output


def test_out_names_the_place(grades: Path) -> None:
    out = grades.parent / "deep" / "r.xml"
    CliRunner().invoke(gemv_grade, ["export", str(grades), "--to", "junit", "--out", str(out)], standalone_mode=False)
    assert out.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("target", TARGETS)
def test_an_empty_folder_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "book.csv").write_text("Student,ID,Section\n")
    arguments = ["export", str(tmp_path), "--to", target, "--gradebook", str(tmp_path / "book.csv")]
    result = CliRunner().invoke(gemv_grade, arguments, standalone_mode=False)
    assert "There are no grades" in str(result.exception)
