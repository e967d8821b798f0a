"""Points by the rubric, and vetoes. Points are earned, suggested until a person confirms, or pending a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gemv_grader.lock import Rejection
from gemv_grader.passing import Condition, Part, passing, required_condition, veto_condition
from gemv_grader.prose.reading import Passage, Reading
from gemv_grader.rubric import Item, Requirement, VetoSpec
from gemv_grader.trail import Trail
from gemv_grader.words import CaseStatus, Evidence, Text, Verdict

if TYPE_CHECKING:
    from gemv_grader.support import Weighed

# Verdicts that need no GPU to be final: nothing of the program will ever run.
_FINAL_WITHOUT_A_RUN = frozenset({Verdict.REJECTED, Verdict.NOT_ATTEMPTED, Verdict.COMPILE_ERROR})

# What the engine itself doubts: a person decides, whatever the rubric lets stand at once.
_FOR_A_PERSON = frozenset({"wrong_chain", "copied_reference", "injection", "unfamiliar", "cut"})

_NAMED = 6  # cases named in a reason; the report lists them all


@dataclass(frozen=True)
class ItemScore:
    """One rubric item. ``state`` is earned, lost, pending (needs a GPU) or to_confirm (needs a person).

    ``section`` is that of the answers which an item of prose reads; ``unanswered`` that it has nothing to read.
    """

    id: str
    title: Text
    points: float
    state: str
    reason: Text
    earned: float = 0.0
    suggested: float = 0.0
    pending: float = 0.0
    section: str | None = None
    unanswered: bool = False
    reading: Reading | None = None

    @property
    def possible(self) -> float:
        """The most it can still come to; a person may give an answer more than was suggested."""
        return self.points if self.state == "to_confirm" else self.earned + self.pending


@dataclass(frozen=True)
class Veto:
    """A veto and whether it stands: raised, suspected (a person decides) or cleared."""

    id: str
    title: Text
    state: str
    reason: Text


@dataclass(frozen=True)
class Required:
    """What the answers must name: met (``passage`` are the words), to_confirm (a person decides) or unmet."""

    id: str
    title: Text
    state: str
    passage: Passage | None = None


@dataclass(frozen=True)
class Score:
    """The sum of the items. ``passed`` is None while a GPU or a person can still change it; ``missing`` says why.

    ``weighed`` is what the answers claim of runs and what that rests on, None where there are no answers.
    """

    possible: float
    passes_at: float
    items: tuple[ItemScore, ...]
    vetoes: tuple[Veto, ...]
    required: tuple[Required, ...]
    passed: bool | None
    missing: tuple[Text, ...]
    weighed: Weighed | None = None

    @property
    def earned(self) -> float:
        """Points that stand."""
        return sum(item.earned for item in self.items)

    @property
    def suggested(self) -> float:
        """Points the tool suggests for prose and a person has not confirmed."""
        return sum(item.suggested for item in self.items)

    @property
    def pending(self) -> float:
        """Points that wait for a GPU or for a person's reading."""
        return sum(item.pending for item in self.items)


def score(trail: Trail, verdict: Verdict) -> Score:
    """Apply the rubric to what was found."""
    rubric = trail.rubric
    items = tuple(
        _code_item(item, trail, verdict) if item.kind == "cases" else _prose_item(item, trail) for item in rubric.items
    )
    weighed = _weighed(trail)
    vetoes = tuple(_veto(veto, trail, verdict, weighed) for veto in rubric.vetoes)
    required = tuple(_required(requirement, trail) for requirement in rubric.requires)
    parts = [Part(item.title, item.earned, item.possible, item.unanswered) for item in items]
    is_fault = verdict is Verdict.GRADER_FAULT
    line = passing(parts, [*map(_of_veto, vetoes), *_of_required(required)], rubric.passes_at)
    return Score(
        possible=sum(item.points for item in items),
        passes_at=rubric.passes_at,
        items=items,
        vetoes=vetoes,
        required=required,
        passed=None if is_fault else line.passed,
        missing=() if is_fault else line.missing,
        weighed=weighed,
    )


def _weighed(trail: Trail) -> Weighed | None:
    if trail.claimed is None:
        return None
    from gemv_grader.support import weigh  # noqa: PLC0415 - not before the compiler is at work

    return weigh(trail)


def _of_veto(veto: Veto) -> Condition:
    return veto_condition(veto.title, veto.state)


def _of_required(required: Iterable[Required]) -> list[Condition]:
    """Where nothing is answered, that alone is worth saying."""
    return [required_condition(each.title, each.state) for each in required if each.state != "unmet"]


def _code_item(item: Item, trail: Trail, verdict: Verdict) -> ItemScore:
    def scored(state: str, reason: Text, earned: float = 0.0, pending: float = 0.0) -> ItemScore:
        return ItemScore(item.id, item.title, item.points, state, reason, earned=earned, pending=pending)

    if verdict in _FINAL_WITHOUT_A_RUN:
        return scored("lost", NEVER_RAN)
    if verdict is Verdict.GRADER_FAULT:
        return scored("pending", PENDING_FAULT, pending=item.points)
    outcomes = [outcome for outcome in trail.outcomes if outcome.group == item.group]
    if not outcomes or not trail.evidence.covers(item.evidence):
        emulated = trail.evidence is Evidence.EMULATED
        return scored("pending", PENDING_EMULATED if emulated else PENDING_GPU, pending=item.points)
    bad = [outcome.id for outcome in outcomes if outcome.status in (CaseStatus.FAILED, CaseStatus.CRASHED)]
    skipped = sum(outcome.status is CaseStatus.SKIPPED for outcome in outcomes)
    if bad:
        names = ", ".join(bad[:_NAMED]) + (" …" if len(bad) > _NAMED else "")
        return scored("lost", CASES_FAILED.format(names=names, bad=len(bad), total=len(outcomes)))
    if skipped:
        return scored("lost", CASES_SKIPPED.format(skipped=skipped, total=len(outcomes)))
    return scored("earned", CASES_PASSED.format(total=len(outcomes)), earned=item.points)


