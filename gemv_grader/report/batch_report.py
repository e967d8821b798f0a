"""How a folder of grades stands: what a batch, a verification or `pending` print at their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from gemv_grader.batch.intake import Intake
from gemv_grader.batch.ledger import Line
from gemv_grader.batch.summary import Summary
from gemv_grader.batch.verify import Verified
from gemv_grader.report import wording
from gemv_grader.report.plain import one_line
from gemv_grader.words import Lang, Text

_SHOWN = 10
_NAME = 60


def summary_lines(summary: Summary, out: Path, lang: Lang) -> Iterator[str]:
    """Verdicts with their counts, what waits for whom, and the next step."""
    for verdict, count in summary.verdicts.items():
        yield f"{count:7}  {wording.VERDICTS[verdict].say(lang)}"
    yield TOTAL.format(
        students=len(summary.lines), programs=summary.programs, graded=len(summary.graded), seconds=_time(summary)
    ).say(lang)
    if summary.faults:
        yield FAULTS.format(count=len(summary.faults)).say(lang)
        yield from _keys(summary.faults, lang)
    if summary.for_gpu:
        yield FOR_GPU.format(count=summary.for_gpu, out=out).say(lang)
    if summary.for_person:
        yield FOR_PERSON.format(count=summary.for_person, out=out).say(lang)
    yield BOOK.format(path=out / "gradebook.csv").say(lang)


def moved_lines(moved: Iterable[tuple[str, str]], lang: Lang) -> Iterator[str]:
    """Whose key was corrected."""
    for old, new in moved:
        yield MOVED.format(old=one_line(old, _NAME), new=one_line(new, _NAME)).say(lang)


def absent_lines(summary: Summary, intake: Intake, lang: Lang) -> Iterator[str]:
    """Whose grades stand although the intake has no submission of theirs: an earlier download, or one taken out."""
    here = {student.key for student in intake.students}
    if absent := [key for key in summary.lines if key not in here]:
        shown = ", ".join(one_line(key, _NAME) for key in absent[:_SHOWN])
        yield ABSENT.format(count=len(absent), keys=shown + (", …" if len(absent) > _SHOWN else "")).say(lang)


def intake_lines(intake: Intake, left_out: tuple[str, ...], again: str, lang: Lang) -> Iterator[str]:
    """What a person should look at in the intake, if anything; ``again`` are the arguments that show it."""
    without = sum(entry.program is None for entry in intake.entries)
    if intake.collisions or intake.missing or without:
        yield UNCLEAR.format(
            collisions=len(intake.collisions), missing=len(intake.missing), without=without, again=again
        ).say(lang)
    if left_out:
        yield LEFT_OUT.format(keys=", ".join(one_line(key, _NAME) for key in left_out[:_SHOWN])).say(lang)


def change_lines(done: Verified, lang: Lang) -> Iterator[str]:
    """What a verification changed, student by student, and what it could not settle."""
    for change in done.changes:
        before, after = change.before, change.after
        yield CHANGED.format(
            key=one_line(after.key, _NAME),
            before=wording.VERDICTS[before.verdict],
            after=wording.VERDICTS[after.verdict],
            before_points=before.row["total"],
            after_points=after.row["total"],
            possible=after.row["possible"],
        ).say(lang)
    for key, why in done.unsettled.items():
        yield UNSETTLED.format(key=one_line(key, _NAME), why=one_line(why, 300)).say(lang)


def pending_lines(lines: Iterable[Line], out: Path, lang: Lang) -> Iterator[str]:
    """Who waits for a GPU, by program, and how to settle it."""
    by_program: dict[str, list[Line]] = {}
    for line in lines:
        by_program.setdefault(line.program, []).append(line)
    for program, members in sorted(by_program.items(), key=lambda item: (-len(item[1]), item[0])):
        yield PROGRAM.format(program=program[:12], count=len(members)).say(lang)
        for line in members:
            points = PENDING.format(points=f"{line.gpu_points:g}")
            yield f"  {one_line(line.key, _NAME)}  {points.say(lang)}"
    if by_program:
        count = sum(map(len, by_program.values()))
        yield SETTLE.format(count=count, programs=len(by_program), out=out).say(lang)
    else:
        yield NOTHING_PENDING.say(lang)


def _keys(lines: tuple[Line, ...], lang: Lang) -> Iterator[str]:
    for line in lines[:_SHOWN]:
        yield f"         {one_line(line.key, _NAME)}: {one_line(line.row['reason'], 200)}"
    if (more := len(lines) - _SHOWN) > 0:
        yield f"         {wording.MORE.format(count=more).say(lang)}"


def _time(summary: Summary) -> str:
    return f"{summary.seconds:.1f}"


CHANGED = Text(
    zh="{key}：{before} → {after}，{before_points} → {after_points}（满分 {possible}）",
    en="{key}: {before} -> {after}, {before_points} -> {after_points} of {possible}",
)
UNSETTLED = Text(zh="{key}：没能验证，{why}", en="{key}: could not be verified, {why}")
TOTAL = Text(
    zh="共 {students} 名学生，{programs} 个不同的程序；这次评了 {graded} 名，用时 {seconds} 秒",
    en="{students} students, {programs} distinct programs; {graded} graded now, in {seconds} s",
)
FAULTS = Text(
    zh="{count} 份是评分器或机器的问题（不是零分）；修好后用 --rerun failed 重评：",
    en="{count} are the grader's or the machine's fault, not zeros; once mended, grade them with --rerun failed:",
)
FOR_GPU = Text(
    zh="{count} 份等待 GPU：在有 GPU 的机器上运行 gemv-grade verify {out}",
    en="{count} wait for a GPU: run `gemv-grade verify {out}` on a machine that has one",
)
FOR_PERSON = Text(
    zh="{count} 份等待人工批阅：gemv-grade review {out}",
    en="{count} wait for a person to read them: `gemv-grade review {out}`",
)
BOOK = Text(zh="成绩表：{path}", en="gradebook: {path}")
UNCLEAR = Text(
    zh="收取时要留意：{collisions} 处冲突，{missing} 人没有交，{without} 份没有程序。详情：gemv-grade intake {again}",
    en="to look at in the intake: {collisions} collisions, {missing} missing, {without} without a program. "
    "Details: gemv-grade intake {again}",
)
LEFT_OUT = Text(
    zh="这些学生的旧成绩依据不同，提交也不在了，没有列入成绩表：{keys}",
    en="grades by other means whose submissions are gone were left out of the gradebook: {keys}",
)
PROGRAM = Text(zh="程序 {program}（{count} 份）", en="program {program} ({count})")
PENDING = Text(zh="待定 {points} 分", en="{points} points pending")
SETTLE = Text(
    zh="{count} 份、{programs} 个程序等待 GPU：把这个文件夹带到有 GPU 的机器上，运行 gemv-grade verify {out}",
    en="{count} grades, {programs} programs wait for a GPU: take this folder to a machine that has one, and run "
    "`gemv-grade verify {out}`",
)
NOTHING_PENDING = Text(zh="没有什么在等 GPU。", en="Nothing waits for a GPU.")
ABSENT = Text(
    zh="成绩表里有 {count} 名学生这次没有提交，原来的成绩照旧：{keys}。不要的话，请删掉其文件夹",
    en="{count} in the gradebook are not among these submissions; their grades stand: {keys}. Remove the folders of "
    "those that are not wanted",
)
MOVED = Text(
    zh="{old} 现在叫 {new}（students.csv）；成绩和批阅都搬过去了",
    en="{old} is {new} now (students.csv); the grade and the marks went along",
)
