"""An exercise: its scaffold with one blank, what may go into the blank, and the cases that try it.

The models mirror ``exercises/<id>/exercise.yaml``, which a teacher writes; the texts beside it come along.
What shapes alone cannot say (names that must exist, lines that must occur) is checked in ``exercise_checks``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from gemv_grader.errors import DataProblem, UsageProblem
from gemv_grader.exercise_checks import problems
from gemv_grader.paths import data_root, list_exercises
from gemv_grader.words import Place, Text
from gemv_grader.yamlfile import read_yaml
from gemv_grader.yamlmodel import BilingualText, Id, Model, parse

Group = Literal["normal", "edge"]

DataKind = Literal["ramp", "signed", "integers", "tail_heavy", "denormal", "nonfinite", "ones"]
"""How a case's inputs are filled.

ramp: a fixed pattern of eighths that can be followed by hand; compared exactly.
signed: normally distributed, from the secret seed; compared within the bound.
integers: small whole numbers from the secret seed, so that float32 sums are exact in any order.
tail_heavy: whole numbers of both signs, with last columns that dwarf the rest; compared exactly.
denormal: every product and every sum of products is a denormal float32; compared exactly.
nonfinite: signed, with Inf, -Inf and NaN in some rows of the matrix; the kind of result must match.
ones: every input is 1; compared exactly.
"""

# The ids that rubrics and mutants can name.
_ID = re.compile(r"[a-z0-9][a-z0-9_]*")

CallKind = Literal["pure", "effects", "forbidden", "unknown"]


class Calls(Model):
    """Names that a fill may or may not call; an entry may be a shell pattern such as ``atomic*``."""

    pure: tuple[str, ...]
    effects: tuple[str, ...]
    forbidden: tuple[str, ...]

    def kind_of(self, name: str) -> CallKind:
        """What calling ``name`` means; where lists overlap, the strictest decides."""
        lists: tuple[tuple[CallKind, tuple[str, ...]], ...] = (
            ("forbidden", self.forbidden),
            ("effects", self.effects),
            ("pure", self.pure),
        )
        for kind, patterns in lists:
            if any(fnmatchcase(name, pattern) for pattern in patterns):
                return kind
        return "unknown"


class Blank(Model):
    """The one place a student fills."""

    marker: Annotated[str, Field(min_length=1)]
    max_characters: Annotated[int, Field(ge=1, le=10_000)]
    calls: Calls


class Protected(Model):
    """A line of the scaffold whose removal raises the veto ``veto``."""

    id: Id
    line: Annotated[str, Field(min_length=1)]
    veto: Id


class Buffer(Model):
    """An argument array of float32; ``shape`` names its sizes, slowest dimension first.

    ``written_by_block``: element ``i`` is written by block ``i``, so a launch of ``b`` blocks leaves those
    from ``b`` on untouched.
    """

    name: str
    shape: Annotated[tuple[str, ...], Field(min_length=1)]
    role: Literal["input", "output"]
    nullable: bool = False
    written_by_block: bool = False


class Limits(Model):
    """Wall-clock limits of a run, in seconds."""

    case_seconds: Annotated[float, Field(gt=0, le=600)]
    total_seconds: Annotated[float, Field(gt=0, le=3600)]


class Range(Model):
    """A size drawn from the secret seed, both ends included."""

    from_: Annotated[int, Field(alias="from", ge=0)]
    to: Annotated[int, Field(ge=0)]


def _size_kind(value: object) -> str:
    return "range" if isinstance(value, (Mapping, Range)) else "number"


Size = Annotated[Annotated[int, Field(ge=0), Tag("number")] | Annotated[Range, Tag("range")], Discriminator(_size_kind)]


class CaseSpec(Model):
    """One launch: its sizes, the buffers passed as nullptr, its data, and the number of blocks.

    ``blocks`` absent means the program's own launcher decides; a number means the kernel is launched with it.
    """

    id: Id
    group: Group
    sizes: dict[str, Size]
    absent: tuple[str, ...] = ()
    data: DataKind
    blocks: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    note: BilingualText

    def largest(self, size: str) -> int:
        """The largest value that ``size`` can take in this case."""
        value = self.sizes[size]
        return value.to if isinstance(value, Range) else value

    def smallest(self, size: str) -> int:
        """The smallest value that ``size`` can take in this case."""
        value = self.sizes[size]
        return value.from_ if isinstance(value, Range) else value


class Section(Model):
    """A part of the answers form, found by its heading in either language."""

    id: Id
    heading: BilingualText


class ExerciseFile(Model):
    """What ``exercise.yaml`` holds."""

    title: BilingualText
    blank: Blank
    protected: tuple[Protected, ...]
    sizes: Annotated[tuple[str, ...], Field(min_length=1)]
    buffers: Annotated[tuple[Buffer, ...], Field(min_length=1)]
    reference: str
    limits: Limits
    cases: Annotated[tuple[CaseSpec, ...], Field(min_length=1)]
    answers: Annotated[tuple[Section, ...], Field(min_length=1)]
    hints: tuple[BilingualText, ...]


class Exercise(ExerciseFile):
    """An exercise with the texts that lie beside its ``exercise.yaml``."""

    id: Id
    directory: Path
    scaffold: str
    harness: str
    answers_form: str

    @property
    def blank_place(self) -> Place:
        """Where the marker stands in the scaffold."""
        before = self.scaffold[: self.scaffold.index(self.blank.marker)]
        return Place(line=before.count("\n") + 1, column=len(before) - (before.rfind("\n") + 1) + 1)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups that have cases, in the order of their first case."""
        return tuple(dict.fromkeys(case.group for case in self.cases))

    @property
    def inputs(self) -> tuple[Buffer, ...]:
        """The buffers that the kernel reads."""
        return tuple(buffer for buffer in self.buffers if buffer.role == "input")

    @property
    def outputs(self) -> tuple[Buffer, ...]:
        """The buffers that the kernel writes."""
        return tuple(buffer for buffer in self.buffers if buffer.role == "output")


