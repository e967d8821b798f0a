"""One verdict from a trail, by a fixed order: our own fault first, then the earliest stage that refused."""

from __future__ import annotations

from gemv_grader.lock import Rejection
from gemv_grader.outcome import Outcome
from gemv_grader.trail import Trail
from gemv_grader.words import CaseStatus, Evidence, Text, Verdict


def decide(trail: Trail) -> tuple[Verdict, tuple[Text, ...]]:
    """The verdict and its reasons, most important first. Correct and unverified programs get one, too."""
    if trail.fault is not None:
        return Verdict.GRADER_FAULT, (trail.fault,)
    if trail.submission.refusal is not None:
        return Verdict.REJECTED, (trail.submission.refusal,)
    if isinstance(trail.locked, Rejection):
        return Verdict.REJECTED, trail.locked.reasons
    if trail.fill is None or not trail.fill.attempted:
        return Verdict.NOT_ATTEMPTED, (NOT_ATTEMPTED,)
    if trail.errors():
        return Verdict.COMPILE_ERROR, tuple(finding.message for finding in trail.errors())
    if trail.binary is not None and not trail.binary.ok:
        return Verdict.COMPILE_ERROR, (COMPILER_REFUSED,)
    if trail.binary is not None and has_unjudged_part(trail):
        return Verdict.REJECTED, tuple(
            UNJUDGED[f.id].format(found=f.message) for f in trail.findings if f.id in UNJUDGED
        )
    return _of_run(trail)


def has_unjudged_part(trail: Trail) -> bool:
    """Whether the lock could not tell all that the fill does. What a compiler accepts of that must not run."""
    return any(finding.id in UNJUDGED for finding in trail.findings)


def _of_run(trail: Trail) -> tuple[Verdict, tuple[Text, ...]]:
    if not trail.outcomes:
        return Verdict.UNVERIFIED, (trail.unbuilt or NOTHING_RUN,)
    by_status = {status: [o for o in trail.outcomes if o.status is status] for status in CaseStatus}
    if crashed := by_status[CaseStatus.CRASHED]:
        return Verdict.CRASHED, tuple(_reason(outcome) for outcome in crashed)
    if failed := by_status[CaseStatus.FAILED]:
        return Verdict.WRONG, tuple(_reason(outcome) for outcome in failed)
    if by_status[CaseStatus.SKIPPED]:
        return Verdict.GRADER_FAULT, (CASES_MISSING,)
    if trail.evidence is Evidence.GPU:
        return Verdict.CORRECT, (ALL_PASSED.format(count=len(trail.outcomes)),)
    return Verdict.CORRECT, (ALL_PASSED_ON_CPU.format(count=len(trail.outcomes)),)


def _reason(outcome: Outcome) -> Text:
    return CASE.format(id=outcome.id, shape=outcome.shape, detail=outcome.detail)


def smallest_failure(trail: Trail) -> Outcome | None:
    """The failed or crashed case with the least data: the easiest to follow by hand."""
    bad = [o for o in trail.outcomes if o.status in (CaseStatus.FAILED, CaseStatus.CRASHED)]
    return min(bad, key=lambda outcome: outcome.elements, default=None)


NOT_ATTEMPTED = Text(
    zh="空还没有填：把 ______ 换成一个表达式再提交。需要提示可用 gemv-grade hint。",
    en="The blank is not filled in: replace ______ with one expression and submit again. "
    "`gemv-grade hint` gives hints.",
)
COMPILER_REFUSED = Text(
    zh="编译器不接受填入的内容，见下面的诊断。",
    en="The compiler does not accept the fill; see the diagnostics below.",
)
UNJUDGED = {
    "unknown_call": Text(
        zh="{found} 填空只能调用练习允许的函数（exercise.yaml 的 blank.calls）：老师可把它加进去，否则请换一种写法。",
        en="{found} A fill may only call the functions its exercise lists (blank.calls in exercise.yaml): "
        "a teacher can add it there; otherwise write it another way.",
    ),
    "syntax_error": Text(
        zh="{found} 编译器接受它，但锁定看不懂它会做什么，所以不运行：请换一种普通的写法。",
        en="{found} The compiler accepts it, but the lock cannot tell what it does, so it is not run: "
        "write it in a plainer way.",
    ),
}
"""Findings that leave a fill to the compiler, by id: fine if it refuses the fill too, refused if it does not."""
NOTHING_RUN = Text(
    zh="没有运行：这里没有可用的 GPU。已通过锁定和静态审查，等待在 GPU 上验证。",
    en="Nothing was run: no GPU is available here. The lock and the static review passed; "
    "it waits to be verified on a GPU.",
)
CASES_MISSING = Text(
    zh="有的用例没有运行，也没有崩溃：这是评分器的问题，请重新评分。",
    en="Some cases neither ran nor crashed: that is the grader's fault; please grade again.",
)
ALL_PASSED = Text(zh="{count} 个用例全部在 GPU 上通过。", en="All {count} cases passed on the GPU.")
ALL_PASSED_ON_CPU = Text(
    zh="{count} 个用例全部在 CPU 模拟中通过；GPU 分数仍待验证。",
    en="All {count} cases passed in CPU emulation; the GPU points still wait for a GPU.",
)
CASE = Text(zh="用例 {id}（{shape}）：{detail}", en="case {id} ({shape}): {detail}")
