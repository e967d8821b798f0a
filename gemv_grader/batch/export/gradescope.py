"""Gradescope's ``results.json``, one for each submission: a test for each item of the rubric."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gemv_grader.batch.export.exported import Exported, Options, withheld
from gemv_grader.batch.export.mark import Mark, feedback


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
    score = mark.grade["score"]
    return {
        "score": mark.points,
        "output": feedback(mark, options.lang),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "tests": [_test(item) for item in score["items"]],
        "extra_data": {"verdict": mark.grade["verdict"], "evidence": mark.grade["evidence"], "key": mark.key},
    }


def _test(item: dict[str, Any]) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": item["id"],
        "score": item["earned"],
        "max_score": item["points"],
        "output": item["reason"],
    }
    if item["state"] in ("earned", "lost"):  # what is still open has neither passed nor failed
        test["status"] = "passed" if item["state"] == "earned" else "failed"
    return test
