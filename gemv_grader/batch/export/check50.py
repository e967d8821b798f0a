"""check50's JSON, one file for each student: every case is a check, and one more for the program as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gemv_grader.batch.export.exported import Exported, Options
from gemv_grader.batch.export.mark import Mark

_WHOLE = "verdict"
_PASSED = {"correct": True, "unverified": None, "grader_fault": None}
_OF_CASE = {"passed": True, "failed": False, "crashed": False, "skipped": None}


def export(marks: Iterable[Mark], options: Options) -> Exported:
    """A file for each student, graded finally or not: it reports, it gives no points."""
    del options
    exported = Exported()
    for mark in marks:
        text = json.dumps(_report(mark), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        exported.files[f"{mark.key}.json"] = text.encode("utf-8", "backslashreplace")
        exported.done += 1
    return exported


def _report(mark: Mark) -> dict[str, Any]:
    grade = mark.grade
    passed = _PASSED.get(grade["verdict"], False)
    whole = _result(_WHOLE, grade["verdict"], passed, "\n".join(grade["reasons"]), None)
    return {
        "slug": grade["exercise"],
        "version": grade["tool_version"],
        "results": [whole, *(_case(case) for case in grade["cases"])],
    }


def _case(case: dict[str, Any]) -> dict[str, Any]:
    result = _result(case["id"], f"{case['group']}: {case['shape']}", _OF_CASE[case["status"]], case["detail"], _WHOLE)
    if result["cause"] is not None and case["expected"] is not None and case["computed"] is not None:
        result["cause"] |= {"expected": str(case["expected"]), "actual": str(case["computed"])}
    return result


def _result(name: str, description: str, passed: bool | None, reason: str, dependency: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "passed": passed,
        "log": [],
        "cause": None if passed else {"rationale": reason, "help": None},
        "data": {},
        "dependency": dependency,
    }
