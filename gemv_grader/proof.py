"""Proves a case list: each wrong fill in ``mutants.yaml`` must fail where it says, each right one must pass.

Each fill goes the way a submission goes (lock, build, run, check), so the proof also shows that the lock lets
honest spellings through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass

from gemv_grader.cases import Case, plan
from gemv_grader.check import check
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise, Group
from gemv_grader.lock import Rejection, lock
from gemv_grader.mutants import Mutants, WrongFill, load_mutants
from gemv_grader.outcome import Outcome
from gemv_grader.program import splice
from gemv_grader.run.device import Device
from gemv_grader.submission import from_bytes
from gemv_grader.words import CaseStatus, Text

OpenDevice = Callable[[], AbstractContextManager[Device]]

# Honest float32 sums stay under 2 units of the bound; a right fill above that makes the bound meaningless.
MOST_UNITS = 2.0


@dataclass(frozen=True)
class Trial:
    """One fill and what became of it.

    ``problem`` says why the case list or the fill is at fault, None if all is well; ``outcomes`` is empty where
    nothing ran.
    """

    id: str
    fill: str
    fails: tuple[Group, ...]
    outcomes: tuple[Outcome, ...] = ()
    problem: Text | None = None

    @property
    def killers(self) -> tuple[str, ...]:
        """The cases that did not pass, in order; a case skipped after a crash counts for nothing."""
        bad = (CaseStatus.FAILED, CaseStatus.CRASHED)
        return tuple(outcome.id for outcome in self.outcomes if outcome.status in bad)

    @property
    def worst(self) -> float:
        """The largest error of the passed cases, in units of the bound."""
        return max((o.worst or 0.0 for o in self.outcomes if o.status is CaseStatus.PASSED), default=0.0)


def prove(exercise: Exercise, open_device: OpenDevice, seed: int, workers: int = 2) -> Iterator[Trial]:
    """Try every fill of ``mutants.yaml``, right ones first; yields each once it and those before are done."""
    mutants = load_mutants(exercise)
    cases = plan(exercise, seed)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda trial: _try(trial, exercise, open_device, cases), _trials(mutants))


def _trials(mutants: Mutants) -> list[Trial]:
    return [
        Trial(fill.id, fill.fill, fill.fails if isinstance(fill, WrongFill) else ())
        for fill in (*mutants.right, *mutants.wrong)
    ]


def _try(trial: Trial, exercise: Exercise, open_device: OpenDevice, cases: tuple[Case, ...]) -> Trial:
    def ended(problem: Text | None, outcomes: tuple[Outcome, ...] = ()) -> Trial:
        return Trial(trial.id, trial.fill, trial.fails, outcomes, problem)

    source = exercise.scaffold.replace(exercise.blank.marker, trial.fill)
    locked = lock(from_bytes(source.encode(), trial.id, None), exercise)
    if isinstance(locked, Rejection):
        return ended(LOCKED_OUT.format(reason=locked.reasons[0]))
    try:
        with open_device() as device:
            device.prepare(cases)
            binary = device.build(splice(exercise, locked.text), exercise)
            if isinstance(binary, Text):
                return ended(None)
            if not binary.ok:
                message = binary.errors[0].message if binary.errors else "-"
                return ended(DOES_NOT_COMPILE.format(message=message))
            if not device.can_run:
                return ended(None)
            outputs = device.run(binary, exercise)
    except GraderFault as fault:
        return ended(fault.text)
    if isinstance(outputs, Text):
        return ended(outputs)
    if outputs.fault is not None:
        return ended(outputs.fault)
    outcomes = check(cases, outputs)
    return ended(_problem(ended(None, outcomes)), outcomes)


def _problem(trial: Trial) -> Text | None:
    failing = {outcome.group for outcome in trial.outcomes if outcome.id in trial.killers}
    # After a crash the rest did not run, and cannot speak for or against the case list.
    unknown = {outcome.group for outcome in trial.outcomes if outcome.status is CaseStatus.SKIPPED}
    if not trial.fails:
        if failing:
            return RIGHT_FAILS.format(cases=", ".join(trial.killers))
        return TOO_INEXACT.format(worst=f"{trial.worst:.2f}", most=MOST_UNITS) if trial.worst >= MOST_UNITS else None
    if not failing:
        return SURVIVES
    if surviving := set(trial.fails) - failing - unknown:
        return GROUP_SURVIVED.format(groups=", ".join(sorted(surviving)))
    if unlisted := failing - set(trial.fails):
        return GROUP_NOT_LISTED.format(groups=", ".join(sorted(unlisted)))
    return None


LOCKED_OUT = Text(zh="锁定拒绝了这个填法：{reason}", en="the lock rejects this fill: {reason}")
DOES_NOT_COMPILE = Text(zh="编译不通过：{message}", en="does not compile: {message}")
RIGHT_FAILS = Text(
    zh="这个填法是对的，却没有通过：{cases}。请检查这些用例",
    en="a right fill that fails: {cases}. Look at these cases",
)
TOO_INEXACT = Text(
    zh="误差 {worst} 个单位，超过 {most}：容差界不再可信",
    en="its error is {worst} units, over {most}: the bound cannot be trusted",
)
SURVIVES = Text(
    zh="没有任何用例抓住它：请在 exercise.yaml 加一个能抓住它的用例",
    en="no case catches it: add one that does to exercise.yaml",
)
GROUP_SURVIVED = Text(
    zh="fails 写了 {groups}，但该组全部通过：请改 fails 或加用例",
    en="fails lists {groups}, whose cases all pass: change fails or add a case",
)
GROUP_NOT_LISTED = Text(
    zh="{groups} 组也没有通过，但 fails 没有写：请补上", en="{groups} fails too, but is not in fails: add it"
)
