"""What the key points of an exercise are worth, from the rubric that a folder of grades was made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemv_grader.errors import GradeError
from gemv_grader.yamlfile import read_yaml


@dataclass(frozen=True)
class Scale:
    """``points`` of the key points by section and title, in either language; ``step``: what points go up by."""

    step: float = 0.5
    points: Mapping[tuple[str, str], float] = field(default_factory=dict)


def read_scale(course: Path, exercise: str) -> Scale:
    """The scale of ``exercise``; a plain one where the folder holds no rubric for prose that can be read.

    A review shows it beside the answers and decides nothing by it, so it must not fail for its sake.
    """
    try:
        document: Any = read_yaml(course / "rubrics" / f"{exercise}.prose.yaml").data
        points = {
            (question["section"], title): float(point["points"])
            for question in document["questions"]
            for point in question["key_points"]
            for title in point["title"].values()
        }
        return Scale(float(document["step"]), points)
    except (GradeError, KeyError, TypeError, ValueError, AttributeError):
        return Scale()
