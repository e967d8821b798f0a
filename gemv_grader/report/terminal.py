"""The grade for people: verdict first, then what was wrong, the points with their reasons, and the next step.

On a terminal it has colour and is wrapped to the window; elsewhere the same lines come plain and unwrapped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text as Styled

from gemv_grader.grade import Grade
from gemv_grader.report import wording
from gemv_grader.report.answers_report import claims, readings
from gemv_grader.report.blocks import SHOWN, hanging, heading, indented
from gemv_grader.report.plain import one_line, printable
from gemv_grader.scoring import ItemScore
from gemv_grader.verdict import smallest_failure
from gemv_grader.words import CaseStatus, Evidence, Finding, Lang, Severity, Text, Verdict

_STYLES = {
    Verdict.CORRECT: "bold green",
    Verdict.UNVERIFIED: "bold cyan",
    Verdict.NOT_ATTEMPTED: "bold yellow",
    Verdict.GRADER_FAULT: "bold magenta",
}
# The weightiest first.
_SEVERITY_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
_MARKS = {
    CaseStatus.PASSED: ("✓", "green"),
    CaseStatus.FAILED: ("✗", "red"),
    CaseStatus.CRASHED: ("!", "bold red"),
    CaseStatus.SKIPPED: ("-", "dim"),
}
_UNWRAPPED = 10_000  # columns: in a pipe or a file, a reader's own tools do the wrapping


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the caller: Rich would end the process, with a verdict's exit code."""
        raise BrokenPipeError


