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
        asked = [(q["section"], point) for q in document["questions"] for point in q["key_points"]]
        named = (*document.get("boundaries", ()), *document.get("tradeoffs", ()))
        # A grade may call a point as another question's, or a boundary, of the same id is called.
        called = [(each["id"], title) for each in (*(p for _, p in asked), *named) for title in each["title"].values()]
        points = {(s, title): float(p["points"]) for s, p in asked for id_, title in called if id_ == p["id"]}
        return Scale(float(document["step"]), points)
    except (GradeError, KeyError, TypeError, ValueError, AttributeError):
        return Scale()
