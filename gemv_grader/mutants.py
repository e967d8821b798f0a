"""Fills that prove an exercise's case list: wrong ones that a case must catch, right ones that none may."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from gemv_grader.exercise import Exercise, Group
from gemv_grader.exercise_checks import repeated
from gemv_grader.words import Text
from gemv_grader.yamlfile import Problem, read_yaml
from gemv_grader.yamlmodel import BilingualText, Id, Model, parse


class RightFill(Model):
    """A fill that must pass every case."""

    id: Id
    fill: Annotated[str, Field(min_length=1)]
    why: BilingualText


class WrongFill(RightFill):
    """A fill for which exactly the groups in ``fails`` must have a case that does not pass."""

    fails: Annotated[tuple[Group, ...], Field(min_length=1)]


class Mutants(Model):
    """What ``mutants.yaml`` holds."""

    wrong: Annotated[tuple[WrongFill, ...], Field(min_length=1)]
    right: Annotated[tuple[RightFill, ...], Field(min_length=1)]


def load_mutants(exercise: Exercise) -> Mutants:
    """The mutants of ``exercise``; raises DataProblem with file, line and mend."""
    document = read_yaml(exercise.directory / "mutants.yaml")
    mutants = parse(document, Mutants)
    document.refuse(_problems(mutants, exercise))
    return mutants


def _problems(mutants: Mutants, exercise: Exercise) -> Iterator[Problem]:
    yield from repeated("wrong", [mutant.id for mutant in mutants.wrong])
    yield from repeated("right", [mutant.id for mutant in mutants.right])
    taken = {mutant.id: mutant for mutant in mutants.wrong}
    fills = {"".join(mutant.fill.split()): mutant.id for mutant in mutants.wrong}
    for i, right in enumerate(mutants.right):
        if right.id in taken:
            yield Problem(("right", i, "id"), _TAKEN.format(id=right.id), _ANOTHER_NAME)
        if wrong := fills.get("".join(right.fill.split())):
            yield Problem(("right", i, "fill"), _BOTH.format(id=wrong), _DECIDE)
    for i, mutant in enumerate(mutants.wrong):
        for group in mutant.fails:
            if group not in exercise.groups:
                yield Problem(("wrong", i, "fails"), _NO_CASES.format(group=group), _ADD_A_CASE)


_TAKEN = Text(zh="“{id}”已是一个错误填法的名字", en='"{id}" already names a wrong fill')
_ANOTHER_NAME = Text(zh="请换一个名字", en="choose another name")
_BOTH = Text(zh="与错误填法“{id}”相同", en='the same as the wrong fill "{id}"')
_DECIDE = Text(zh="一种填法只能对或错，请删去一处", en="a fill is right or wrong: remove one of the two")
_NO_CASES = Text(zh="{group} 组没有用例", en='the group "{group}" has no cases')
_ADD_A_CASE = Text(
    zh="请在 exercise.yaml 中加上，或从 fails 中删去", en="add one to exercise.yaml, or drop it from fails"
)
