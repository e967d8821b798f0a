"""Splits a text into the sections of an answers form, however the student wrote the headings.

The form's own headings count, and the ways students number: ``# Q1``, ``**Question 1**``, ``问题一``, ``第 2 题``,
``Q3: because ...`` on one line. The form's printed lines, quotations and comments are not the student's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemv_grader.exercise import Exercise
from gemv_grader.prose.html import without_html

RUN_OUTPUT, EXPLANATION = "output", "explanation"

_CHINESE_DIGITS = "一二三四五六七八九"
_NUMBER = rf"(?P<number>[1-9{_CHINESE_DIGITS}])(?!\d)"
# How students number questions, whatever the form's own heading says.
_NUMBERED = re.compile(rf"(?:q(?:uestion)?\s*\.?|问题|問題|第|题目|題目|题|題)\s*{_NUMBER}", re.IGNORECASE)
_EXPLANATION = re.compile(r"解释|解釋|说明|說明|explanation|explain", re.IGNORECASE)
_RUN_OUTPUT = re.compile(
    r"(?:运行|運行|执行|執行|程序|程式)(?:输出|輸出|结果|結果)|(?:run|program|actual) (?:output|result|log)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]*|\*\*[ \t]*|__[ \t]*)(?P<title>[^\n]{1,200}?)[ \t]*$")
_BARE = re.compile(
    rf"^[ \t]*[(（【\[]?[ \t]*(?:(?:q(?:uestion)?[ \t]*\.?|问题|問題|题目|題目)[ \t]*{_NUMBER}"
    rf"|第[ \t]*(?P<ordinal>[1-9{_CHINESE_DIGITS}])[ \t]*[题題问問])"
    rf"(?:[ \t]*[)）】\]]|[ \t]*[:：.、\-—]|[ \t]*$)(?P<rest>[^\n]*)$",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(rf"^[ \t]*{_NUMBER}[ \t]*[.、)）:：](?P<rest>[^\n]*)$")
_MARKS = "*_ \t:：#"
_PROMPT = re.compile(r"^\s*(?:你的答案|我的答案|答案|回答|your answer|my answer|answer|答)\s*[:：]\s*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """Words of the student's in a section: ``text`` stands at ``start`` of the file."""

    section: str
    start: int
    text: str


@dataclass(frozen=True)
class Split:
    """The student's words in their order, whether any heading was found, and the comments left out."""

    pieces: tuple[Piece, ...]
    headed: bool
    comments: tuple[str, ...]


def split(text: str, exercise: Exercise) -> Split:
    """The pieces of ``text`` by section, one a line; offsets count in ``text`` as it is."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    printed = {line.strip() for line in exercise.answers_form.splitlines()}
    own_comments = tuple(match[0] for match in _COMMENT.finditer(text) if match[0] not in exercise.answers_form)
    plain = without_html(_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text))
    lines = list(_lines(plain))
    pieces = tuple(_pieces(lines, printed, exercise, by_list_numbers=False))
    headed = any(_opens(line, exercise, False) for _, line in lines)
    if not headed and _counts_up(lines):
        pieces, headed = tuple(_pieces(lines, printed, exercise, by_list_numbers=True)), True
    return Split(pieces, headed, own_comments)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _pieces(
    lines: list[tuple[int, str]], printed: set[str], exercise: Exercise, *, by_list_numbers: bool
) -> Iterator[Piece]:
    section = None
    for start, line in lines:
        if opened := _opens(line, exercise, by_list_numbers):
            section, rest = opened
            if rest.strip(_MARKS):
                yield _piece(section, start + len(line) - len(rest), rest)
        elif section is not None and not line.lstrip().startswith(">") and (line.strip() or "") not in printed - {""}:
            yield _piece(section, start, line)


def _piece(section: str, start: int, text: str) -> Piece:
    prompt = _PROMPT.match(text)
    cut = prompt.end() if prompt else 0
    return Piece(section, start + cut, text[cut:])


def _opens(line: str, exercise: Exercise, by_list_numbers: bool) -> tuple[str, str] | None:
    """The section that ``line`` opens, and what of the line is already the answer."""
    known = {section.id for section in exercise.answers}
    if heading := _HEADING.match(line):
        title = heading["title"]
        bold = re.match(r"[^*\n]{1,80}\*\*[ \t]*[:：]?", title) if line.lstrip().startswith("**") else None
        if bold:
            section = _section_of(bold[0].strip(_MARKS), exercise)
            return (section, title[bold.end() :]) if section in known and section else None
        section = _section_of(title.strip(_MARKS), exercise) if not line.lstrip().startswith("**") else None
        return (section, "") if section in known and section else None
    for pattern in (_BARE, _LIST_NUMBER) if by_list_numbers else (_BARE,):
        if match := pattern.match(line):
            digit = match["number"] or match.groupdict().get("ordinal") or ""
            section = _by_number(digit)
            return (section, match["rest"].lstrip(":：.、)）-— \t")) if section in known else None
    words = line.strip().strip(_MARKS)
    if len(words) <= 24 and (label := re.match(r"^[^:：]{1,24}[:：]?$", words)):
        section = _exactly(label[0].rstrip(":： "), exercise)
        return (section, "") if section else None
    return None


def _section_of(title: str, exercise: Exercise) -> str | None:
    """The id of the section that a heading names: by the form's heading, or by the ways students write it."""
    folded = title.casefold()
    for section in exercise.answers:
        if any(heading.casefold() in folded for heading in (section.heading.zh, section.heading.en)):
            return section.id
    if numbered := _NUMBERED.search(title):
        return _by_number(numbered["number"])
    if _RUN_OUTPUT.search(title):
        return RUN_OUTPUT
    return EXPLANATION if _EXPLANATION.search(title) else None


def _exactly(title: str, exercise: Exercise) -> str | None:
    """The section whose heading ``title`` is, word for word and without any mark-up."""
    folded = title.casefold()
    for section in exercise.answers:
        if folded in (section.heading.zh.casefold(), section.heading.en.casefold()):
            return section.id
    if _RUN_OUTPUT.fullmatch(title):
        return RUN_OUTPUT
    return (
        EXPLANATION if folded in ("解释", "代码解释", "解释实现", "explanation", "code explanation", "解釋") else None
    )


def _by_number(digit: str) -> str:
    return f"q{_CHINESE_DIGITS.index(digit) + 1 if digit in _CHINESE_DIGITS else digit}"


def _counts_up(lines: list[tuple[int, str]]) -> bool:
    """Whether lines of a text without headings are numbered 1, 2, 3 and no other way: then these are the questions."""
    numbers = [_by_number(match["number"]) for _, line in lines if (match := _LIST_NUMBER.match(line))]
    return numbers == ["q1", "q2", "q3"]
