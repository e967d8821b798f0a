"""Splits a text into the sections of an answers form, however the student wrote the headings.

The form's own headings count, and the ways students number: ``# Q1``, ``**Question 1**``, ``问题一``, ``第 2 题``,
``Q3: because ...`` on one line. The form's printed lines, quotations and comments are not the student's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from gemv_grader.exercise import Exercise
from gemv_grader.materials import MOST_LINES
from gemv_grader.prose.html import without_html

RUN_OUTPUT, EXPLANATION = "output", "explanation"

_CHINESE_DIGITS = "一二三四五六七八九"
_NUMBER = rf"(?P<number>[1-9{_CHINESE_DIGITS}])(?!\d)"
# How students number questions, whatever the form's own heading says.
_NUMBERED = re.compile(
    rf"(?:q(?:uestion)?\s*\.?|问题|問題|题目|題目|题|題)\s*{_NUMBER}"
    rf"|第\s*(?P<ordinal>[1-9{_CHINESE_DIGITS}])\s*(?:[题題问問道]|\Z)",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(r"解释|解釋|说明|說明|explanation|explain", re.IGNORECASE)
_RUN_OUTPUT = re.compile(
    r"(?:运行|運行|执行|執行|程序|程式)(?:输出|輸出|结果|結果)|(?:run|program|actual) (?:output|result|log)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6}|\*\*|__")
_BOLD = re.compile(r"[^*\n]{1,80}\*\*[ \t]{0,9}[:：]?")
_UNDERLINE = re.compile(r"(?:={2,}|-{2,})\Z")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)\Z")
_LONGEST_TITLE = 200
_EXPLANATIONS = ("解释", "代码解释", "解释实现", "explanation", "code explanation", "解釋")
_BELOW_ALL = 7  # the level of bold words used as a heading
_BARE = re.compile(
    rf"[(（【\[]?[ \t]{{0,9}}(?:(?:q(?:uestion)?[ \t]{{0,9}}\.?|a(?:nswer|ns)|答案?|问题|問題|题目|題目)"
    rf"[ \t]{{0,9}}{_NUMBER}"
    rf"|第[ \t]{{0,9}}(?P<ordinal>[1-9{_CHINESE_DIGITS}])[ \t]{{0,9}}[题題问問])"
    rf"[ \t]{{0,9}}(?:[)）】\]:：.、\-—]|$)(?P<rest>[^\n]*)$",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(rf"[(（]?{_NUMBER}[ \t]{{0,9}}[.、)）:：](?P<rest>[^\n]*)$")
# The sections that have no number, where their names begin a line that goes on with the answer.
_NAMED = re.compile(
    r"(?:(?P<output>(?:实际|實際)?(?:运行|運行)(?:输出|輸出|结果|結果)|(?:run|program) output)"
    r"|(?:代码|代碼|程式碼|实现|實現)(?:解释|解釋|说明|說明)|(?:解释|解釋|说明|說明)(?:代码|代碼|程式碼|实现|實現)|explanation)"
    r"[ \t]{0,9}[:：.、)）](?P<rest>[^\n]*)$",
    re.IGNORECASE,
)
# What ends a line for whoever typed it, though not for Markdown; each is one character, so that offsets stay.
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))
_MARKS = "*_ \t:：#"
_BLANKS = " \t"
_PROMPT = re.compile(r"^\s*(?:你的答案|我的答案|答案|回答|your answer|my answer|answer|答)\s*[:：]\s*", re.IGNORECASE)
_COMMENT_MARKS = re.compile(r"<!--|-->|\n")
_MOST_MARKS = 3 * MOST_LINES
_LABEL = re.compile(r"[^:：]{1,24}[:：]?\Z")


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


@dataclass(frozen=True)
class _Form:
    """The sections of an exercise's form, and their headings in lower case with the section of each."""

    sections: frozenset[str]
    headings: tuple[tuple[str, str], ...]
    titles: Mapping[str, str]

    @classmethod
    def of(cls, exercise: Exercise) -> _Form:
        """The form of ``exercise``."""
        headings = tuple(
            (heading.casefold(), section.id)
            for section in exercise.answers
            for heading in (section.heading.zh, section.heading.en)
        )
        titles = dict.fromkeys(_EXPLANATIONS, EXPLANATION) | dict(reversed(headings))
        return cls(frozenset(section.id for section in exercise.answers), headings, titles)


