"""A batch as it goes on, where there is no terminal: one line for each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemv_grader.batch.ledger import Line
from gemv_grader.report import wording
from gemv_grader.report.plain import one_line
from gemv_grader.words import CaseStatus, Lang, Text, Verdict

if TYPE_CHECKING:
    from gemv_grader.batch.performed import Performed

_SHORT = 12  # characters of a digest that tell programs apart
_NAME = 60


class LineWatcher:
    """Prints each event with ``say``."""

    def __init__(self, lang: Lang, say: Callable[[str], None]) -> None:
        self._lang = lang
        self._say = say
        self._screened = self._standing = 0

    def begun(self, students: int) -> None:
        """See `Watcher`, also for the others."""
        self._tell(BEGUN.format(students=students))

    def stands(self, students: int) -> None:
        """What stands is told with what is reviewed."""
        self._standing += students

    def screened(self, submissions: int) -> None:
        """How many submissions have been reviewed until now."""
        self._screened += submissions
        self._tell(SCREENED.format(submissions=self._screened, standing=self._standing))

    def found(self, digest: str) -> None:
        """A program, by the beginning of its digest."""
        self._tell(BUILDING.format(program=digest[:_SHORT]))

    def performed(self, digest: str, result: Performed) -> None:
        """How far it came."""
        self._tell(PERFORMED.format(program=digest[:_SHORT], what=_outcome(result), seconds=f"{result.seconds:.1f}"))

    def graded(self, line: Line) -> None:
        """The verdict and the points that stand."""
        verdict = wording.VERDICTS[line.verdict]
        earned, possible = line.row["earned"], line.row["possible"]
        self._tell(GRADED.format(key=one_line(line.key, _NAME), verdict=verdict, earned=earned, possible=possible))

    def _tell(self, text: Text) -> None:
        self._say(text.say(self._lang))


def _outcome(result: Performed) -> Text:
    if result.fault is not None:
        return wording.VERDICTS[Verdict.GRADER_FAULT]
    if result.unbuilt is not None:
        return NOT_BUILT
    if result.binary is not None and not result.binary.ok:
        return wording.VERDICTS[Verdict.COMPILE_ERROR]
    if not result.outcomes:
        return COMPILED
    passed = sum(outcome.status is CaseStatus.PASSED for outcome in result.outcomes)
    return RAN.format(passed=passed, total=len(result.outcomes))


BEGUN = Text(zh="找到 {students} 名学生", en="found {students} students")
SCREENED = Text(
    zh="已审查 {submissions} 份提交（{standing} 份早已评过）",
    en="reviewed {submissions} submissions ({standing} more stand)",
)
BUILDING = Text(zh="程序 {program}：开始", en="program {program}: started")
PERFORMED = Text(zh="程序 {program}：{what}，{seconds} 秒", en="program {program}: {what}, {seconds} s")
GRADED = Text(zh="{key}：{verdict}，{earned}/{possible} 分", en="{key}: {verdict}, {earned}/{possible}")
NOT_BUILT = Text(zh="没有编译（没有 nvcc）", en="not built (no nvcc)")
COMPILED = Text(zh="能编译，没有运行", en="compiles, not run")
RAN = Text(zh="通过 {passed}/{total} 例", en="passed {passed} of {total} cases")
