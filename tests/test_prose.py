"""Answers: sections are found however students write their headings, and only their own words count."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import load_exercise
from gemv_grader.prose import Answers, parse_answers, read_answers
from gemv_grader.prose.claimed import claimed

EXERCISE = load_exercise("03_gemv")
SECTIONS = ("explanation", "q1", "q2", "q3", "output")


def parse(text: str) -> Answers:
    return parse_answers(text, EXERCISE)


def test_the_untouched_form_is_empty() -> None:
    answers = parse(EXERCISE.answers_form)
    assert not answers.findings
    assert [answers.text(section) for section in SECTIONS] == [""] * len(SECTIONS)


def test_the_form_filled_in_is_read_section_by_section() -> None:
    form = EXERCISE.answers_form
    for section in EXERCISE.answers:
        heading = next(line for line in form.splitlines() if line.startswith("##") and section.heading.zh in line)
        form = form.replace(heading, f"{heading}\n\nanswer to {section.id}\n")
    answers = parse(form)
    assert {section: answers.text(section) for section in SECTIONS} == {s: f"answer to {s}" for s in SECTIONS}


@pytest.mark.parametrize(
    "heading",
    [
        "# Q1",
        "## q1.",
        "### Question 1: how",
        "**Q1**",
        "**问题一**",
        "## 问题1",
        "## 第一题",
        "# 第 1 问",
        "## 問題 1",
    ],
)
def test_ways_to_write_a_heading(heading: str) -> None:
    assert parse(f"{heading}\nmy words\n## Q2\nother words").text("q1") == "my words"


def test_q1_is_not_q10() -> None:
    assert parse("## Q10\nwords").text("q1") == ""


def test_quotes_comments_and_printed_lines_are_not_the_students() -> None:
    answers = parse("## Q1\n> the question quoted\n<!-- a comment\nover lines -->\n\nmine\n")
    assert answers.text("q1") == "mine"


def test_without_headings_a_finding_says_what_to_do() -> None:
    answers = parse("just some words")
    assert [finding.id for finding in answers.findings] == ["answers_without_headings"]


@pytest.mark.parametrize(
    ("output", "measured"),
    [
        ("max error 1e-6, 3.1 TB/s on my H200", True),
        ("y[0] = 15.34375", True),
        ("GPU: RTX 4090", True),
        ("所有用例 ✓", True),
        ("无", False),
        ("N/A", False),
        ("没有 GPU，无法运行，预计误差小于 1e-6", False),
        ("24/24 例在 CPU 上模拟通过", False),
        ("仅静态审查", False),
        ("Static review only: no GPU here", False),
        ("", False),
    ],
)
def test_what_stands_below_run_output_is_taken_for_it(output: str, measured: bool) -> None:
    assert claimed(parse(f"## 运行输出 / Run output\n{output}\n")).measured is measured


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "answers.md"
    path.write_bytes("## 问题一\n相邻线程读相邻的列，所以合并访存，带宽利用率高。\n".encode(encoding))
    assert "合并访存" in read_answers(path, EXERCISE).text("q1")


@pytest.mark.parametrize("name", ["missing.md", ""])
def test_what_cannot_be_read_is_a_usage_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageProblem, match="answers file"):
        read_answers(tmp_path / name, EXERCISE)
