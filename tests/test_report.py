"""Reports of every verdict beside golden files. `pytest --update-golden` takes new wording: then read the diff."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console
from trails import ANSWERS, EXERCISE, RIGHT, by_thread, compiled, filled, handed_in, run, run_until_crash, with_answers

from gemv_grader.build.compilation import NO_SPACE
from gemv_grader.build.nvcc import NOT_FOUND
from gemv_grader.grade import grade
from gemv_grader.report.json_report import to_json
from gemv_grader.report.terminal import console_for, print_grade
from gemv_grader.words import Lang

Golden = Callable[[str, str], None]

A_WHOLE_ROW = "[&] { float s = 0; for (int i = 0; i < N; ++i) s += row_A[i] * x[i]; return col ? 0.0f : s; }()"
CLAIM = ANSWERS.replace("static review only", "PASS, max error 1e-6")
UNGUARDED = filled(RIGHT).submission.text.replace("if (row >= M) return;", "")
MACHINE = {"python": "3.12.1", "system": "Linux x86_64", "nvcc": "13.0.88"}


TRAILS = {
    "correct": with_answers(run(compiled(filled(RIGHT)))),
    "suspected": with_answers(run(compiled(filled(A_WHOLE_ROW)))),
    "wrong": with_answers(run(compiled(filled("row_A[tid] * x[tid]")), by_thread)),
    "crashed": run_until_crash(compiled(filled("row_A[col * N] * x[col]")), "many_rows"),
    "rejected": handed_in(UNGUARDED),
    "rejected_fill": filled("atomicAdd(&y[row], row_A[col] * x[col])"),
    "compile_error": compiled(filled("row_a[col] * x[col]"), ('identifier "row_a" is undefined', 0)),
    "lookalikes": filled("row_A［col］ × x[col]"),
    "not_attempted": filled(EXERCISE.blank.marker),
    "unverified": with_answers(replace(compiled(filled(RIGHT)), gpu_at_hand=False), CLAIM),
    "static": replace(filled("row_A[col] * x[tid]"), gpu_at_hand=False, unbuilt=NOT_FOUND),
    "grader_fault": replace(filled(RIGHT), fault=NO_SPACE.format(reason="/tmp is full")),
}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", TRAILS)
def test_the_report_for_people(name: str, lang: Lang, golden: Golden) -> None:
    printed = io.StringIO()
    print_grade(grade(TRAILS[name]), lang, console_for(printed))
    golden(f"{name}.{lang}.txt", printed.getvalue())


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", TRAILS)
def test_a_narrow_window_cuts_nothing_off(name: str, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    wide, narrow = io.StringIO(), io.StringIO()
    print_grade(grade(TRAILS[name]), lang, console_for(wide))
    for width in range(50, 130, 7):
        narrow.truncate(narrow.seek(0))
        print_grade(grade(TRAILS[name]), lang, Console(file=narrow, width=width, highlight=False, markup=False))
        assert "".join(narrow.getvalue().split()) == "".join(wide.getvalue().split()), width


@pytest.mark.parametrize("name", TRAILS)
def test_the_report_for_scripts(name: str, golden: Golden) -> None:
    document = json.loads(to_json(grade(replace(TRAILS[name], environment=MACHINE)), "en"))
    # What changes with every comment in the scaffold or the rubric is only looked at.
    assert re.fullmatch("[0-9a-f]{64}", document["submission"].pop("sha256"))
    assert re.fullmatch("[0-9a-f]{64}", document.pop("rubric_sha256"))
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", document.pop("tool_version"))
    golden(f"{name}.json", json.dumps(document, ensure_ascii=False, indent=2) + "\n")
