"""One line for each fill of a proof: what killed it, or what is wrong with it."""

from __future__ import annotations

from gemv_grader.proof import Trial
from gemv_grader.report.plain import one_line
from gemv_grader.words import Lang, Text

_MOST_KILLERS = 6


def trial_line(trial: Trial, lang: Lang) -> str:
    """The fill's id, its text, and the cases that did not pass; a problem comes first."""
    mark = "✗" if trial.problem else "✓"
    line = f"{mark} {trial.id:<24} {one_line(trial.fill, 44):<44}  {_result(trial).say(lang)}"
    return f"{line}\n    {one_line(trial.problem.say(lang), 300)}" if trial.problem else line


def _result(trial: Trial) -> Text:
    if not trial.outcomes:
        return NOTHING_RAN
    if not trial.killers:
        return ALL_PASS.format(units=f"{trial.worst:.2f}")
    shown = ", ".join(trial.killers[:_MOST_KILLERS])
    more = len(trial.killers) - _MOST_KILLERS
    return KILLED.format(cases=shown if more <= 0 else f"{shown}, +{more}")


NOTHING_RAN = Text(zh="没有运行", en="not run")
ALL_PASS = Text(zh="全部通过，误差至多 {units} 个单位", en="all pass, error at most {units} units")
KILLED = Text(zh="被抓住：{cases}", en="killed by {cases}")
