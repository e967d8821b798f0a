"""Reads an answers file: finds each section by its heading and keeps only the student's own words.

The form's own sentences, block quotes and HTML comments are not answers, so an untouched form is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.encoding import decode
from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.words import Finding, Severity, Text

RUN_OUTPUT = "output"
_MAX_BYTES = 4 << 20

# How students number questions, whatever the form's own heading says.
_NUMBERED = re.compile(
    r"(?:q(?:uestion)?\s*\.?|问题|問題|第)\s*(?P<number>[1-9一二三四五六七八九])(?!\d)", re.IGNORECASE
)
_CHINESE_DIGITS = "一二三四五六七八九"
_EXPLANATION = re.compile(r"解释|解釋|explanation|explain", re.IGNORECASE)
_RUN_OUTPUT = re.compile(r"运行(?:输出|结果)|運行(?:輸出|結果)|(?:run|program) output", re.IGNORECASE)
_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s*|\*\*\s*)(?P<title>.+?)\s*(?:#*|\*\*\s*[:：]?)\s*$")
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HONEST = re.compile(r"静态审查|靜態審查|static\s+review|没有运行|未运行|not\s+(?:been\s+)?run\b", re.IGNORECASE)


@dataclass(frozen=True)
class Answers:
    """The student's words by section (explanation, q1, q2, q3, output)."""

    sections: Mapping[str, str]
    findings: tuple[Finding, ...] = ()

    def text(self, section: str) -> str:
        """The student's words in ``section``, empty where there are none."""
        return self.sections.get(section, "")

    @property
    def claims_a_run(self) -> bool:
        """Whether run output is shown without the remark that nothing was run."""
        output = self.text(RUN_OUTPUT)
        return bool(output) and not _HONEST.search(output)


def read_answers(path: Path, exercise: Exercise) -> Answers:
    """Read an answers file. Raises UsageProblem where it cannot be read at all."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageProblem(UNREADABLE.format(path=path, why=error.strerror or error)) from error
    if len(data) > _MAX_BYTES:
        raise UsageProblem(TOO_LARGE.format(path=path))
    return parse_answers(decode(data).text, exercise)


def parse_answers(text: str, exercise: Exercise) -> Answers:
    """Split ``text`` into the exercise's sections by heading; the lines of its form are not the student's."""
    printed = {line.strip() for line in exercise.answers_form.splitlines()}
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in _HTML_COMMENT.sub("", text).splitlines():
        if (heading := _HEADING.match(line)) and (section := _section_of(heading["title"], exercise)):
            current = sections.setdefault(section, [])
        elif current is not None and _is_students(line, printed):
            current.append(line)
    if not sections:
        return Answers({}, (Finding("answers_without_headings", Severity.WARNING, NO_HEADINGS),))
    return Answers({section: _joined(lines) for section, lines in sections.items()})


def _section_of(title: str, exercise: Exercise) -> str | None:
    """The id of the section that a heading opens: by the form's heading, or by the ways students write it."""
    wording = {
        section.id: (section.heading.zh.casefold(), section.heading.en.casefold()) for section in exercise.answers
    }
    for section, headings in wording.items():
        if any(heading in title.casefold() for heading in headings):
            return section
    guess = _guess(title)
    return guess if guess in wording else None


def _guess(title: str) -> str | None:
    if numbered := _NUMBERED.search(title):
        digit = numbered["number"]
        return f"q{_CHINESE_DIGITS.index(digit) + 1 if digit in _CHINESE_DIGITS else digit}"
    if _RUN_OUTPUT.search(title):
        return RUN_OUTPUT
    return "explanation" if _EXPLANATION.search(title) else None


def _is_students(line: str, printed: set[str]) -> bool:
    return not line.lstrip().startswith(">") and (not line.strip() or line.strip() not in printed)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).strip().strip("`").strip()


UNREADABLE = Text(
    zh="读不了答卷 {path}：{why}。请检查 --answers 的路径。",
    en="Cannot read the answers file {path}: {why}. Check the path given to --answers.",
)
TOO_LARGE = Text(
    zh="答卷 {path} 超过 4 MB，不像是手写的回答。",
    en="The answers file {path} is over 4 MB; no one wrote that by hand.",
)
NO_HEADINGS = Text(
    zh="答卷里没有找到任何标题（代码解释、Q1、Q2、Q3）。请用 gemv-grade start 给出的表格，保留标题再作答。",
    en="The answers file has no headings (explanation, Q1, Q2, Q3). "
    "Use the form that `gemv-grade start` writes, keep its headings, and answer below them.",
)
