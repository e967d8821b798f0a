"""Which of a student's files is the program and which holds the answers. In doubt none: a person decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath

from gemv_grader.batch.intake.archive import archive_suffix, is_unknown_archive, students_archive
from gemv_grader.batch.intake.model import CollisionKind, DamagedMaterial, Handed, Ignored, Material
from gemv_grader.batch.names import listed, original
from gemv_grader.materials import (
    DOCUMENTS,
    MARKDOWN,
    MAX_DOCUMENT_BYTES,
    NOTEBOOKS,
    holds_program,
    is_answers_name,
    is_document,
    is_program_name,
    is_receipt_name,
    receipt_stem,
    stem,
    suffix,
)
from gemv_grader.paths import list_exercises
from gemv_grader.words import Text

_ANSWERS = re.compile(r"(?:^|[\W_])(?:answers?|答卷|答案|解答|作答)(?:$|[\W_\d])", re.IGNORECASE)
_NO_ANSWERS = re.compile(r"readme|license|requirements|cmakelists|timestamp|link", re.IGNORECASE)
_TYPED = frozenset({"onlinetext.html", "text.html"})  # typed into Moodle's or Canvas's own editor


@dataclass(frozen=True)
class Wishes:
    """What a person wrote into students.csv: the paths to take, empty for no wish."""

    program: str = ""
    answers: str = ""


@dataclass
class Choice:
    """What was chosen, what was left aside and why, and what a person should see."""

    program: Material | None = None
    answers: Material | None = None
    receipt: Material | None = None
    why_none: Text | None = None
    unread: bool = False
    notes: list[Text] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    problems: list[tuple[CollisionKind, Text]] = field(default_factory=list)


def choose(files: Sequence[Handed], wishes: Wishes) -> Choice:
    """Choose among all files of one submission; archives among them are opened."""
    choice = Choice()
    files = _unpacked(files, choice)
    program = _wished(files, wishes.program, choice) or _program(files, choice)
    choice.program = program.material if program else None
    answers = _wished(files, wishes.answers, choice) or _answers(files, program, choice)
    choice.answers = answers.material if answers else None
    choice.receipt = _receipt(files, program)
    if program is None:
        choice.why_none = _why_none(files, choice)
        choice.notes.append(choice.why_none)
        choice.unread = choice.why_none is UNDECIDED or bool(choice.ignored)  # such as archives that do not open
    choice.ignored += [(path, NOT_NEEDED) for path in _left_over(files, choice)]
    return choice


def _left_over(files: Sequence[Handed], choice: Choice) -> list[str]:
    """The paths that nothing has been said about; not those that a person has yet to choose from."""
    taken = (choice.program, choice.answers, choice.receipt)
    said = {path for path, _ in choice.ignored} | {material.name for material in taken if material}
    undecided = {kind for kind, _ in choice.problems}
    return [
        file.material.name
        for file in files
        if file.material.name not in said
        and not (choice.program is None and "several_programs" in undecided and is_program_name(file.name))
        and not (choice.answers is None and "several_answers" in undecided and is_answers_name(file.name))
    ]


def _unpacked(files: Iterable[Handed], choice: Choice) -> list[Handed]:
    """The files with the members of archives in place of these."""
    unpacked = []
    for file in files:
        name = file.material.name
        if is_unknown_archive(name):
            choice.ignored.append((name, UNKNOWN_ARCHIVE))
        elif archive_suffix(name) is None:
            unpacked.append(file)
        elif isinstance(tree := students_archive(file.material), Text):
            choice.ignored.append((name, tree))
        else:
            choice.ignored += tree.ignored
            for member in tree.files:
                if archive_suffix(member.name) or is_unknown_archive(member.name):
                    choice.ignored.append((member.name, NESTED))
                else:
                    unpacked.append(Handed(tree.inner(member), member, file.order))
    return unpacked


def _wished(files: Sequence[Handed], wish: str, choice: Choice) -> Handed | None:
    if not wish:
        return None
    found = next((file for file in files if file.material.name == wish), None)
    if found is None:
        choice.problems.append(("no_such_file", NO_SUCH_FILE.format(path=wish)))
    return found


def _program(files: Sequence[Handed], choice: Choice) -> Handed | None:
    sources = [file for file in files if suffix(file.name) == ".cu"]
    notebooks = [file for file in files if suffix(file.name) in NOTEBOOKS]
    documents = [file for file in files if suffix(file.name) in DOCUMENTS] if not sources + notebooks else []
    pool = sources or notebooks or [file for file in documents if _holds_program(file, choice)]
    pool = _newest_copies(pool, choice)
    if len(pool) < 2:
        return pool[0] if pool else None
    named = [file for file in pool if _base(file) in list_exercises()]
    paths = listed(file.material.name for file in pool)
    if len(named) == 1:
        choice.problems.append(("several_programs", TOOK_ONE.format(taken=named[0].material.name, paths=paths)))
        return named[0]
    choice.problems.append(("several_programs", SEVERAL_PROGRAMS.format(paths=paths)))
    return None


def _answers(files: Sequence[Handed], program: Handed | None, choice: Choice) -> Handed | None:
    def rank(file: Handed) -> int:
        if _ANSWERS.search(stem(file.name)):
            return 0
        if program is not None and stem(file.name) == stem(program.name):
            return 1
        if file == program:
            return 2
        if PurePosixPath(file.name).name.lower() in _TYPED:
            return 3
        return 5 if is_document(file.name) and suffix(file.name) not in MARKDOWN else 4

    own = program if program is not None and is_document(program.name) else None
    others = [file for file in files if file != program and is_answers_name(file.name)]
    candidates = [file for file in others if not _NO_ANSWERS.search(PurePosixPath(file.name).name)]
    for _, group in groupby(sorted([*candidates, *([own] if own else [])], key=rank), rank):
        pool = _newest_copies(list(group), choice)
        if len(pool) == 1:
            return pool[0]
        paths = listed(file.material.name for file in pool)
        choice.problems.append(("several_answers", SEVERAL_ANSWERS.format(paths=paths)))
        return None
    return None


def _receipt(files: Sequence[Handed], program: Handed | None) -> Material | None:
    """The receipt named like the program, else the only one: what says nothing of this program supports nothing."""
    found = [file for file in files if is_receipt_name(file.name)]
    named = [file for file in found if program is not None and receipt_stem(file.name) == _base(program)]
    newest = sorted(named or (found if len(found) == 1 else []), key=lambda file: file.order)
    return newest[-1].material if newest else None


def _newest_copies(files: Sequence[Handed], choice: Choice) -> list[Handed]:
    """The files without those that repeat another, and of uploads of one name the newest where that is known."""
    if len(files) < 2:
        return list(files)
    plainest_first = sorted(files, key=lambda file: (len(file.name), file.name))
    kept = _unique(plainest_first, lambda file: file.material.read(MAX_DOCUMENT_BYTES), SAME_CONTENT, choice)
    dated = [file for file in kept if file.order]
    newest = _unique(sorted(dated, key=lambda file: file.order, reverse=True), _base, OLDER_UPLOAD, choice)
    return [file for file in kept if not file.order or file in newest]


def _unique(files: Iterable[Handed], key: Callable[[Handed], object], reason: Text, choice: Choice) -> list[Handed]:
    """The first file of each key; unreadable ones are kept, for the grader to say so."""
    first: dict[object, Handed] = {}
    for file in files:
        try:
            kept = first.setdefault(key(file), file)
        except DamagedMaterial:
            kept = first.setdefault(file, file)
        if kept is not file:
            choice.ignored.append((file.material.name, reason.format(other=kept.material.name)))
    return list(first.values())


def _base(file: Handed) -> str:
    return original(stem(file.name)).lower()


def _holds_program(file: Handed, choice: Choice) -> bool:
    try:
        return holds_program(file.name, file.material.read(MAX_DOCUMENT_BYTES))
    except DamagedMaterial as problem:
        choice.ignored.append((file.material.name, problem.text))
        return False


def _why_none(files: Sequence[Handed], choice: Choice) -> Text:
    if any(kind == "several_programs" for kind, _ in choice.problems):
        return UNDECIDED
    if not files and not choice.ignored:
        return NOTHING
    names = [file.material.name for file in files if not is_program_name(file.name)] or [p for p, _ in choice.ignored]
    return NO_PROGRAM.format(paths=listed(names)) if names else NO_CELL


NOTHING = Text(zh="没有交任何文件", en="nothing was handed in")
NO_PROGRAM = Text(
    zh="没有 .cu、.ipynb、.qmd 或含 %%writefile 单元的 .md；有：{paths}",
    en="no .cu, .ipynb, .qmd, or .md with a %%writefile cell; there is: {paths}",
)
NO_CELL = Text(
    zh="交来的文档里没有 %%writefile ….cu 单元", en="the documents handed in have no `%%writefile ….cu` cell"
)
UNDECIDED = Text(zh="有好几个程序，需要人来选", en="there are several programs; a person must choose")
NOT_NEEDED = Text(zh="评分用不到", en="not needed for grading")
NESTED = Text(zh="压缩包里的压缩包，没有打开", en="an archive inside an archive; it was not opened")
UNKNOWN_ARCHIVE = Text(
    zh="这种压缩格式打不开，请手工解压到文件夹",
    en="this kind of archive is not opened; unpack it by hand into a folder",
)
SAME_CONTENT = Text(zh="与 {other} 内容相同", en="the same as {other}")
OLDER_UPLOAD = Text(zh="较早上传的版本；取 {other}", en="an older upload; {other} was taken")
TOOK_ONE = Text(
    zh="有好几个程序（{paths}），按名字取了 {taken}；若不对，请在 students.csv 的 program 列写明",
    en="several programs ({paths}); {taken} was taken for its name; if that is wrong, say so in students.csv, column "
    "program",
)
SEVERAL_PROGRAMS = Text(
    zh="有好几个程序，没有选：{paths}。请在 students.csv 的 program 列写明一个",
    en="several programs, none was taken: {paths}. Name one in students.csv, column program",
)
SEVERAL_ANSWERS = Text(
    zh="有好几份答卷，没有选：{paths}。请在 students.csv 的 answers 列写明一份",
    en="several files of answers, none was taken: {paths}. Name one in students.csv, column answers",
)
NO_SUCH_FILE = Text(
    zh="students.csv 写的 {path} 不在这份提交里；按通常的办法另选",
    en="{path}, named in students.csv, is not in this submission; chosen as usual instead",
)
