"""What an export gives: files to hand to the platform, and an account of who is in them and who is not."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemv_grader.batch.export.mark import Mark
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Lang, Text


@dataclass(frozen=True)
class Options:
    """How to export.

    ``column`` names the assignment's column of a gradebook. ``overwrite`` replaces grades that are there already,
    ``provisional`` gives out points that are not final, ``scale`` converts to the gradebook's maximum.
    """

    lang: Lang = "en"
    column: str | None = None
    overwrite: bool = False
    provisional: bool = False
    scale: bool = False


@dataclass
class Exported:
    """``files`` by name; the only one has an empty name where the platform wants a single file."""

    files: dict[str, bytes] = field(default_factory=dict)
    done: int = 0
    left: list[tuple[str, Text]] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)


def withheld(mark: Mark, options: Options) -> Text | None:
    """Why a mark does not go to a platform, where students would take it for their grade; None if it does."""
    if mark.standing == "fault":
        return FAULT
    if mark.student.get("unread") and not options.provisional:
        return UNREAD
    return NOT_FINAL if mark.standing == "open" and not options.provisional else None


def unfit(points: str, wanted: str) -> UsageProblem:
    """The refusal of a gradebook whose maximum is not ours."""
    return UsageProblem(OTHER_MAXIMUM.format(wanted=wanted, points=points))


NOT_FINAL = Text(
    zh="分数还没有最后定下（等 GPU 运行或等人确认）；--provisional 先填已得的分",
    en="not final: waits for a GPU or for a person; --provisional fills in what is earned so far",
)
UNREAD = Text(
    zh="程序还没有选定，或在没打开的压缩包里（见 gemv-grade intake）；请人来定，--provisional 先按已得的分填",
    en="the program is yet to be chosen, or in an archive that was not opened (see `gemv-grade intake`); --provisional "
    "fills in what is earned so far",
)
FAULT = Text(zh="评分器或机器出错，没有分数；请重新评分", en="the grader or the machine failed; grade again")
OTHER_MAXIMUM = Text(
    zh="成绩册里这项作业满分是 {wanted}，评分标准满分是 {points}。用 --scale 按比例换算，或在平台上改满分。",
    en="The gradebook's maximum for this assignment is {wanted}, the rubric's is {points}. "
    "Convert with --scale, or change the maximum on the platform.",
)