def split(text: str, exercise: Exercise) -> Split:
    """The pieces of ``text`` by section, one a line; offsets count in ``text`` as it is."""
    text = text.replace("\r\n", " \n").translate(_LINE_ENDS)
    printed = {line.strip() for line in exercise.answers_form.splitlines()} - {""}
    spans = list(_comments(text))
    comments = tuple(c for start, end in spans if (c := text[start:end]) not in exercise.answers_form)
    lines = list(islice(_lines(without_html(_blanked(text, spans))), MOST_LINES))
    form = _Form.of(exercise)
    # Numbers head sections only where nothing else does; a form may also be handed in inside a fence as a whole.
    code = _fenced([line for _, line in lines])
    bare = (_BARE,) if _has_headings(lines, form) else (_BARE, _NAMED)
    ways = [(code, bare), *[(code, (*bare, _LIST_NUMBER))] * _counts_up(lines), (frozenset[int](), bare)]
    for fenced, labels in ways:
        pieces = _pieces(lines, printed, fenced, form, labels)
        if pieces is not None:
            return Split(tuple(pieces), True, comments)
    return Split((), False, comments)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where comments stand. An unclosed one ends with its line: forgotten, it must not hide all that follows."""
    start = line_end = None
    for mark in islice(_COMMENT_MARKS.finditer(text), _MOST_MARKS):
        if mark[0] == "\n":
            line_end = mark.start() if line_end is None else line_end
        elif mark[0] == "-->":
            if start is not None:
                yield start, mark.end()
            start = None
        else:
            if start is not None:
                yield start, mark.start() if line_end is None else line_end
            start, line_end = mark.start(), None
    if start is not None:
        yield start, len(text) if line_end is None else line_end


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        inside = text[start:end]
        parts += [text[at:start], re.sub(r"[^\n]", " ", inside) if "\n" in inside else " " * len(inside)]
        at = end
    return "".join((*parts, text[at:]))


def _fenced(lines: list[str]) -> frozenset[int]:
    """The numbers of the lines inside closed code fences; one that is never closed holds nothing."""
    inside: set[int] = set()
    opened, fence = 0, ""
    for number, line in enumerate(lines):
        match = _FENCE.match(line.strip()[:_LONGEST_TITLE])
        if match is None:
            continue
        if fence and match["fence"].startswith(fence) and not match["info"].strip():
            inside.update(range(opened, number + 1))
            fence = ""
        elif not fence or match["info"].strip():  # a fence with a language opens: the one before was forgotten
            opened, fence = number, match["fence"]
    return frozenset(inside)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _pieces(
    lines: list[tuple[int, str]],
    printed: set[str],
    fenced: frozenset[int],
    form: _Form,
    labels: Sequence[re.Pattern[str]],
) -> list[Piece] | None:
    """The student's words under the headings, None where there is no heading."""
    pieces: list[Piece] = []
    section, level, underline = None, _BELOW_ALL, -1
    for number, (start, line) in enumerate(lines):
        if number == underline:
            continue
        below = lines[number + 1][1].strip(_BLANKS) if number + 1 < len(lines) else ""
        rule = below if below[:1] in ("=", "-") and _UNDERLINE.match(below) else ""
        inside = level if section is not None and section.startswith("q") else _BELOW_ALL
        if number not in fenced and (opened := _opens(line, form, labels, inside, rule)):
            section, rest, level = opened
            if rest.strip(_MARKS):
                pieces.append(_piece(section, start + len(line.rstrip(_BLANKS)) - len(rest), rest))
            elif rule:
                underline = number + 1
        elif section is not None and not line.lstrip().startswith(">") and line.strip() not in printed:
            pieces.append(_piece(section, start, line))
    return None if section is None else pieces


