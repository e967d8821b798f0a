"""The folder of grades, whole: it can be taken to another machine and settled there.

    <key>/grade.json, student.json   see `store`
    programs/<digest>.cu             each distinct program: the scaffold with its fill
    programs/<digest>.json           what became of it
    course/                          the exercises and rubrics that the grades rest on
    students.csv, gradebook.csv
    <key>/page.html, class.html      for people, made from the grades, never read

Whatever else lies in a student's folder, such as a person's marks, is never touched.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from pathlib import Path

from gemv_grader.batch.files import replace_file
from gemv_grader.batch.source import Source
from gemv_grader.batch.store import GradeStore
from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

STUDENTS, GRADEBOOK = "students.csv", "gradebook.csv"
STUDENT_PAGE, CLASS_PAGE = "page.html", "class.html"


class Folder:
    """A folder of grades. Several threads may save, each other students."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = GradeStore(path)
        self._programs = path / "programs"

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep other batches out. Raises UsageProblem if one is at work, or if the folder cannot be written."""
        try:
            self._programs.mkdir(parents=True, exist_ok=True)
            lock = (self.path / ".lock").open("ab")
        except OSError as error:
            raise UsageProblem(UNWRITABLE.format(path=self.path, reason=error.strerror or error)) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageProblem(IN_USE.format(path=self.path)) from None
            yield

    def keep_program(self, digest: str, source: str) -> None:
        """Keep a program's source, for people and for `verify`."""
        path = self._programs / f"{digest}.cu"
        if not path.exists():
            replace_file(path, source.encode())

    def program(self, digest: str) -> bytes | None:
        """The source of a program."""
        return _content(self._programs / f"{digest}.cu")

    def keep_result(self, digest: str, result: bytes) -> None:
        """Keep what became of a program, so that it is not built and run again."""
        replace_file(self._programs / f"{digest}.json", result)

    def result(self, digest: str) -> bytes | None:
        """What `keep_result` kept."""
        return _content(self._programs / f"{digest}.json")

    def keep_course(self, sources: Sequence[Source]) -> None:
        """Copy exercises and rubrics into the folder."""
        for source in sources:
            source.copy_to(self.course)

    @property
    def course(self) -> Path:
        """The data root of the exercises and rubrics that the grades rest on."""
        return self.path / "course"


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


UNWRITABLE = Text(
    zh="成绩文件夹 {path} 写不了：{reason}。请换一个 --out。",
    en="The folder of grades {path} cannot be written: {reason}. Choose another --out.",
)
IN_USE = Text(
    zh="另一个 gemv-grade 正在使用 {path}。等它结束，或换一个 --out。",
    en="Another gemv-grade is at work on {path}. Wait for it to end, or choose another --out.",
)