def _prose_item(item: Item, trail: Trail) -> ItemScore:
    section = item.section or item.id

    def scored(state: str, reason: Text, suggested: float = 0.0, pending: float = 0.0) -> ItemScore:
        return ItemScore(
            item.id, item.title, item.points, state, reason, suggested=suggested, pending=pending, section=section
        )

    if trail.answers is None or not trail.answers.text(section):
        return replace(scored("lost", NO_ANSWERS if trail.answers is None else NOT_ANSWERED), unanswered=True)
    reading = trail.readings.get(section)
    if reading is None:
        return scored("to_confirm", TO_READ, pending=item.points)
    if item.confirm == "auto" and not _FOR_A_PERSON.intersection(reading.flags):
        state, reason = "earned" if reading.points else "lost", BY_RUBRIC.format(found=len(reading.found))
        return replace(scored(state, reason), earned=reading.points, reading=reading)
    reason = _suggested(reading)
    return replace(scored("to_confirm", reason, suggested=reading.points), reading=reading)


def _suggested(reading: Reading) -> Text:
    if reading.likeness is None:
        return SUGGESTED.format(found=len(reading.found))
    return SUGGESTED_BY_BOTH.format(found=len(reading.found), likeness=f"{reading.likeness:.1f}")


def _required(requirement: Requirement, trail: Trail) -> Required:
    """Whether some answer names it; what the reading does not find, a person may still see."""
    named = [passage for reading in trail.readings.values() for passage in reading.named[requirement.names]]
    if named:
        return Required(requirement.id, requirement.title, "met", named[0])
    answered = trail.answers is not None and any(trail.answers.sections.values())
    return Required(requirement.id, requirement.title, "to_confirm" if answered else "unmet")


def _veto(veto: VetoSpec, trail: Trail, verdict: Verdict, weighed: Weighed | None) -> Veto:
    state, reason = "cleared", NO_SIGN
    if isinstance(trail.locked, Rejection) and veto.id in trail.locked.vetoes:
        state, reason = "raised", PROTECTED_LINE_EDITED
    elif veto.id == "unrun_claimed_as_measured":
        if weighed is not None:
            state, reason = weighed.state, weighed.reason
    elif wrong := [p for r in trail.readings.values() if veto.id in r.vetoes for p in r.wrong]:
        state, reason = "suspected", WRONG_CHAIN.format(title=wrong[0].title, text=" ".join(wrong[0].text.split()))
    elif verdict is Verdict.CORRECT:
        # Only where the numbers come out right: otherwise the failed cases already say what is wrong.
        raising = {rule.id for rule in trail.rubric.review if rule.raises == veto.id}
        if found := [finding.message for finding in trail.findings if finding.id in raising]:
            state, reason = "suspected", RIGHT_BY_OTHER_MEANS.format(finding=found[0])
    return Veto(veto.id, veto.title, state, reason)


NEVER_RAN = Text(zh="程序没有运行，原因见判定", en="the program was not run; the verdict says why")
PENDING_FAULT = Text(zh="评分器或机器出错，待重新评分", en="the grader or the machine failed; to be graded again")
PENDING_GPU = Text(zh="待 GPU 运行后给分", en="waits for a run on a GPU")
PENDING_EMULATED = Text(
    zh="只有 CPU 模拟的证据，待 GPU 运行后给分",
    en="CPU emulation is not enough evidence; waits for a run on a GPU",
)
CASES_FAILED = Text(zh="{total} 例中有 {bad} 例未通过：{names}", en="{bad} of {total} cases did not pass: {names}")
CASES_SKIPPED = Text(
    zh="{total} 例中有 {skipped} 例在前面崩溃之后没有运行", en="{skipped} of {total} cases were not run after the crash"
)
CASES_PASSED = Text(zh="{total} 例全部通过", en="all {total} cases passed")
NO_ANSWERS = Text(
    zh="没有交答卷（--answers answers.md；用 gemv-grade start 取得空白答卷）",
    en="no answers were handed in (--answers answers.md; `gemv-grade start` writes the form)",
)
NOT_ANSWERED = Text(zh="没有作答", en="not answered")
TO_READ = Text(zh="已作答，等待批阅", en="answered; waits for a person to read it")
SUGGESTED = Text(
    zh="按找到的 {found} 个因果联系建议，待人确认",
    en="from the causal links found ({found}); waits for a person to confirm",
)
SUGGESTED_BY_BOTH = Text(
    zh="按找到的 {found} 个因果联系，以及与批改过的答案的相似程度（约 {likeness} 分）建议，待人确认",
    en="from the causal links found ({found}) and likeness to marked answers (about {likeness}); "
    "waits for a person to confirm",
)
BY_RUBRIC = Text(
    zh="按找到的 {found} 个因果联系给分，评分标准规定自动确认",
    en="from the causal links found ({found}); confirmed automatically by the rubric",
)
WRONG_CHAIN = Text(
    zh="答案里有错误的因果链（{title}）：“{text}”。请人工确认",
    en='an answer holds a wrong chain ({title}): "{text}". A person decides',
)
NO_SIGN = Text(zh="没有发现迹象", en="no sign of it")
PROTECTED_LINE_EDITED = Text(
    zh="空以外受保护的行被改动或删除", en="a protected line outside the blank was changed or removed"
)
RIGHT_BY_OTHER_MEANS = Text(zh="所有用例通过，但{finding}", en="all cases pass, but {finding}")
