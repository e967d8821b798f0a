"""Whether a submission passes, as far as that can be said, and in a sentence each what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemv_grader.words import Text

_SLACK = 1e-9  # points are sums of decimal fractions


@dataclass(frozen=True)
class Part:
    """What one item brings: ``certain`` points, and at most ``possible`` once a GPU and a person have spoken."""

    title: Text | str
    certain: float
    possible: float
    unanswered: bool = False


@dataclass(frozen=True)
class Condition:
    """Something a pass needs besides points: no veto, a boundary named. ``holds`` is None while a person decides."""

    title: Text | str
    holds: bool | None
    otherwise: Text


@dataclass(frozen=True)
class Passing:
    """``passed`` is None while a GPU or a person can still change it; ``missing`` says what a pass still needs."""

    passed: bool | None
    missing: tuple[Text, ...]


def passing(parts: Sequence[Part], conditions: Sequence[Condition], passes_at: float) -> Passing:
    """Weigh points and conditions against the rubric's line."""
    certain = sum(part.certain for part in parts)
    reachable = certain + sum(max(0.0, part.possible - part.certain) for part in parts)
    lacking = [(UNANSWERED, part.title) for part in parts if part.unanswered]
    failed = bool(lacking) or any(condition.holds is False for condition in conditions)
    lacking += [(condition.otherwise, condition.title) for condition in conditions if not condition.holds]
    missing = [_listed(said, [title for other, title in lacking if other == said]) for said in dict(lacking)]
    if reachable < passes_at - _SLACK:
        missing.append(TOO_FEW.format(points=f"{reachable:g}", needed=f"{passes_at:g}"))
        failed = True
    elif certain < passes_at - _SLACK:
        missing.append(NOT_YET.format(points=f"{certain:g}", needed=f"{passes_at:g}", more=f"{reachable - certain:g}"))
    undecided = any(condition.holds is None for condition in conditions)
    passed = False if failed else None if undecided or certain < passes_at - _SLACK else True
    return Passing(passed, tuple(missing))


def veto_condition(title: Text | str, state: str) -> Condition:
    """That a veto does not stand."""
    holds = {"raised": False, "suspected": None}.get(state, True)
    return Condition(title, holds, VETO_RAISED if holds is False else VETO_SUSPECTED)


def required_condition(title: Text | str, state: str) -> Condition:
    """That the answers name what they must."""
    holds = {"unmet": False, "to_confirm": None}.get(state, True)
    return Condition(title, holds, LACKING if holds is False else NOT_NAMED)


def _listed(said: Text, titles: Sequence[Text | str]) -> Text:
    both = [title if isinstance(title, Text) else Text(title, title) for title in titles]
    return said.format(title=Text("、".join(title.zh for title in both), ", ".join(title.en for title in both)))


UNANSWERED = Text(zh="没有作答：{title}", en="not answered: {title}")
TOO_FEW = Text(
    zh="最多只能得 {points} 分，及格要 {needed} 分", en="at most {points} points can be reached, a pass needs {needed}"
)
NOT_YET = Text(
    zh="已确定 {points} 分，及格要 {needed} 分，还有 {more} 分待 GPU 运行或待人确认",
    en="{points} points are certain, a pass needs {needed}; {more} more wait for a GPU or for a person",
)
VETO_RAISED = Text(zh="一票否决：{title}", en="veto: {title}")
VETO_SUSPECTED = Text(zh="疑似一票否决，待人判断：{title}", en="suspected veto, for a person to decide: {title}")
NOT_NAMED = Text(zh="答卷里没有找到：{title}；待人判断", en="not found in the answers: {title}; a person decides")
LACKING = Text(zh="答卷里没有：{title}", en="the answers lack: {title}")
