"""What `try` prints: each output element, expected beside computed, and one line that sums up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gemv_grader.outcome import show
from gemv_grader.report.plain import printable
from gemv_grader.trail import Trail
from gemv_grader.tryout import Element
from gemv_grader.words import CaseStatus, Lang, Text


def element_lines(elements: Iterable[Element], lang: Lang) -> Iterator[str]:
    """A header and a line for each element."""
    rows = [(e.name, show(e.expected), show(e.computed), _MARKS[e.right]) for e in elements]
    if not rows:
        return
    yield _line((ELEMENT.say(lang), EXPECTED.say(lang), COMPUTED.say(lang), ""), lang)
    for row in rows:
        yield _line(row, lang)


def summary(trail: Trail, lang: Lang) -> str:
    """The case's shape, how it went, and the seed that repeats it."""
    (outcome,) = trail.outcomes
    mark = "✓" if outcome.status is CaseStatus.PASSED else "✗"
    detail = printable(outcome.detail.say(lang))
    return SUMMARY.format(mark=mark, shape=outcome.shape, detail=detail, seed=trail.seed).say(lang)


def _line(row: tuple[str, str, str, str], lang: Lang) -> str:
    # Chinese headings are two cells a character: their columns are padded by fewer spaces.
    wide = [sum(ord(c) > 0x2E7F for c in cell) if lang == "zh" else 0 for cell in row]
    name, expected, computed, mark = row
    return f"{name:>{12 - wide[0]}}  {expected:>{16 - wide[1]}}  {computed:>{16 - wide[2]}}  {mark}".rstrip()


_MARKS = {True: "✓", False: "✗", None: ""}

ELEMENT = Text(zh="元素", en="element")
EXPECTED = Text(zh="应为", en="expected")
COMPUTED = Text(zh="算得", en="computed")
SUMMARY = Text(zh="{mark} {shape}：{detail}（种子 {seed}）", en="{mark} {shape}: {detail} (seed {seed})")
