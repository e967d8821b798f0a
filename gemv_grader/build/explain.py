"""Turns a failed build into findings at their places in the student's own file.

Each message ends with the compiler's own words: a student has to learn to read those, too.
"""

from __future__ import annotations

from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.plain_words import Mistake, plain_words
from gemv_grader.exercise import Exercise
from gemv_grader.lock.lookalikes import lookalikes
from gemv_grader.lock.result import Fill
from gemv_grader.program import Program
from gemv_grader.words import Finding, Severity, Text

MOST_FINDINGS = 5


def explain(binary: Binary, fill: Fill, program: Program, exercise: Exercise) -> tuple[Finding, ...]:
    """Findings for the errors of a build, and for its warnings about the fill."""
    if binary.timed_out:
        message = TIMED_OUT.format(seconds=round(binary.seconds))
        return (Finding("compile_timeout", Severity.ERROR, message, fill.place),)
    if binary.errors and (strangers := tuple(lookalikes(fill.tokens))):
        return strangers  # whatever the compiler made of them
    findings = [_error(diagnostic, fill, program, exercise) for diagnostic in binary.errors]
    findings += [
        Finding("compiler_warning", Severity.WARNING, _says(diagnostic), fill.place_of(offset))
        for diagnostic in binary.diagnostics
        if diagnostic.severity == "warning"
        and (offset := _offset(diagnostic, program)) is not None
        and offset < len(fill.text)
    ]
    return tuple(dict.fromkeys(findings))[:MOST_FINDINGS]


def _error(diagnostic: Diagnostic, fill: Fill, program: Program, exercise: Exercise) -> Finding:
    offset = _offset(diagnostic, program)
    at = fill.token_at(offset) if offset is not None and offset < len(fill.text) else len(fill.tokens)
    mistake = Mistake(
        message=diagnostic.message,
        token=fill.tokens[at].text if at < len(fill.tokens) else "",
        before=fill.tokens[at - 1].text if at > 0 else "",
        after=fill.tokens[at + 1].text if at + 1 < len(fill.tokens) else "",
    )
    place = fill.place if offset is None else fill.place_of(offset)
    explained = plain_words(mistake, exercise)
    if explained is None:
        return Finding("compiler_error", Severity.ERROR, _says(diagnostic), place)
    kind, plain = explained
    says = _says(diagnostic)
    return Finding(kind, Severity.ERROR, Text(f"{plain.zh}（{says.zh}）", f"{plain.en} ({says.en})"), place)


def _offset(diagnostic: Diagnostic, program: Program) -> int | None:
    """Where in the fill's text a diagnostic points: its length for what goes wrong just after it, None elsewhere."""
    if diagnostic.line != program.fill_line or diagnostic.column is None:
        return None
    offset = diagnostic.column - program.fill_column
    return program.offset_in_text(min(offset, len(program.fill))) if offset >= 0 else None


def _says(diagnostic: Diagnostic) -> Text:
    return Text(f"编译器：{diagnostic.message}", f"compiler: {diagnostic.message}")


TIMED_OUT = Text(
    zh="编译 {seconds} 秒仍未结束，已停止：这个表达式让编译器展开得太多，这一空只需要一个简短的表达式。",
    en="Compilation was stopped after {seconds} seconds: this expression makes the compiler expand far too "
    "much; a short one is all the blank needs.",
)
