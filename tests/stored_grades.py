"""Stored grades for tests of exports: as `batch` stores them, with what differs spelt out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gemv_grader.batch.store import GradeStore

Json = dict[str, Any]


def grade(earned: float = 10.0, verdict: str = "correct", **score: Any) -> Json:
    """A grade of ``earned`` out of 10, final unless points of the answer are ``pending`` or ``suggested``."""
    pending, suggested = score.get("pending", 0.0), score.get("suggested", 0.0)
    answer = "pending" if pending else "to_confirm" if suggested else "earned"
    return {
        "schema": 1,
        "exercise": "03_gemv",
        "verdict": verdict,
        "evidence": "gpu",
        "reasons": ["All 4 cases passed on the GPU." if verdict == "correct" else "y[0] <b>wrong</b>, see\nline 2"],
        "cases": [
            _case("walkthrough", "normal", "passed"),
            _case("heavy_tail", "edge", "passed" if verdict == "correct" else "failed"),
        ],
        "score": {
            "possible": 10.0,
            "passes_at": 8.0,
            "earned": earned,
            "suggested": 0.0,
            "pending": 0.0,
            "passed": earned >= 8,
            "items": [
                {"id": "normal", "points": 2.0, "earned": min(2.0, earned), "suggested": 0.0, "pending": 0.0}
                | {"state": "earned" if earned >= 2 else "lost", "reason": "all 2 cases passed"},
                {"id": "q1", "points": 8.0, "earned": max(0.0, earned - 2), "suggested": suggested, "pending": pending}
                | {"state": answer, "reason": "says why"},
            ],
            "vetoes": [{"id": "wrong_causal_chain", "state": "cleared", "reason": "no sign of it"}],
            **score,
        },
        "tool_version": "0.1.0",
        "rubric_sha256": "ab" * 32,
        "started_at": "2024-03-01T10:00:00+00:00",
        "seconds": 1.0,
    }


def _case(id_: str, group: str, status: str) -> Json:
    wrong = status == "failed"
    return {
        "id": id_,
        "group": group,
        "status": status,
        "evidence": "gpu",
        "shape": "M=3 N=4",
        "detail": "passed" if not wrong else "y[0]: expected 1, computed 2 \x1b[31m\x00<&",
        "element": "y[0]" if wrong else None,
        "expected": 1.0 if wrong else None,
        "computed": "nan" if wrong else None,
        "milliseconds": 0.25,
    }


def student(name: str, found_as: str = "", **ids: str) -> Json:
    """Who a grade belongs to."""
    return {"schema": 1, "name": name, "found_as": found_as, "ids": ids, "submitted_at": "2024-03-01 10:00:00"}


def stored(folder: Path, *records: tuple[str, Json, Json]) -> Path:
    """A folder of grades with these keys, grades and students."""
    for key, graded, who in records:
        GradeStore(folder).put(key, graded, who)
    return folder
