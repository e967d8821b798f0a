"""A rubric: how many points each part of an exercise is worth, what vetoes a pass, and what the review looks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from gemv_grader.exercise import Exercise
from gemv_grader.paths import data_root
from gemv_grader.words import Evidence, Severity, Text
from gemv_grader.yamlfile import Location, Problem, read_yaml
from gemv_grader.yamlmodel import BilingualText, Id, Model, parse

LockPolicy = Literal["tokens", "exact"]

RuleName = Literal[
    "reads_element",
    "same_index",
    "index_is",
    "no_loop",
    "no_lambda",
    "no_effect_calls",
    "no_double_promotion",
    "no_integer_truncation",
]

_PARAMETERS: dict[str, frozenset[str]] = {
    "reads_element": frozenset({"patterns"}),
    "same_index": frozenset({"of"}),
    "index_is": frozenset({"of", "index"}),
}
"""The parameters that a rule needs; a rule that is not here takes none."""


class Item(Model):
    """A part of the score: a group of cases, or a section of the answers that a person confirms."""

    id: Id
    kind: Literal["cases", "prose"]
    group: str | None = None
    section: str | None = None
    points: Annotated[float, Field(gt=0)]
    evidence: Annotated[Evidence, Field(strict=False)]
    title: BilingualText


class VetoSpec(Model):
    """Something that fails a submission whatever its points."""

    id: Id
    title: BilingualText


class RuleSpec(Model):
    """A rule of the static review.

    ``patterns`` are C++ expressions in which ``?`` stands for the index (``row_A[?]``); ``of`` names reads_element
    rules whose indices are compared; ``index`` is the expression that they must be. A rule that finds its chain
    missing raises ``raises`` as suspected.
    """

    id: Id
    rule: RuleName
    severity: Annotated[Severity, Field(strict=False)]
    raises: Id | None = None
    patterns: tuple[str, ...] = ()
    of: tuple[Id, ...] = ()
    index: str | None = None
    message: BilingualText

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that this rule was given."""
        given = {"patterns": self.patterns, "of": self.of, "index": self.index}
        return frozenset(name for name, value in given.items() if value)


class RubricFile(Model):
    """What ``rubrics/<id>.yaml`` holds."""

    exercise: Id
    total: Annotated[float, Field(gt=0)]
    passes_at: Annotated[float, Field(ge=0)]
    lock: LockPolicy = "tokens"
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    vetoes: tuple[VetoSpec, ...]
    review: tuple[RuleSpec, ...]


class Rubric(RubricFile):
    """A rubric with the file it came from and the digest of that file's bytes."""

    path: Path
    sha256: str


def load_rubric(exercise: Exercise, path: Path | None = None) -> Rubric:
    """The rubric of ``exercise`` from ``path`` (default: its own); raises DataProblem with file, line and mend."""
    document = read_yaml(path or data_root() / "rubrics" / f"{exercise.id}.yaml")
    written = parse(document, RubricFile)
    document.refuse(_problems(written, exercise))
    fields = {name: getattr(written, name) for name in RubricFile.model_fields}
    return Rubric(**fields, path=document.path, sha256=document.sha256)


def _problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    yield from _header_problems(rubric, exercise)
    yield from _item_problems(rubric, exercise)
    yield from _veto_problems(rubric, exercise)
    yield from _rule_problems(rubric)


def _header_problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    if rubric.exercise != exercise.id:
        yield Problem(
            ("exercise",),
            Text(
                zh=f"这份评分标准属于练习“{rubric.exercise}”，不是“{exercise.id}”",
                en=f'this rubric is for the exercise "{rubric.exercise}", not "{exercise.id}"',
            ),
            Text(zh="请改正或换一份评分标准", en="correct it, or take the other rubric"),
        )
    points = sum(item.points for item in rubric.items)
    if points != rubric.total:
        yield Problem(
            ("total",),
            Text(
                zh=f"各项分数之和是 {points:g}，与总分 {rubric.total:g} 不符",
                en=f"the items add up to {points:g}, not to the total of {rubric.total:g}",
            ),
            Text(zh="请改总分或各项的 points", en="change the total or the items' points"),
        )
    if rubric.passes_at > rubric.total:
        yield Problem(
            ("passes_at",),
            Text(
                zh=f"及格线 {rubric.passes_at:g} 高于总分 {rubric.total:g}，无人能及格",
                en=f"nobody can pass: {rubric.passes_at:g} is more than the total of {rubric.total:g}",
            ),
            Text(zh="请降低及格线", en="lower passes_at"),
        )


