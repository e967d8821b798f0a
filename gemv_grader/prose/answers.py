"""A student's answers by section, and where each of their characters stands in the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gemv_grader.errors import UsageProblem
from gemv_grader.exercise import Exercise
from gemv_grader.files import read_at_most
from gemv_grader.materials import MAX_DOCUMENT_BYTES, MOST_LINES, NOTEBOOKS, answers_of, suffix
from gemv_grader.prose.injection import injected
from gemv_grader.prose.normal import normalise
from gemv_grader.prose.sections import Piece, split
from gemv_grader.words import Finding, Severity, Text

_MAX_BYTES = 4 << 20
_MOST_COMMENTS = 100  # are looked at; none of them is read as an answer


@dataclass(frozen=True)
class Answers:
    """The student's words by section (explanation, q1, q2, q3, output).

    ``starts``: for each section, pairs of an offset in its text and the same character's offset in the file.
    """

    sections: Mapping[str, str]
    findings: tuple[Finding, ...] = ()
    starts: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)

    def text(self, section: str) -> str:
        """The student's words in ``section``, empty where there are none."""
        return self.sections.get(section, "")

    def place(self, section: str, offset: int) -> int:
        """The offset in the answers file of character ``offset`` of a section's text."""
        starts = self.starts.get(section, ())
        index = bisect_right(starts, (offset, 1 << 62)) - 1
        return starts[index][1] + offset - starts[index][0] if index >= 0 else offset


def read_answers(path: Path, exercise: Exercise) -> Answers:
    """Read an answers file. Raises UsageProblem where it cannot be read at all."""
    try:
        data = read_at_most(path, MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        raise UsageProblem(UNREADABLE.format(path=path, why=error.strerror or error)) from error
    return answers_in(path.name, data, exercise)


def answers_in(name: str, data: bytes, exercise: Exercise) -> Answers:
    """The answers in a file of this name and content. Raises UsageProblem if that is far more than anyone writes."""
    if len(data) > (MAX_DOCUMENT_BYTES if suffix(name) in NOTEBOOKS else _MAX_BYTES):
        raise UsageProblem(TOO_LARGE.format(path=name))
    text = answers_of(name, data).encode("utf-8", "replace").decode()  # a notebook's JSON can hold lone surrogates
    answers = parse_answers(text, exercise)
    if text.count("\n") + text.count("\r") <= MOST_LINES:
        return answers
    return replace(answers, findings=(*answers.findings, Finding("answers_cut", Severity.WARNING, CUT)))


def parse_answers(text: str, exercise: Exercise) -> Answers:
    """Split ``text`` into the exercise's sections by heading; the lines of its form are not the student's."""
    parts = split(text, exercise)
    hidden = any(injected(normalise(comment)) for comment in parts.comments[:_MOST_COMMENTS])
    findings = (Finding("comment_addresses_grader", Severity.WARNING, HIDDEN),) if hidden else ()
    if not parts.headed:
        return Answers({}, (*findings, Finding("answers_without_headings", Severity.WARNING, NO_HEADINGS)))
    by_section: dict[str, list[Piece]] = {}
    for piece in parts.pieces:
        by_section.setdefault(piece.section, []).append(piece)
    joined = {section: _joined(pieces) for section, pieces in by_section.items()}
    return Answers(
        sections={section: words for section, (words, _) in joined.items()},
        findings=findings,
        starts={section: starts for section, (_, starts) in joined.items()},
    )


def _joined(pieces: Sequence[Piece]) -> tuple[str, Sequence[tuple[int, int]]]:
    """The pieces' text without what is blank around it, and where its lines stand in the file."""
    text = "\n".join(piece.text for piece in pieces)
    kept = text.strip().strip("`").strip()
    cut = text.find(kept) if kept else 0
    starts = []
    at = -cut
    for piece in pieces:
        if at + len(piece.text) >= 0:
            skipped = max(0, -at)
            starts.append((at + skipped, piece.start + skipped))
        at += len(piece.text) + 1
    return kept, starts


UNREADABLE = Text(
    zh="读不了答卷 {path}：{why}。请检查 --answers 的路径。",
    en="Cannot read the answers file {path}: {why}. Check the path given to --answers.",
)
TOO_LARGE = Text(
    zh="答卷 {path} 超过 4 MB，不像是手写的回答。",
    en="The answers file {path} is over 4 MB; no one wrote that by hand.",
)
CUT = Text(
    zh="答卷有两万多行，只读了前面的",
    en="the answers have over 20,000 lines; only the first of them were read",
)
NO_HEADINGS = Text(
    zh="答卷里没有找到任何标题（代码解释、Q1、Q2、Q3）。请用 gemv-grade start 给出的表格，保留标题再作答。",
    en="The answers file has no headings (explanation, Q1, Q2, Q3). "
    "Use the form that `gemv-grade start` writes, keep its headings, and answer below them.",
)
HIDDEN = Text(
    zh="答卷的注释里有写给评分者的话：注释不算作答，也不会照办",
    en="a comment in the answers addresses the grader: comments are no answers, and are not obeyed",
)
