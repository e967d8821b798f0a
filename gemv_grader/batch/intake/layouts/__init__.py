"""The layouts that are known, and how one is chosen."""

from __future__ import annotations

from gemv_grader.batch.intake.layouts import (
    blackboard,
    canvas,
    classroom,
    files,
    folders,
    gradescope,
    moodle,
    nbgrader,
)
from gemv_grader.batch.intake.layouts.layout import Claims, Layout, programs
from gemv_grader.batch.intake.tree import Tree

__all__ = ["LAYOUTS", "Claims", "Layout", "best", "programs"]

# Where two score alike the earlier is taken.
LAYOUTS = (
    canvas.LAYOUT,
    moodle.LAYOUT,
    gradescope.LAYOUT,
    blackboard.LAYOUT,
    nbgrader.LAYOUT,
    classroom.LAYOUT,
    folders.LAYOUT,
    files.LAYOUT,
)


def best(tree: Tree) -> tuple[float, Layout]:
    """The layout that recognises most of ``tree``, and its score."""
    return max(((layout.recognises(tree), layout) for layout in LAYOUTS), key=lambda scored: scored[0])