def _item_problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    yield from _repeated("items", [item.id for item in rubric.items])
    sections = [section.id for section in exercise.answers]
    counted: list[str] = []
    for i, item in enumerate(rubric.items):
        at: Location = ("items", i)
        wanted, known = ("group", list(exercise.groups)) if item.kind == "cases" else ("section", sections)
        value, other = (item.group, item.section) if item.kind == "cases" else (item.section, item.group)
        if other is not None:
            surplus = "section" if wanted == "group" else "group"
            yield Problem(
                (*at, surplus),
                Text(
                    zh=f"{item.kind} 项不使用“{surplus}”",
                    en=f'an item of kind {item.kind} has no use for "{surplus}"',
                ),
                Text(zh=f"请删除它，并写 {wanted}", en=f"remove it and name a {wanted}"),
            )
        if value not in known:
            yield Problem((*at, wanted), *_unknown(wanted, value, known))
        elif value in counted:
            yield Problem(
                (*at, wanted),
                Text(zh=f"“{value}”被计分两次", en=f'"{value}" is counted twice'),
                Text(zh="请只让一项计入它", en="let one item count it"),
            )
        else:
            counted.append(value)
    for group in exercise.groups:
        if group not in counted:
            yield Problem(
                ("items",),
                Text(
                    zh=f"没有任何一项计入 {group} 组的用例",
                    en=f'no item counts the cases of the group "{group}"',
                ),
                Text(
                    zh=f"请加一项 kind: cases, group: {group}",
                    en=f"add an item with kind: cases, group: {group}",
                ),
            )


def _veto_problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    vetoes = [veto.id for veto in rubric.vetoes]
    yield from _repeated("vetoes", vetoes)
    for i, rule in enumerate(rubric.review):
        if rule.raises is not None and rule.raises not in vetoes:
            yield Problem(("review", i, "raises"), *_unknown("veto", rule.raises, vetoes))
    for line in exercise.protected:
        if line.veto not in vetoes:
            yield Problem(
                ("vetoes",),
                Text(
                    zh=f"练习的受保护行“{line.id}”要用到否决项“{line.veto}”，这里没有定义",
                    en=f'the protected line "{line.id}" of the exercise raises the veto "{line.veto}", which is not here',
                ),
                Text(zh="请在 vetoes 中加上它", en="add it to vetoes"),
            )


def _rule_problems(rubric: RubricFile) -> Iterator[Problem]:
    yield from _repeated("review", [rule.id for rule in rubric.review])
    reads = [rule.id for rule in rubric.review if rule.rule == "reads_element"]
    for i, rule in enumerate(rubric.review):
        at: Location = ("review", i)
        needed = _PARAMETERS.get(rule.rule, frozenset())
        for name in sorted(needed - rule.parameters):
            yield Problem(
                at,
                Text(zh=f"规则 {rule.rule} 需要“{name}”", en=f'the rule {rule.rule} needs "{name}"'),
                Text(zh="请补上", en="add it"),
            )
        for name in sorted(rule.parameters - needed):
            yield Problem(
                (*at, name),
                Text(
                    zh=f"规则 {rule.rule} 不使用“{name}”", en=f'the rule {rule.rule} has no use for "{name}"'
                ),
                Text(zh="请删除", en="remove it"),
            )
        for name in rule.of:
            if name not in reads:
                yield Problem((*at, "of"), *_unknown("reads_element rule", name, reads))
        for pattern in rule.patterns:
            if pattern.count("?") != 1:
                yield Problem(
                    (*at, "patterns"),
                    Text(
                        zh=f"模式“{pattern}”中代表下标的 ? 应恰好一个",
                        en=f'the pattern "{pattern}" should hold exactly one ? for the index',
                    ),
                    Text(zh="例如 row_A[?]", en="as in row_A[?]"),
                )


def _repeated(name: str, ids: list[str]) -> Iterator[Problem]:
    for i, value in enumerate(ids):
        if value in ids[:i]:
            yield Problem(
                (name, i, "id"),
                Text(zh=f"标识“{value}”已用过", en=f'the id "{value}" is already taken'),
                Text(zh="请换一个", en="choose another"),
            )


def _unknown(what: str, value: str | None, known: list[str]) -> tuple[Text, Text]:
    names = ", ".join(known) or "-"
    if value is None:
        return Text(zh=f"缺少 {what}", en=f"the {what} is missing"), Text(
            zh=f"请从这些里选：{names}", en=f"choose one of {names}"
        )
    return (
        Text(zh=f"没有名为“{value}”的 {what}", en=f'there is no {what} "{value}"'),
        Text(zh=f"请从这些里选：{names}", en=f"choose one of {names}"),
    )
