"""The page of a class: from a few numbers for each student."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemv_grader.report.pages.engine import render
from gemv_grader.report.pages.gathering import Part
from gemv_grader.words import Lang


@dataclass(frozen=True)
class ClassView:
    """All of the page."""

    parts: Sequence[Part]

    @property
    def students(self) -> int:
        """Students of all exercises."""
        return sum(part.students for part in self.parts)


def page(parts: Sequence[Part], lang: Lang) -> bytes:
    """The class's page."""
    return render("class.html", ClassView(parts), lang)
