"""What `doctor` prints: a line for each check, the mend below it, and what `submit` can do here."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from gemv_grader.doctor import Check, Diagnosis
from gemv_grader.report.plain import printable
from gemv_grader.words import Evidence, Lang, Text

_MARKS = {"ok": "✓", "missing": "✗", "optional": "○"}


def lines(diagnosis: Diagnosis, lang: Lang) -> Iterator[str]:
    """The whole report, line by line."""
    width = max(cell_len(check.name.say(lang)) for check in diagnosis.checks)
    for check in diagnosis.checks:
        yield from _check_lines(check, width, lang)
    yield CAN[diagnosis.evidence].say(lang)


def _check_lines(check: Check, width: int, lang: Lang) -> Iterator[str]:
    name = check.name.say(lang)
    found = check.found or NOT_FOUND.say(lang)
    yield printable(f"{_MARKS[check.state]} {name}{' ' * (width - cell_len(name))}  {found}")
    if check.mend is not None:
        yield from (f"    {line}" for line in printable(check.mend.say(lang)).splitlines())


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
    Evidence.GPU: Text(
        zh="submit 在这里能做全部：锁定、静态审查、编译，并在 GPU 上运行。",
        en="Here `submit` can do everything: the lock, the static review, the compilation and the run on the GPU.",
    ),
}