def load_exercise(exercise_id: str, root: Path | None = None) -> Exercise:
    """The exercise ``exercise_id``.

    Raises UsageProblem if there is none of that name, and DataProblem with file, line and mend for a mistake.
    """
    known = list_exercises(root)
    if exercise_id not in known:
        raise UsageProblem(_NO_EXERCISE.format(id=exercise_id, known=", ".join(known) or "-"))
    directory = (root or data_root()) / "exercises" / exercise_id
    if not _ID.fullmatch(exercise_id):
        raise DataProblem(_BAD_NAME.format(path=directory, id=exercise_id))
    document = read_yaml(directory / "exercise.yaml")
    written = parse(document, ExerciseFile)
    # Validated already: doing it again would take as long as everything else here together.
    exercise = Exercise.model_construct(
        **{name: getattr(written, name) for name in ExerciseFile.model_fields},
        id=exercise_id,
        directory=directory,
        scaffold=_read_text(directory / f"{exercise_id}.cu"),
        harness=_read_text(directory / "harness.cu"),
        answers_form=_read_text(directory / "answers.md"),
    )
    document.refuse(problems(exercise))
    return exercise


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataProblem(_NO_TEXT.format(path=path, reason=error)) from None


_NO_EXERCISE = Text(
    zh="没有名为“{id}”的练习。现有：{known}。",
    en='There is no exercise "{id}". There are: {known}.',
)
_BAD_NAME = Text(
    zh="{path}: 目录名“{id}”不能当练习的标识；请改名，只用小写字母、数字和下划线",
    en="{path}: the folder's name \"{id}\" cannot be an exercise's id; rename it with lower-case letters, digits and _",
)
_NO_TEXT = Text(
    zh="{path}: 无法读取（{reason}）；请补上这个 UTF-8 文件",
    en="{path}: cannot be read ({reason}); add it as UTF-8",
)
