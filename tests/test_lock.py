"""The lock on real files: every folder of tests/submissions holds one, and says what must become of it.

expected.json: ``verdict`` is the final one on a GPU machine; ``stage`` the stage that decides it (submission, lock,
build or run); ``veto`` the vetoes raised; ``findings`` the ids of the findings before the build, none if absent;
``suspected`` vetoes that the review suspects; ``only_edge`` that no normal case fails; ``note`` what the file is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hang import no_hang

from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.lock import Fill, Rejection, identify, lock
from gemv_grader.submission import Submission, from_bytes, read_submission
from gemv_grader.words import Finding, Place, Severity, Text, Verdict

FOLDERS = sorted(path.parent for path in (Path(__file__).parent / "submissions").glob("*/expected.json"))
RIGHT = "row_A[col] * x[col]"
# A row guard that is said to be missing, and a file that is nothing of the kind, have no line to point at.
NO_LINE = ("looks like another program", "only a part of the scaffold", "no code")


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise("03_gemv")


def submit(exercise: Exercise, fill: str) -> Submission:
    return from_bytes(exercise.scaffold.replace(exercise.blank.marker, fill).encode(), "a")


def locked(exercise: Exercise, fill: str) -> Fill:
    result = lock(submit(exercise, fill), exercise)
    assert isinstance(result, Fill), result.reasons
    return result


def rejected(exercise: Exercise, text: str) -> Rejection:
    result = lock(from_bytes(text.encode(), "a"), exercise)
    assert isinstance(result, Rejection)
    return result


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_lock_decides_its_part(folder: Path, exercise: Exercise) -> None:
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    submission = read_submission(folder / "submission.cu")
    result = lock(submission, exercise)
    findings = submission.findings + result.findings
    assert {finding.id for finding in findings} == set(expected.get("findings", []))
    assert _decision(submission, result, findings) == (
        (expected["verdict"], expected["stage"]) if expected["stage"] in ("submission", "lock") else None
    )
    vetoes = result.vetoes if isinstance(result, Rejection) else frozenset()
    assert vetoes == set(expected["veto"])


def _decision(
    submission: Submission, result: Fill | Rejection, findings: tuple[Finding, ...]
) -> tuple[str, str] | None:
    """Verdict and deciding stage; None if the submission goes on to the compiler."""
    if isinstance(result, Rejection):
        return Verdict.REJECTED.value, "lock" if submission.refusal is None else "submission"
    if not result.attempted:
        return Verdict.NOT_ATTEMPTED.value, "lock"
    if any(finding.severity is Severity.ERROR for finding in findings):
        return Verdict.COMPILE_ERROR.value, "lock"
    return None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_message_says_where_in_both_languages(folder: Path, exercise: Exercise) -> None:
    submission = read_submission(folder / "submission.cu")
    result = lock(submission, exercise)
    lines = submission.text.count("\n") + 1
    for finding in submission.findings + result.findings:
        assert finding.place is not None
        assert 1 <= finding.place.line <= lines
        _is_said(finding.message)
    if isinstance(result, Rejection):
        assert result.reasons
        for reason in result.reasons:
            _is_said(reason)
            no_line = submission.refusal is not None or any(part in reason.en for part in (*NO_LINE, "more changes"))
            assert no_line or "line" in reason.en.lower()


def _is_said(text: Text) -> None:
    assert text.zh
    assert text.en
    assert text.zh != text.en
    assert "{line}" not in text.zh + text.en


def test_the_folders_are_all_of_the_kinds_that_the_tests_need() -> None:
    verdicts = {json.loads((f / "expected.json").read_text(encoding="utf-8"))["verdict"] for f in FOLDERS}
    assert verdicts == {v.value for v in Verdict} - {"unverified", "grader_fault"}
    assert all((folder / "submission.cu").is_file() for folder in FOLDERS)


@pytest.mark.parametrize(
    ("fill", "place", "where"),
    [
        ("row_A[col] ＊ x[col]", (82, 33), "Line 82, column 33"),
        ("row_A[col]\n  × x[col]", (83, 3), "Line 83, column 3"),
        ("row_A[col] * /* 行 */ х[col]", (82, 43), "Line 82, column 43"),
    ],
)
def test_a_lookalike_is_named_with_its_place(fill: str, place: tuple[int, int], where: str, exercise: Exercise) -> None:
    fill_findings = locked(exercise, fill).findings
    assert [(f.id, f.severity, f.place) for f in fill_findings] == [
        ("lookalike_character", Severity.ERROR, Place(*place))
    ]
    assert where in fill_findings[0].message.en


def test_a_second_semicolon_is_called_that(exercise: Exercise) -> None:
    result = lock(submit(exercise, RIGHT + ";"), exercise)
    assert isinstance(result, Rejection)
    assert [reason.en for reason in result.reasons] == [
        "Line 82, column 41: there is one semicolon too many. The scaffold already has one after the blank; "
        "remove yours."
    ]
    assert result.fill is not None
    assert result.fill.text == "row_A [ col ] * x [ col ] ;"


def test_the_statement_written_again_is_called_that(exercise: Exercise) -> None:
    result = lock(submit(exercise, f"local_sum += {RIGHT}"), exercise)
    assert isinstance(result, Rejection)
    assert [reason.en for reason in result.reasons] == [
        'Line 82, column 22: the scaffold already has "local_sum +=" before the blank, and the fill repeats it. '
        "Keep only the expression to its right."
    ]


def test_an_edit_is_shown_with_both_lines(exercise: Exercise) -> None:
    text = exercise.scaffold.replace(exercise.blank.marker, RIGHT).replace("// ", "//\n// ", 1)
    result = rejected(exercise, text.replace("row >= M", "row > M"))
    assert "boundary_check_removed" in result.vetoes
    assert result.diff == ("-  74  if (row >= M) return;", "+  75  if (row > M) return;")
    assert [reason.en for reason in result.reasons] == [
        'Line 74 of the scaffold, "if (row >= M) return;", was changed: your line 75 is "if (row > M) return;". '
        "Only the blank may change; restore the line."
    ]


def test_a_part_taken_out_of_a_line_is_shown_once(exercise: Exercise) -> None:
    result = rejected(exercise, exercise.scaffold.replace("(bias ? bias[row] : 0.0f)", "bias[row]"))
    assert len(result.reasons) == 1
    assert result.diff == (
        "-  89  y[row] = sum + (bias ? bias[row] : 0.0f);",
        "+  89  y[row] = sum + bias[row];",
    )


def test_many_edits_are_counted(exercise: Exercise) -> None:
    result = rejected(exercise, exercise.scaffold.replace("val", "value"))
    assert len(result.reasons) == 4
    assert result.reasons[-1].en.startswith("There are ")
    assert "boundary_check_removed" not in result.vetoes


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("r_other_kernel", "looks like another program"),
        ("r_rewritten", "looks like another program"),
        ("r_only_kernel", "only a part of the scaffold"),
        ("r_only_comments", "no code"),
        ("r_truncated", "The file ends at line 38"),
        ("r_two_programs", 'after the end of the scaffold, from line 111 on: "#include <cuda_runtime.h>"'),
        ("r_static_ctor", 'after the end of the scaffold, from line 100 on: "static int pwn'),
        ("r_twice", "again from line 99 on"),
        ("r_semicolon_lost", "Line 82: the semicolon after the blank is gone"),
        ("r_splice_swallows_guard", "Your line 62 ends in a backslash"),
        ("e_open_comment", "The comment that opens with /* at line 72, column 43 never ends"),
        ("e_write_x", 'with "=" the blank may change only'),
        ("e_increment", 'with "++" the blank may change only'),
        ("e_comma", "this comma splits the blank"),
        ("e_untyped_braces", "no body of a lambda"),
        ("e_brackets_20000", "too long (40017 > 500)"),
        ("e_brackets_deep", "nest more than 32 deep"),
        ("z_notebook", "a Jupyter notebook"),
        ("z_nul", "Line 77 holds a NUL byte"),
    ],
)
def test_the_first_reason_is_the_one_that_helps(case: str, said: str, exercise: Exercise) -> None:
    submission = read_submission(Path(__file__).parent / "submissions" / case / "submission.cu")
    result = lock(submission, exercise)
    assert isinstance(result, Rejection)
    assert said in result.reasons[0].en


def test_where_in_the_file_a_place_in_the_fill_is(exercise: Exercise) -> None:
    fill = locked(exercise, "row_A[col]  /* 行 */ *\n      x[c\\\nol]")
    assert fill.text == "row_A [ col ] * x [ col ]"
    assert fill.source == "row_A[col]  /* 行 */ *\n      x[c\\\nol]"
    line = fill.place.line
    wanted = {
        0: (line, fill.place.column),
        2: (line, fill.place.column + 2),
        fill.text.index("[") - 1: (line, fill.place.column + 5),  # the space before a token is the token
        fill.text.index("*"): (line, fill.place.column + 20),
        fill.text.index("x"): (line + 1, 7),
        fill.text.rindex("col") + 1: (line + 1, 9),  # spliced: where the token begins
        len(fill.text) - 1: (line + 2, 3),
        len(fill.text): (line + 2, 4),
        len(fill.text) + 9: (line + 2, 4),
    }
    assert {at: fill.place_of(at) for at in wanted} == {at: Place(*place) for at, place in wanted.items()}


def test_an_empty_blank_has_a_place(exercise: Exercise) -> None:
    fill = locked(exercise, "  /* nothing */ ")
    assert (fill.text, fill.attempted, fill.place) == ("", False, Place(82, 38))
    assert fill.place_of(0) == fill.end == fill.place


def test_equal_fills_have_equal_digests(exercise: Exercise) -> None:
    one, other = locked(exercise, RIGHT), locked(exercise, "row_A [col]\n*x<:col:> /* x */")
    assert one.sha256 == other.sha256 != locked(exercise, "x[col] * row_A[col]").sha256


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        (lambda text: text, True),
        (lambda text: text.replace("\n", "\r\n"), True),
        (lambda text: "\ufeff" + text, True),
        (lambda text: f"%%writefile a.cu\n{text}", True),
        (lambda text: f"```\n{text}```\n", True),
        (lambda text: text.rstrip("\n"), True),
        (lambda text: text.replace("x[col]", "x[col] /* done */"), True),
        (lambda text: text.replace("; ", ";  ", 1), False),
        (lambda text: text.replace("// ", "//", 1), False),
        (lambda text: text.replace("// Sum", "// sum"), False),
        (lambda text: text + "// done\n", False),
        (lambda text: text.replace("    A, x, bias, y, M, N", "\tA, x, bias, y, M, N"), False),
    ],
)
def test_the_exact_policy_accepts_nothing_outside_the_blank(change: Any, accepted: bool, exercise: Exercise) -> None:
    text = exercise.scaffold.replace(exercise.blank.marker, RIGHT)
    submission = from_bytes(change(text).encode(), "a")
    assert isinstance(lock(submission, exercise, "tokens"), Fill)
    assert isinstance(lock(submission, exercise, "exact"), Fill) == accepted


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [(95, "// 启动 M 个", "// 启动若干"), (71, "    int row = blockIdx.x", "\tint row = blockIdx.x")],
)
def test_the_exact_policy_names_the_lines(line: int, old: str, new: str, exercise: Exercise) -> None:
    text = "%%cu\n" + exercise.scaffold.replace(old, new)
    result = lock(from_bytes(text.encode(), "a"), exercise, "exact")
    assert isinstance(result, Rejection)
    assert f'line {line} of the scaffold is "{old}' in result.reasons[0].en
    assert f'your line {line + 1} is "{new}' in result.reasons[0].en


def test_the_exercise_is_found_by_its_tokens(exercise: Exercise) -> None:
    other = exercise.model_copy(
        update={
            "id": "02_saxpy",
            "scaffold": "#include <cuda_runtime.h>\n__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = ______;\n}\n",
            "protected": (),
        }
    )
    for order in ([exercise, other], [other, exercise]):
        assert identify(submit(exercise, RIGHT), order).id == "03_gemv"
        assert identify(submit(other, "a * x[i] + y[i]"), order).id == "02_saxpy"
    rejection = lock(submit(other, "a * x[i] + y[i]"), exercise)
    assert isinstance(rejection, Rejection)
    assert exercise.title.zh in rejection.reasons[0].zh


@pytest.mark.parametrize("blocks", [2, 3])
def test_a_tail_that_the_scaffold_repeats_is_no_second_program(blocks: int, exercise: Exercise) -> None:
    scaffold = "__global__ void f(float* y) {\n" + "    { y[0] = 1; }\n" * blocks + "    { y[1] = ______; }\n"
    short = exercise.model_copy(update={"scaffold": scaffold.rstrip(), "protected": ()})
    assert locked(short, "2 * 3").text == "2 * 3"
    long_tail = "; y[0] = y[0] + 1"
    scaffold = f"void f(float* y) {{ y[0] = 0{long_tail * blocks}; y[1] = ______{long_tail}"
    repeated = exercise.model_copy(update={"scaffold": scaffold, "protected": ()})
    assert locked(repeated, "2 * 3").text == "2 * 3"
    filled = scaffold.replace("______", "2 * 3")
    assert "holds the program twice" in rejected(repeated, f"{filled};\n{filled}").reasons[0].en


def test_a_blank_at_the_very_end(exercise: Exercise) -> None:
    tail = exercise.model_copy(update={"scaffold": "int a = 1 + ______", "protected": ()})
    fill = locked(tail, "2 * 3")
    assert (fill.text, fill.end) == ("2 * 3", Place(1, 18))


@pytest.mark.parametrize(
    "call",
    ["fmaf(row_A[col], x[col], 0.0f)", "std::fma(row_A[col], x[col], 0.0f)", "float(row_A[col])", "(fabsf)(x[col])"],
)
def test_listed_calls_raise_nothing(call: str, exercise: Exercise) -> None:
    assert locked(exercise, call).findings == ()


@pytest.mark.parametrize(
    ("fill", "found"),
    [
        ("__shfl_xor_sync(0xffffffff, x[col], 1)", "call_with_effects"),
        ("warp_reduce_sum<BLOCK_SIZE>(x[col])", "call_with_effects"),
        ("dot(row_A[col], x[col])", "unknown_call"),
        ("std::inner_product<float>(row_A, x, col)", "unknown_call"),
        ("[&]{ return helper(x[col]); }()", "unknown_call"),
        ("row_A[col] *", "syntax_error"),
        ("row_A[col] x[col]", "syntax_error"),
        ("return row_A[col] * x[col]", "syntax_error"),
    ],
)
def test_what_only_a_compiler_can_judge_is_a_warning(fill: str, found: str, exercise: Exercise) -> None:
    findings = locked(exercise, fill).findings
    assert [(f.id, f.severity) for f in findings] == [(found, Severity.WARNING)]
    assert findings[0].place is not None
    assert findings[0].place.line == 82


def test_large_files_are_judged_without_hanging(exercise: Exercise) -> None:
    text = exercise.scaffold.replace(exercise.blank.marker, RIGHT)
    half = text.index("    float local_sum")
    files = [
        text.replace(RIGHT, "(" * 20_000 + RIGHT + ")" * 20_000),
        text.replace(RIGHT, "{" * 100_000),
        text.replace(RIGHT, "［" * 60_000),
        text[:half] + "a b; " * 40_000 + text[half:],
        text[:half] + "if (row >= M) return; " * 8_000 + text[half:],
        (text + "\n") * 40,
        "x " * 100_000,
        text + ";\\\n" * 70_000,
    ]
    for file in files:
        with no_hang():
            rejected(exercise, file)