def _piece(section: str, start: int, text: str) -> Piece:
    prompt = _PROMPT.match(text)
    cut = prompt.end() if prompt else 0
    return Piece(section, start + cut, text[cut:])


def _opens(
    line: str, form: _Form, labels: Sequence[re.Pattern[str]], inside: int, rule: str
) -> tuple[str, str, int] | None:
    """The section that ``line`` opens, what at its end is already the answer, and the heading's level.

    ``labels`` open a section without any mark-up. ``inside``: the level of the question's heading above; a deeper one
    is a part of its answer unless it begins with another section's name. ``rule``: the line below, where that
    underlines.
    """
    text = line.strip(_BLANKS)
    if not text:
        return None
    indented = len(line) - len(line.lstrip(_BLANKS)) > 3
    if (mark := _HEADING.match(text)) and not indented:
        title, rest = text[mark.end() :].lstrip(_BLANKS), ""
        level = len(mark[0]) if mark[0][0] == "#" else _BELOW_ALL
        if mark[0] == "**":
            if not (bold := _BOLD.match(title)):
                return None
            title, rest = bold[0], title[bold.end() :]
        if len(title) > _LONGEST_TITLE:
            return None
        section = _section_of(title.strip(_MARKS), form, begins=level > inside)
        return (section, rest, level) if section in form.sections and section else None
    for label in labels:
        if match := label.match(text):
            section = _labelled(match.groupdict())
            return (section, match["rest"].lstrip(":：.、)）-— \t"), _BELOW_ALL) if section in form.sections else None
    words = text.strip(_MARKS)
    if len(words) <= 24 and _LABEL.match(words) and (section := _exactly(words.rstrip(":： "), form)):
        return section, "", _BELOW_ALL
    if rule and not indented and len(words) <= _LONGEST_TITLE // 2:
        section = _section_of(words, form, begins=True)
        return (section, "", 1 if rule[0] == "=" else 2) if section in form.sections and section else None
    return None


def _labelled(groups: Mapping[str, str | None]) -> str:
    """The id of the section that a match of _BARE, _LIST_NUMBER or _NAMED names."""
    if digit := groups.get("number") or groups.get("ordinal"):
        return _by_number(digit)
    return RUN_OUTPUT if groups.get("output") else EXPLANATION


def _has_headings(lines: list[tuple[int, str]], form: _Form) -> bool:
    """Whether some Markdown heading opens a section: then a line "Explanation: ..." is a part of an answer."""
    return any(line.lstrip(_BLANKS)[:1] == "#" and _opens(line, form, (), _BELOW_ALL, "") for _, line in lines)


def _section_of(title: str, form: _Form, *, begins: bool) -> str | None:
    """The id of the section that a heading names: by the form's heading, or by the ways students write it.

    ``begins``: only where the heading begins with the name.
    """
    folded = title.casefold()
    for heading, section in form.headings:
        if folded.startswith(heading) or (heading in folded and not begins):
            return section
    if numbered := _NUMBERED.match(title) if begins else _NUMBERED.search(title):
        return _by_number(numbered["number"] or numbered["ordinal"])
    if _RUN_OUTPUT.fullmatch(title) if begins else _RUN_OUTPUT.search(title):
        return RUN_OUTPUT
    return EXPLANATION if not begins and _EXPLANATION.search(title) else None


def _exactly(title: str, form: _Form) -> str | None:
    """The section whose heading ``title`` is, word for word and without any mark-up."""
    return form.titles.get(title.casefold()) or (RUN_OUTPUT if _RUN_OUTPUT.fullmatch(title) else None)


def _by_number(digit: str) -> str:
    return f"q{_CHINESE_DIGITS.index(digit) + 1 if digit in _CHINESE_DIGITS else digit}"


def _counts_up(lines: list[tuple[int, str]]) -> bool:
    """Whether lines of a text without headings are numbered 1, 2, 3 and no other way: then these are the questions."""
    numbers = [_by_number(match["number"]) for _, line in lines if (match := _LIST_NUMBER.match(line.strip(_BLANKS)))]
    return numbers == ["q1", "q2", "q3"]
