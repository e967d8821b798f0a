"""What README promises to scripts is what the JSON holds, and it leaves out no verdict, command or variable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from commands import ROOT

from gemv_grader.cli import COMMANDS
from gemv_grader.words import Verdict

README = (ROOT / "README.md").read_text(encoding="utf-8")


def keys(value: object) -> Iterator[str]:
    """The names of all keys in a JSON document, but for those in ``environment``: they are facts of a machine."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from () if key == "environment" else keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_every_key_of_the_json_is_listed() -> None:
    section = README.partition("## The JSON")[2].partition("\n## ")[0]
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "tests" / "golden").glob("*.json")]
    assert len(reports) >= 8
    assert {key for report in reports for key in keys(report)} <= set(re.findall(r"\w+", section))


def test_every_verdict_command_and_variable_is_explained() -> None:
    assert [verdict.value for verdict in Verdict if f"| `{verdict.value}`" not in README] == []
    assert [command for command in COMMANDS if f"gemv-grade {command}" not in README and command != "list"] == []
    source = "".join(path.read_text(encoding="utf-8") for path in Path(ROOT, "gemv_grader").rglob("*.py"))
    assert [name for name in set(re.findall(r"GEMV_GRADE_\w+", source)) if f"`{name}`" not in README] == []


def test_each_command_to_start_with_stands_once() -> None:
    assert len(re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)) == 2
    assert len(re.findall(r"<!-- test command -->\n```sh\npython3 -m venv ", README)) == 1
