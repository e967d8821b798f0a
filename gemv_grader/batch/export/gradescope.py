"""Gradescope's ``results.json``, one for each submission: a test for each item of the rubric."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gemv_grader.batch.export.exported import Exported, Options, withheld
from gemv_grader.batch.export.mark import Mark, feedback
from gemv_grader.standing import ItemStanding
from gemv_grader.words import Lang


def export(marks: Iterable[Mark], options: Options) -> Exported:
    """A file for each submission, in the folder that Gradescope gave it; group members share theirs."""
    exported = Exported()
    for mark in marks:
        reason = withheld(mark, options)
        if reason is not None:
            exported.left.append((mark.who, reason))
            continue
        submission = mark.ids.get("gradescope_submission")
        folder = f"submission_{submission}" if submission else mark.key
        text = json.dumps(_results(mark, options), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        exported.files[f"{folder}/results.json"] = text.encode("utf-8", "backslashreplace")
        exported.done += 1
    return exported


def _results(mark: Mark, options: Options) -> dict[str, Any]:
    return {
        "score": mark.points,
        "output": feedback(mark, options.lang),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "tests": [_test(item, options.lang) for item in mark.stands.items],
        "extra_data": {"verdict": mark.grade["verdict"], "evidence": mark.grade["evidence"], "key": mark.key},
    }


def _test(item: ItemStanding, lang: Lang) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": item.id,
        "score": item.counts,
        "max_score": item.points,
        "output": item.explained(lang),
    }
    if item.state not in ("pending", "to_confirm"):  # what is still open has neither passed nor failed
        test["status"] = "passed" if item.counts else "failed"
    return test
