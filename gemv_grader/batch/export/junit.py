"""JUnit XML for continuous integration: a suite for each student, a test for the verdict and one for each case.

A wrong result is a failure, a crash or a fault of ours an error; what did not run is skipped.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from typing import Any

from gemv_grader.batch.export.exported import Exported, Options
from gemv_grader.batch.export.mark import Mark

# Characters that XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OF_VERDICT = {"correct": "", "unverified": "skipped", "grader_fault": "error", "crashed": "error"}
_OF_CASE = {"passed": "", "failed": "failure", "crashed": "error", "skipped": "skipped"}
_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def export(marks: Iterable[Mark], options: Options) -> Exported:
    """One file with everybody, graded finally or not: it reports, it gives no points."""
    del options
    exported = Exported()
    root = ET.Element("testsuites", name="gemv-grade")
    for mark in marks:
        root.append(_suite(mark))
        exported.done += 1
    for total in ("tests", *_COUNTED.values()):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    ET.indent(root)
    exported.files[""] = ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
    return exported


def _suite(mark: Mark) -> ET.Element:
    suite = ET.Element("testsuite", name=_text(mark.key), timestamp=_text(str(mark.grade["started_at"])))
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(mark):
        ET.SubElement(properties, "property", name=name, value=_text(value))
    verdict = mark.grade["verdict"]
    reasons = "\n".join(mark.grade["reasons"])
    suite.append(_test(mark, "verdict", _OF_VERDICT.get(verdict, "failure"), verdict, reasons, 0.0))
    for case in mark.grade["cases"]:
        suite.append(_case(mark, case))
    tests = suite.findall("testcase")
    suite.set("tests", str(len(tests)))
    for tag, total in _COUNTED.items():
        suite.set(total, str(sum(test.find(tag) is not None for test in tests)))
    return suite


def _properties(mark: Mark) -> Iterator[tuple[str, str]]:
    yield "student", mark.name
    yield "evidence", str(mark.grade["evidence"])
    yield "points", f"{mark.points:g}/{mark.possible:g}"
    yield "standing", mark.standing


def _case(mark: Mark, case: dict[str, Any]) -> ET.Element:
    seconds = (case["milliseconds"] or 0.0) / 1000
    return _test(mark, case["id"], _OF_CASE[case["status"]], case["status"], case["detail"], seconds)


def _test(mark: Mark, name: str, outcome: str, kind: str, message: str, seconds: float) -> ET.Element:  # noqa: PLR0913, PLR0917
    test = ET.Element("testcase", name=_text(name), classname=_text(mark.key), time=f"{seconds:.6f}")
    if outcome:
        ending = ET.SubElement(test, outcome, message=_text(message))
        if outcome != "skipped":
            ending.set("type", kind)
    return test


def _text(text: str) -> str:
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
