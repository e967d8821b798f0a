"""What the answers as a whole say of runs, with the student's sentences and where they stand in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from gemv_grader.prose.answers import Answers
from gemv_grader.prose.reading import Passage
from gemv_grader.prose.sections import RUN_OUTPUT
from gemv_grader.words import Text

if TYPE_CHECKING:
    from gemv_grader.prose.claims import Claims

_MOST_QUOTES = 20


@dataclass(frozen=True)
class Quoted:
    """The student's words for a run, in which section; the passage's id is that of a KINDS."""

    section: str
    passage: Passage


@dataclass(frozen=True)
class Claimed:
    """``measured``: results are passed off as those of a run. ``static_only``: it is said that nothing was run.

    ``quotes`` say or show a run, the first of them if there are many; ``devices`` and ``speeds`` are what is told with
    them, in lower case.
    """

    measured: bool
    static_only: bool
    quotes: tuple[Quoted, ...] = ()
    devices: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()


def claimed(answers: Answers) -> Claimed:
    """What all sections claim together: "not run" in one of them is said of all; a log is a log all the same."""
    from gemv_grader.prose.claims import claims  # noqa: PLC0415 - its patterns are compiled beside the compiler

    found = {name: claims(text, is_output=name == RUN_OUTPUT) for name, text in answers.sections.items()}
    static_only = any(claim.static_only for claim in found.values())
    logs = any(claim.kind == "log" for each in found.values() for claim in each.found)
    return Claimed(
        measured=logs or (not static_only and any(each.found for each in found.values())),
        static_only=static_only,
        quotes=tuple(islice(_quotes(found, answers), _MOST_QUOTES)),
        devices=tuple(dict.fromkeys(device for each in found.values() for device in each.devices)),
        speeds=tuple(dict.fromkeys(speed for each in found.values() for speed in each.speeds)),
    )


def _quotes(found: dict[str, Claims], answers: Answers) -> Iterator[Quoted]:
    for section, each in found.items():
        for claim in each.found:
            start, end = answers.place(section, claim.start), answers.place(section, claim.end - 1) + 1
            title = KINDS[claim.kind]
            yield Quoted(section, Passage(claim.kind, title, start, end, claim.start, claim.end, claim.text))


KINDS = {
    "statement": Text(zh="说做过运行", en="says that something was run"),
    "log": Text(zh="运行记录", en="a log of a run"),
}