def console_for(stream: TextIO | None = None) -> Console:
    """A console on ``stream`` (default: stdout). Colour only on a terminal and without NO_COLOR."""
    stream = stream or sys.stdout
    return _Console(
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
    yield from _accesses(grade, lang)
    yield from _points(grade, lang)
    yield from readings(grade, lang)
    yield from claims(grade, lang)
    yield from _vetoes(grade, lang)
    yield from _next_step(grade, lang)


def _head(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    trail = grade.trail
    name = trail.submission.file_name
    line = Styled(wording.VERDICTS[grade.verdict].say(lang), _STYLES.get(grade.verdict, "bold red"))
    line.append(f"  {one_line(name, 200)} · {trail.exercise.id} {trail.exercise.title.say(lang)}", "default")
    yield line
    if trail.static_review_only:
        # In both languages: whoever the result is passed on to must not take it for a measured one.
        yield Styled("static review only / 仅静态审查", "bold yellow")
    yield Styled(wording.EVIDENCE[trail.evidence].say(lang), "dim")
    reasons = _reasons(grade)
    for reason in reasons[:SHOWN]:
        yield indented(Styled(printable(reason.say(lang))))
    if (more := len(reasons) - SHOWN) > 0:
        yield indented(Styled(wording.MORE.format(count=more).say(lang), "dim"))
    if (diff := getattr(trail.locked, "diff", ())) and grade.verdict is Verdict.REJECTED:
        yield from (indented(_diff_line(line), 4) for line in diff)


def _reasons(grade: Grade) -> tuple[Text, ...]:
    """The reasons that no other section shows: cases have one, and so have findings, with their places."""
    outcomes = grade.trail.outcomes
    if grade.verdict in (Verdict.WRONG, Verdict.CRASHED):
        count = {status: sum(outcome.status is status for outcome in outcomes) for status in CaseStatus}
        bad, skipped = count[CaseStatus.FAILED] + count[CaseStatus.CRASHED], count[CaseStatus.SKIPPED]
        failed = wording.FAILED.format(bad=bad, total=len(outcomes))
        return (failed, wording.SKIPPED.format(skipped=skipped)) if skipped else (failed,)
    found = {finding.message for finding in grade.trail.findings}
    return tuple(reason for reason in grade.reasons if reason not in found)


def _diff_line(line: str) -> Styled:
    style = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
    return Styled(printable(line), style)


def _failure(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    outcome = smallest_failure(grade.trail)
    if outcome is None:
        return
    yield heading(wording.SMALLEST, lang)
    yield indented(Styled(f"{outcome.id}  {outcome.shape}"))
    yield indented(Styled(printable(outcome.detail.say(lang)), "bold"))
    note = next((case.note for case in grade.trail.exercise.cases if case.id == outcome.id), None)
    if note is not None:
        yield indented(Styled(note.say(lang), "dim"))


def _findings(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    if grade.trail.fill is not None and grade.trail.fill.attempted:
        yield heading(wording.YOUR_FILL.format(line=grade.trail.fill.place.line), lang)
        yield indented(Styled(one_line(grade.trail.fill.source, 300), "cyan"))
    order = list(_SEVERITY_STYLES)
    for finding in sorted(grade.trail.findings, key=lambda found: order.index(found.severity))[: 2 * SHOWN]:
        said = printable(finding.message.say(lang))
        label = wording.SEVERITIES[finding.severity].say(lang)
        prefix = Styled.assemble((f"{label}  ", _SEVERITY_STYLES[finding.severity]), (_place(finding, said), "dim"))
        yield hanging(prefix, Styled(said))


def _place(finding: Finding, said: str) -> str:
    """Where a finding is, unless the message says so itself."""
    place = finding.place
    if place is None or re.search(rf"\b{place.line}\b.*\b{place.column}\b", said):
        return ""
    return f"{place.line}:{place.column}  "


def _cases(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    outcomes = grade.trail.outcomes
    if not outcomes:
        return
    yield heading(wording.CASES[outcomes[0].evidence], lang)
    for group in dict.fromkeys(outcome.group for outcome in outcomes):
        members = [outcome for outcome in outcomes if outcome.group == group]
        passed = sum(outcome.status is CaseStatus.PASSED for outcome in members)
        line = Styled(f"{wording.GROUPS[group].say(lang)} {passed}/{len(members)}  ")
        for outcome in members:
            line.append(*_MARKS[outcome.status])
        yield indented(line)
    bad = [outcome for outcome in outcomes if outcome.status in (CaseStatus.FAILED, CaseStatus.CRASHED)]
    told = smallest_failure(grade.trail)
    shown = sorted((o for o in bad if o is not told), key=lambda outcome: outcome.status is not CaseStatus.CRASHED)
    for outcome in shown[:SHOWN]:
        mark, style = _MARKS[outcome.status]
        yield hanging(Styled(f"{mark} {outcome.id}  ", style), Styled(printable(outcome.detail.say(lang))), 4)
    if (more := len(shown) - SHOWN) > 0:
        yield indented(Styled(wording.MORE.format(count=more).say(lang), "dim"), 4)


def _accesses(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    """How the program's reads and writes of global memory coalesce: counted, so shown for right programs too."""
    case = next((outcome for outcome in grade.trail.outcomes if outcome.patterns), None)
    if case is None:
        return
    yield heading(wording.ACCESSES.format(case=case.id), lang)
    for pattern in case.patterns:
        if pattern.memory == "global":
            line = wording.SECTORS.format(
                line=pattern.line or "-",
                action=wording.ACTIONS.get(pattern.action, wording.ACTIONS["read"]),
                array=pattern.array,
                actual=f"{pattern.units / pattern.requests:.1f}",
                ideal=f"{pattern.ideal / pattern.requests:.1f}",
            )
            yield indented(Styled(line.say(lang), "dim" if pattern.units <= pattern.ideal * 1.5 else "yellow"))


def _points(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    score = grade.score
    yield heading(wording.POINTS, lang)
    rows = [_item_row(items, lang) for items in _alike(score.items)]
    width = max(cell_len(points.plain) for points, _ in rows)
    for points, text in rows:
        points.pad_left(width - cell_len(points.plain))
        yield hanging(points.append("  "), text)
    total = wording.TOTAL.format(earned=_points_text(score.earned), possible=_points_text(score.possible))
    line = Styled(total.say(lang), "bold")
    if score.suggested:
        line.append(wording.SUGGESTED.format(points=_points_text(score.suggested)).say(lang), "cyan")
    if score.pending:
        line.append(wording.PENDING.format(points=_points_text(score.pending)).say(lang), "cyan")
    line.append("  " + wording.PASSED[score.passed].say(lang), "default")
    yield indented(line)
    if score.missing and not score.passed:
        sentences = wording.SEMICOLON.say(lang).join(sentence.say(lang) for sentence in score.missing)
        yield hanging(Styled(wording.MISSING.say(lang), "dim"), Styled(sentences, "dim"))


def _alike(items: tuple[ItemScore, ...]) -> list[list[ItemScore]]:
    """Neighbouring items that lost, or wait, for the same reason: told once."""
    return [list(run) for _, run in groupby(items, key=lambda item: (item.state, item.reason, item.earned and item.id))]


def _item_row(items: list[ItemScore], lang: Lang) -> tuple[Styled, Styled]:
    """Points, and what they are for with the reason."""
    title = wording.AND.say(lang).join(item.title.say(lang) for item in items)
    possible, earned = sum(item.points for item in items), sum(item.earned for item in items)
    if waiting := sum(item.pending + item.suggested for item in items):
        label = wording.WAITING if any(item.pending for item in items) else wording.SUGGESTED_ITEM
        text = label.format(points=_points_text(waiting), possible=_points_text(possible))
        points = Styled(text.say(lang), "cyan")
    else:
        style = "green" if earned == possible else "red" if earned == 0 else "yellow"
        points = Styled(f"{_points_text(earned)}/{_points_text(possible)}", style)
    return points, Styled.assemble(f"{title}  ", (printable(items[0].reason.say(lang)), "dim"))


def _vetoes(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    for veto in grade.score.vetoes:
        if veto.state != "cleared":
            style = "bold red" if veto.state == "raised" else "bold yellow"
            state = wording.VETO_STATES[veto.state].say(lang)
            text = wording.VETO.format(title=veto.title, reason=veto.reason).say(lang)
            yield indented(Styled.assemble((f"{state}  ", style), printable(text)))


def _next_step(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    trail = grade.trail
    step = wording.NEXT.get(grade.verdict)
    if grade.verdict is Verdict.CORRECT and trail.evidence is not Evidence.GPU:
        step = wording.NEXT[Verdict.UNVERIFIED]
    if grade.verdict is Verdict.REJECTED and trail.fill is not None:
        step = wording.NEXT_FILL
    if step is not None:
        yield Styled(wording.NEXT_STEP.format(step=step.format(exercise=trail.exercise.id)).say(lang))


def _points_text(points: float) -> str:
    return f"{points:g}"
