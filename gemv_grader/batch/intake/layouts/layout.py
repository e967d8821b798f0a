"""What a layout is: a way in which a platform or a person arranges the files of a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gemv_grader.batch.intake.model import Claim, Handed, Ignored, Material
from gemv_grader.batch.intake.tree import Tree
from gemv_grader.materials import MARKDOWN, is_program_name, suffix
from gemv_grader.words import Text


@dataclass(frozen=True)
class Claims:
    """What a layout makes of an export: claims in the order of the listing, and what it has no use for."""

    claims: tuple[Claim, ...]
    ignored: tuple[Ignored, ...] = ()


@dataclass(frozen=True)
class Layout:
    """``recognises`` says how much of a listing looks like this layout, from 0 to 1; ``claims`` reads it."""

    name: str
    recognises: Callable[[Tree], float]
    claims: Callable[[Tree], Claims]


def share(names: Iterable[str], fits: Callable[[str], object]) -> float:
    """The share of ``names`` that fit; 0 if there are none."""
    fitting = [bool(fits(name)) for name in names]
    return sum(fitting) / len(fitting) if fitting else 0.0


def handed(tree: Tree, files: Iterable[Material]) -> tuple[Handed, ...]:
    """The files as their student named them: by their paths in ``tree``."""
    return tuple(Handed(tree.inner(file), file) for file in files)


def programs(files: Iterable[Material]) -> int:
    """How many programs ``files`` seem to hold by their names; Markdown counts where there is nothing else."""
    names = [file.name for file in files if is_program_name(file.name)]
    return sum(suffix(name) not in MARKDOWN for name in names) or min(1, len(names))


FOREIGN = Text(zh="不像这种导出里的东西", en="does not look like a part of this export")
