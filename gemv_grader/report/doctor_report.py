"""What `doctor` prints: a line for each check, the mend below it, and what `submit` can do here."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text as Styled

from gemv_grader.doctor import Check, Diagnosis
from gemv_grader.report.blocks import hanging
from gemv_grader.report.plain import printable
from gemv_grader.words import Evidence, Lang, Text

_MARKS = {"ok": ("✓ ", "green"), "missing": ("✗ ", "bold red"), "optional": ("○ ", "yellow")}


def print_diagnosis(diagnosis: Diagnosis, lang: Lang, console: Console) -> None:
    """Print the whole report."""
    console.print(Group(*_report(diagnosis, lang)))


def _report(diagnosis: Diagnosis, lang: Lang) -> Iterator[RenderableType]:
    width = max(cell_len(check.name.say(lang)) for check in diagnosis.checks)
    for check in diagnosis.checks:
        yield from _lines(check, width, lang)
    yield Styled(CAN[diagnosis.evidence].say(lang), "bold")


def _lines(check: Check, width: int, lang: Lang) -> Iterator[RenderableType]:
    name = check.name.say(lang)
    prefix = Styled.assemble(_MARKS[check.state], name, " " * (width - cell_len(name) + 2))
    yield hanging(prefix, Styled(printable(check.found or NOT_FOUND.say(lang))), 0)
    if check.mend is not None:
        yield hanging(Styled("    "), Styled(printable(check.mend.say(lang)), "dim"), 0)


NOT_FOUND = Text(zh="没有", en="none")
CAN = {
    None: Text(
        zh="submit 在这里用不了：请先解决上面标 ✗ 的问题。",
        en="`submit` cannot work here: first mend what is marked ✗.",
    ),
    Evidence.STATIC: Text(
        zh="submit 在这里能做：锁定和静态审查。", en="Here `submit` can do: the lock and the static review."
    ),
    Evidence.COMPILED: Text(
        zh="submit 在这里能做：锁定、静态审查和编译；不能运行，GPU 分数待定。",
        en="Here `submit` can do: the lock, the static review and the compilation. It cannot run, so GPU points wait.",
    ),
    Evidence.EMULATED: Text(
        zh="submit 在这里能做：锁定、静态审查，并在 CPU 上模拟运行；GPU 分数待定。",
        en="Here `submit` can do: the lock, the static review and a run emulated on the CPU. GPU points wait.",
    ),
    Evidence.GPU: Text(
        zh="submit 在这里能做全部：锁定、静态审查、编译，并在 GPU 上运行。",
        en="Here `submit` can do everything: the lock, the static review, the compilation and the run on the GPU.",
    ),
}
