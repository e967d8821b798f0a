"""Which labelled answers a changed rubric reads otherwise, and whether that is nearer to what people gave."""

from __future__ import annotations

from collections.abc import Iterator

from gemv_grader.prose.comparison import Comparison
from gemv_grader.prose.labelled import Change, Record
from gemv_grader.report.plain import one_line
from gemv_grader.words import Lang, Text


def comparison_lines(comparison: Comparison, lang: Lang, *, accepted: bool) -> Iterator[str]:
    """The report of a comparison; ``accepted``: what is new has just been kept."""
    changes = comparison.changes
    if not comparison.before:
        yield FIRST.format(count=len(comparison.answers)).say(lang)
    elif not changes:
        yield UNCHANGED.format(count=len(comparison.answers)).say(lang)
    else:
        yield CHANGED.format(count=len(comparison.answers), changed=len(changes)).say(lang)
        yield from (_line(change, lang) for change in changes)
    now = comparison.mean_error(comparison.after)
    before = comparison.mean_error(comparison.before)
    if changes and before is not None and now is not None:
        yield ERROR.format(before=f"{before:.3f}", now=f"{now:.3f}").say(lang)
        if not comparison.unlearned:
            yield KNOWN.say(lang)
    if comparison.unlearned:
        yield UNLEARNED.say(lang)
    if accepted:
        yield KEPT.format(path=comparison.path.name).say(lang)
    elif changes:
        yield TO_KEEP.say(lang)


def _line(change: Change, lang: Lang) -> str:
    """The answer, what it was given, what was suggested and is now, and which links, misconceptions, flags moved."""
    before, after = change.before, change.after
    points = f"{'–' if before is None else f'{before.points:g}'} → {after.points:g}"
    said = " ".join((*(f"+{name}" for name in _new(before, after)), *(f"-{name}" for name in _gone(before, after))))
    given = GIVEN.format(points=f"{change.answer.score:g}").say(lang)
    return (
        f"  {one_line(change.answer.id, 40):<16} {given}  {points:<9} {_direction(change).say(lang)}  {said}".rstrip()
    )


def _new(before: Record | None, after: Record) -> tuple[str, ...]:
    old = (*before.found, *before.flags) if before else ()
    return tuple(name for name in (*after.found, *after.flags) if name not in old)


def _gone(before: Record | None, after: Record) -> tuple[str, ...]:
    return _new(after, before) if before else ()


def _direction(change: Change) -> Text:
    if change.before is None:
        return NEW
    if change.before.points == change.after.points:
        return SAME
    return NEARER if change.nearer else FARTHER


FIRST = Text(
    zh="{count} 份标注过的答案，还没有记录可比。", en="{count} labelled answers, and no records yet to compare with."
)
UNCHANGED = Text(zh="{count} 份标注过的答案，读法都没有变。", en="{count} labelled answers, all read as before.")
CHANGED = Text(
    zh="{count} 份标注过的答案，{changed} 份的读法变了（人给的分，建议分的前后）：",
    en="{count} labelled answers, {changed} read otherwise than before (points given; suggested before and now):",
)
GIVEN = Text(zh="人给 {points}", en="given {points}")
NEW = Text(zh="新的", en="new")
SAME = Text(zh="不变", en="same")
NEARER = Text(zh="更近", en="nearer")
FARTHER = Text(zh="更远", en="farther")
ERROR = Text(
    zh="建议分与人给的分平均相差 {before}，现在 {now}。",
    en="On average the suggestion was {before} points from what people gave, and is {now} now.",
)
KNOWN = Text(
    zh="（第二读者学过这些答案；没有学过的答案，误差会大些。）",
    en="(The second reader, if there is one, learned from these answers; on others the error is larger.)",
)
UNLEARNED = Text(
    zh="第二读者学的不是现在这些答案；--accept 让它重新学。",
    en="The second reader learned from other answers than these; --accept lets it learn from them.",
)
TO_KEEP = Text(
    zh="若这样更好，用 --accept 记录下来，下次与它相比。", en="If that is better, --accept keeps it to compare with."
)
KEPT = Text(zh="已记录到 {path}。", en="Kept in {path}.")
