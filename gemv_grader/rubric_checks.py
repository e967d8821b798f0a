"""What a rubric must satisfy beyond the shape of its YAML: points add up, the exercise knows the names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gemv_grader.exercise_checks import repeated, unknown
from gemv_grader.words import Text
from gemv_grader.yamlfile import Location, Problem

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.rubric import Item, RubricFile, RuleSpec

# The parameters that a rule of the review needs; a rule that is not here takes none.
_PARAMETERS: dict[str, frozenset[str]] = {
    "reads_element": frozenset({"patterns"}),
    "same_index": frozenset({"of"}),
    "index_is": frozenset({"of", "index"}),
}


def problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    """Everything wrong with ``rubric`` as one for ``exercise``, each with its place in the rubric."""
    if rubric.exercise != exercise.id:
        what = _OTHER_EXERCISE.format(named=rubric.exercise, id=exercise.id)
        yield Problem(("exercise",), what, _OTHER_RUBRIC)
    yield from _total_problems(rubric)
    yield from _item_problems(rubric, exercise)
    yield from _veto_problems(rubric, exercise)
    yield from _rule_problems(rubric)


def _total_problems(rubric: RubricFile) -> Iterator[Problem]:
    points = sum(item.points for item in rubric.items)
    if abs(points - rubric.total) > 1e-9:
        yield Problem(("total",), _SUM.format(points=f"{points:g}", total=f"{rubric.total:g}"), _CHANGE_POINTS)
    if rubric.passes_at > rubric.total:
        what = _NOBODY_PASSES.format(passes_at=f"{rubric.passes_at:g}", total=f"{rubric.total:g}")
        yield Problem(("passes_at",), what, _LOWER)


def _item_problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    yield from repeated("items", [item.id for item in rubric.items])
    counted: list[str] = []
    for i, item in enumerate(rubric.items):
        yield from _target_problems(item, exercise, counted, ("items", i))
        counted += [target for target in (item.group, item.section) if target is not None]
    for group in exercise.groups:
        if group not in counted:
            yield Problem(("items",), _UNCOUNTED.format(group=group), _ADD_ITEM.format(group=group))


def _target_problems(item: Item, exercise: Exercise, counted: list[str], at: Location) -> Iterator[Problem]:
    """Whether the item names the one thing that its kind counts, and nobody else counts it."""
    if item.kind == "cases":
        key, target, surplus_key, surplus = "group", item.group, "section", item.section
        known: tuple[str, ...] = exercise.groups
    else:
        key, target, surplus_key, surplus = "section", item.section, "group", item.group
        known = tuple(section.id for section in exercise.answers)
    if surplus is not None:
        yield Problem((*at, surplus_key), _NO_USE.format(owner=item.kind, key=surplus_key), _REMOVE)
    if item.confirm == "auto":
        yield from _auto_problems(item, exercise, at)
    if target is None:
        yield Problem(at, _NEEDS.format(owner=item.kind, key=key), _ADD)
    elif target not in known:
        yield Problem((*at, key), *unknown(Text(zh=f" {key}", en=key), target, known))
    elif target in counted:
        yield Problem((*at, key), _TWICE.format(target=target), _COUNT_ONCE)


def _auto_problems(item: Item, exercise: Exercise, at: Location) -> Iterator[Problem]:
    """Whether something suggests the points that are to stand at once."""
    from gemv_grader.prose.model import prose_rubric_path  # noqa: PLC0415 - it imports the rubric's own module

    if item.kind != "prose":
        yield Problem((*at, "confirm"), _NO_USE.format(owner=item.kind, key="confirm"), _REMOVE)
    elif not (path := prose_rubric_path(exercise.id)).is_file():
        yield Problem((*at, "confirm"), _NOTHING_SUGGESTS.format(path=path.name), _BY_A_PERSON)


def _veto_problems(rubric: RubricFile, exercise: Exercise) -> Iterator[Problem]:
    vetoes = [veto.id for veto in rubric.vetoes]
    yield from repeated("vetoes", vetoes)
    yield from repeated("requires", [requirement.id for requirement in rubric.requires])
    for i, rule in enumerate(rubric.review):
        if rule.raises is not None and rule.raises not in vetoes:
            yield Problem(("review", i, "raises"), *unknown(_VETO, rule.raises, vetoes))
    for line in exercise.protected:
        if line.veto not in vetoes:
            yield Problem(("vetoes",), _PROTECTED_VETO.format(line=line.id, veto=line.veto), _ADD_VETO)


def _rule_problems(rubric: RubricFile) -> Iterator[Problem]:
    yield from repeated("review", [rule.id for rule in rubric.review])
    reads = [rule.id for rule in rubric.review if rule.rule == "reads_element"]
    for i, rule in enumerate(rubric.review):
        yield from _parameter_problems(rule, reads, ("review", i))


def _parameter_problems(rule: RuleSpec, reads: list[str], at: Location) -> Iterator[Problem]:
    needed = _PARAMETERS.get(rule.rule, frozenset())
    for key in sorted(needed - rule.parameters):
        yield Problem(at, _NEEDS.format(owner=rule.rule, key=key), _ADD)
    for key in sorted(rule.parameters - needed):
        yield Problem((*at, key), _NO_USE.format(owner=rule.rule, key=key), _REMOVE)
    for i, name in enumerate(rule.of):
        if name not in reads:
            yield Problem((*at, "of", i), *unknown(_READS_RULE, name, reads))
    for i, pattern in enumerate(rule.patterns):
        if pattern.count("?") != 1:
            yield Problem((*at, "patterns", i), _HOLES.format(pattern=pattern), _AS_IN)


_VETO = Text(zh="否决项", en="veto")
_READS_RULE = Text(zh=" reads_element 规则", en="reads_element rule")

_OTHER_EXERCISE = Text(
    zh="这份评分标准写的是练习“{named}”，要评的是“{id}”",
    en='this rubric is for the exercise "{named}", and "{id}" is being graded',
)
_OTHER_RUBRIC = Text(zh="请改正，或换一份评分标准", en="correct it, or take the other rubric")
_SUM = Text(
    zh="各项分数之和是 {points}，总分却是 {total}",
    en="the items' points add up to {points}, but the total is {total}",
)
_CHANGE_POINTS = Text(zh="请改 total，或改各项的 points", en="change the total, or the items' points")
_NOBODY_PASSES = Text(
    zh="及格线 {passes_at} 高于总分 {total}，无人能及格",
    en="passes_at is {passes_at} of {total}, so nobody can pass",
)
_LOWER = Text(zh="请降低及格线", en="lower it")
_UNCOUNTED = Text(zh="没有一项计入 {group} 组的用例", en='no item counts the cases of the group "{group}"')
_ADD_ITEM = Text(
    zh="请加一项 kind: cases, group: {group}",
    en="add an item with kind: cases, group: {group}",
)
_NO_USE = Text(zh="{owner} 用不到“{key}”", en='{owner} has no use for "{key}"')
_REMOVE = Text(zh="请删除", en="remove it")
_NEEDS = Text(zh="{owner} 需要“{key}”", en='{owner} needs "{key}"')
_ADD = Text(zh="请补上", en="add it")
_NOTHING_SUGGESTS = Text(
    zh="没有 {path}，没有什么可以自动确认", en="there is no {path}, so nothing suggests points that could stand at once"
)
_BY_A_PERSON = Text(zh="请写那个文件，或改为 confirm: person", en="write that file, or say confirm: person")
_TWICE = Text(zh="“{target}”被计分两次", en='"{target}" is counted twice')
_COUNT_ONCE = Text(zh="请只让一项计入它", en="let one item count it")
_PROTECTED_VETO = Text(
    zh="练习的受保护行“{line}”要触发否决项“{veto}”，这里没有它",
    en='the protected line "{line}" of the exercise raises the veto "{veto}", which is not defined',
)
_ADD_VETO = Text(zh="请在 vetoes 中加上", en="add it to vetoes")
_HOLES = Text(
    zh="模式“{pattern}”中应恰好有一个代表下标的 ?",
    en='the pattern "{pattern}" should hold exactly one ? for the index',
)
_AS_IN = Text(zh="例如 row_A[?]", en="as in row_A[?]")
