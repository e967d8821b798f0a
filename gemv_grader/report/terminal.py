"""The grade for people: verdict first, then what was wrong, the points with their reasons, and the next step.

On a terminal it has colour and is wrapped to the window; elsewhere the same lines come plain and unwrapped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text as Styled

from gemv_grader.grade import Grade
from gemv_grader.outcome import show
from gemv_grader.report import wording
from gemv_grader.report.plain import one_line, printable
from gemv_grader.scoring import ItemScore
from gemv_grader.verdict import smallest_failure
from gemv_grader.words import CaseStatus, Evidence, Lang, Severity, Text, Verdict

_STYLES = {
    Verdict.CORRECT: "bold green",
    Verdict.UNVERIFIED: "bold cyan",
    Verdict.NOT_ATTEMPTED: "bold yellow",
    Verdict.GRADER_FAULT: "bold magenta",
}
_SEVERITY_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
_MARKS = {
    CaseStatus.PASSED: ("✓", "green"),
    CaseStatus.FAILED: ("✗", "red"),
    CaseStatus.CRASHED: ("!", "bold red"),
    CaseStatus.SKIPPED: ("-", "dim"),
}
_UNWRAPPED = 10_000  # columns: in a pipe or a file, a reader's own tools do the wrapping
_SHOWN = 5  # cases and findings listed before "and N more"


def console_for(stream: TextIO | None = None) -> Console:
    """A console on ``stream`` (default: stdout). Colour only on a terminal and without NO_COLOR."""
    stream = stream or sys.stdout
    return Console(
        file=stream,
        width=None if stream.isatty() else _UNWRAPPED,
        highlight=False,
        emoji=False,
        markup=False,
        soft_wrap=not stream.isatty(),
    )


def print_grade(grade: Grade, lang: Lang, console: Console) -> None:
    """Print the report of one submission."""
    console.print(Group(*_report(grade, lang)))


def print_head(grade: Grade, lang: Lang, console: Console) -> None:
    """Print only the verdict with its reasons, and what was noticed about the fill."""
    console.print(Group(*_head(grade, lang), *_findings(grade, lang)))


def _report(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    yield from _head(grade, lang)
    yield from _failure(grade, lang)
    yield from _findings(grade, lang)
    yield from _cases(grade, lang)
    yield from _points(grade, lang)
    yield from _vetoes(grade, lang)
    yield from _next_step(grade, lang)


def _head(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    trail = grade.trail
    name = trail.submission.path.name if trail.submission.path else trail.submission.student
    line = Styled(wording.VERDICTS[grade.verdict].say(lang), _STYLES.get(grade.verdict, "bold red"))
    line.append(f"  {printable(name)} · {trail.exercise.id} {trail.exercise.title.say(lang)}", "default")
    yield line
    if trail.static_review_only:
        # In both languages: whoever the result is passed on to must not take it for a measured one.
        yield Styled("static review only / 仅静态审查", "bold yellow")
    yield Styled(wording.EVIDENCE[trail.evidence].say(lang), "dim")
    for reason in grade.reasons[:_SHOWN]:
        yield _indented(Styled(printable(reason.say(lang))))
    if (more := len(grade.reasons) - _SHOWN) > 0:
        yield _indented(Styled(wording.MORE.format(count=more).say(lang), "dim"))
    if (diff := getattr(trail.locked, "diff", ())) and grade.verdict is Verdict.REJECTED:
        yield from (_indented(_diff_line(line), 4) for line in diff)


def _diff_line(line: str) -> Styled:
    style = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
    return Styled(printable(line), style)


def _failure(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    outcome = smallest_failure(grade.trail)
    if outcome is None:
        return
    yield _heading(wording.SMALLEST, lang)
    yield _indented(Styled(f"{outcome.id}   {outcome.shape}"))
    if outcome.example is not None:
        values = wording.VALUES.format(
            element=outcome.example.element,
            expected=show(outcome.example.expected),
            computed=show(outcome.example.computed),
        )
        yield _indented(Styled(values.say(lang), "bold"))
    else:
        yield _indented(Styled(printable(outcome.detail.say(lang)), "bold"))
    note = next((case.note for case in grade.trail.exercise.cases if case.id == outcome.id), None)
    if note is not None:
        yield _indented(Styled(note.say(lang), "dim"))


def _findings(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    already = {reason.say(lang) for reason in grade.reasons}
    findings = [finding for finding in grade.trail.findings if finding.message.say(lang) not in already]
    if grade.trail.fill is not None and grade.trail.fill.attempted:
        yield _heading(wording.YOUR_FILL.format(line=grade.trail.fill.place.line), lang)
        yield _indented(Styled(one_line(grade.trail.fill.source, 300), "cyan"))
    for finding in findings[: 2 * _SHOWN]:
        place = f"{finding.place.line}:{finding.place.column}  " if finding.place else ""
        style = _SEVERITY_STYLES[finding.severity]
        label = wording.SEVERITIES[finding.severity].say(lang)
        yield _indented(Styled.assemble((f"{label} ", style), (place, "dim"), printable(finding.message.say(lang))))


def _cases(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    outcomes = grade.trail.outcomes
    if not outcomes:
        return
    yield _heading(wording.CASES[outcomes[0].evidence], lang)
    for group in dict.fromkeys(outcome.group for outcome in outcomes):
        members = [outcome for outcome in outcomes if outcome.group == group]
        passed = sum(outcome.status is CaseStatus.PASSED for outcome in members)
        line = Styled(f"{wording.GROUPS[group].say(lang)} {passed}/{len(members)}  ")
        for outcome in members:
            line.append(*_MARKS[outcome.status])
        yield _indented(line)
    shown = [outcome for outcome in outcomes if outcome.status in (CaseStatus.FAILED, CaseStatus.CRASHED)]
    for outcome in shown[:_SHOWN]:
        mark, style = _MARKS[outcome.status]
        yield _indented(Styled.assemble((f"{mark} {outcome.id}  ", style), printable(outcome.detail.say(lang))), 4)
    if (more := len(shown) - _SHOWN) > 0:
        yield _indented(Styled(wording.MORE.format(count=more).say(lang), "dim"), 4)


def _points(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    score = grade.score
    yield _heading(wording.POINTS, lang)
    rows = [_item_row(items, lang) for items in _alike(score.items)]
    width = max(cell_len(points.plain) for points, _, _ in rows)
    for points, title, reason in rows:
        points.pad_left(width - cell_len(points.plain))
        yield _indented(Styled("  ").join((points, title, reason)))
    total = wording.TOTAL.format(earned=_points_text(score.earned), possible=_points_text(score.possible))
    line = Styled(total.say(lang), "bold")
    if score.suggested:
        line.append(wording.SUGGESTED.format(points=_points_text(score.suggested)).say(lang), "cyan")
    if score.pending:
        line.append(wording.PENDING.format(points=_points_text(score.pending)).say(lang), "cyan")
    line.append("  " + wording.PASSED[score.passed].say(lang), "default")
    yield _indented(line)


def _alike(items: tuple[ItemScore, ...]) -> list[list[ItemScore]]:
    """Neighbouring items that lost, or wait, for the same reason: told once."""
    return [list(run) for _, run in groupby(items, key=lambda item: (item.state, item.reason))]


def _item_row(items: list[ItemScore], lang: Lang) -> tuple[Styled, Styled, Styled]:
    title = wording.AND.say(lang).join(item.title.say(lang) for item in items)
    possible, earned = sum(item.points for item in items), sum(item.earned for item in items)
    if waiting := sum(item.pending + item.suggested for item in items):
        text = wording.WAITING.format(points=_points_text(waiting), possible=_points_text(possible))
        points = Styled(text.say(lang), "cyan")
    else:
        style = "green" if earned == possible else "red" if earned == 0 else "yellow"
        points = Styled(f"{_points_text(earned)}/{_points_text(possible)}", style)
    return points, Styled(title), Styled(items[0].reason.say(lang), "dim")


def _vetoes(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    for veto in grade.score.vetoes:
        if veto.state != "cleared":
            style = "bold red" if veto.state == "raised" else "bold yellow"
            state = wording.VETO_STATES[veto.state].say(lang)
            text = f"{veto.title.say(lang)}: {printable(veto.reason.say(lang))}"
            yield _indented(Styled.assemble((f"{state} ", style), text))


def _next_step(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    trail = grade.trail
    step = wording.NEXT.get(grade.verdict)
    if grade.verdict is Verdict.CORRECT and trail.evidence is not Evidence.GPU:
        step = wording.NEXT[Verdict.UNVERIFIED]
    if step is not None:
        yield Styled(wording.NEXT_STEP.format(step=step.format(exercise=trail.exercise.id)).say(lang))


def _heading(text: Text, lang: Lang) -> Styled:
    return Styled(text.say(lang), "bold")


def _indented(what: RenderableType, columns: int = 2) -> RenderableType:
    return Padding(what, (0, 0, 0, columns), expand=False)


def _points_text(points: float) -> str:
    return f"{points:g}"
