"""The answers in the grade for people: why points were suggested, and what is told of runs."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text as Styled

from gemv_grader.grade import Grade
from gemv_grader.report import wording
from gemv_grader.report.blocks import SHOWN, hanging, heading, indented
from gemv_grader.report.plain import one_line, printable
from gemv_grader.words import Lang


def readings(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    """Why points were suggested: the student's own words beside what they show, and what was not found."""
    read = [item for item in grade.score.items if item.reading is not None]
    if read:
        yield heading(wording.READINGS, lang)
    for item in read:
        assert item.reading is not None  # noqa: S101 - chosen so
        yield indented(Styled(f"{item.title.say(lang)}  {item.suggested + item.earned:g}/{item.points:g}", "bold"))
        for style, mark, passages in (("green", "+", item.reading.found), ("red", "!", item.reading.wrong)):
            for passage in passages:
                quote = Styled(f"{passage.title.say(lang)}: “{one_line(passage.text, 160)}”")
                yield hanging(Styled(f"{mark} ", style), quote, 4)
        if (copied := item.reading.copied) is not None:
            share = wording.COPIED.format(share=round(copied.share * 100), text=one_line(copied.passage.text, 100))
            yield hanging(Styled("= ", "yellow"), Styled(share.say(lang)), 4)
        for title in item.reading.missing:
            yield hanging(Styled("- ", "dim"), Styled(title.say(lang), "dim"), 4)


def claims(grade: Grade, lang: Lang) -> Iterator[RenderableType]:
    """What the answers tell of a run, what that rests on, and what the record of it says otherwise."""
    weighed = grade.score.weighed
    if weighed is None or not weighed.claimed.measured:
        return
    yield heading(wording.CLAIMS, lang)
    quotes = weighed.claimed.quotes
    for quote in quotes[:SHOWN]:
        text = Styled(f"{quote.passage.title.say(lang)}: “{one_line(quote.passage.text, 160)}”")
        yield hanging(Styled("· ", "dim"), text, 4)
    if (more := len(quotes) - SHOWN) > 0:
        yield indented(Styled(wording.MORE.format(count=more).say(lang), "dim"), 4)
    if weighed.state == "cleared":
        yield hanging(Styled("+ ", "green"), Styled(printable(weighed.reason.say(lang))), 4)
    for found in weighed.contradictions:
        said = wording.CONTRADICTION.format(said=one_line(found.said, 160), recorded=found.recorded)
        yield hanging(Styled("! ", "yellow"), Styled(printable(said.say(lang))), 4)
