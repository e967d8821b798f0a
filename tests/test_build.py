"""The build, with the real nvcc where there is one, and with scripts that misbehave in its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fakes import fake_nvcc

from gemv_grader.build import (
    Binary,
    BuildCache,
    Nvcc,
    Toolchain,
    build,
    build_host_half,
    explain,
    find_nvcc,
)
from gemv_grader.errors import GraderFault
from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.lock.lexer import lex
from gemv_grader.lock.result import Fill
from gemv_grader.program import splice
from gemv_grader.run.gpu_child import anonymous
from gemv_grader.words import Finding, Place, Severity

RIGHT = "row_A[col] * x[col]"
BOMB = (
    "[](auto f) { return f(f); }([](auto self, auto... a) -> float "
    "{ if constexpr (sizeof...(a) > 18) return 1.f; "
    "else return self(self, a..., 1) + self(self, a..., 1L); })"
)
FOUND = find_nvcc()

# Where the fill stands in the student's file, for these tests: line 7, after four columns.
STUDENT_LINE, STUDENT_COLUMN = 7, 5


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise("03_gemv")


@pytest.fixture
def toolchain() -> Toolchain:
    assert isinstance(FOUND, Nvcc)
    return Toolchain(FOUND, BuildCache(None))


def fill_of(written: str) -> Fill:
    """The fill as a student wrote it, on one line of its own."""
    lead = "\n" * (STUDENT_LINE - 1) + " " * (STUDENT_COLUMN - 1)
    tokens = lex(lead + written)
    text = " ".join(token.text for token in tokens)
    start = Place(STUDENT_LINE, STUDENT_COLUMN)
    return Fill(text, tokens, written, start, Place(STUDENT_LINE, STUDENT_COLUMN + len(written)), attempted=True)


def findings(written: str, exercise: Exercise, toolchain: Toolchain) -> tuple[Finding, ...]:
    fill = fill_of(written)
    program = splice(exercise, fill.text)
    binary = build(program, exercise, toolchain)
    return explain(binary, fill, program, exercise)


@pytest.mark.nvcc
@pytest.mark.parametrize("arch", [None, "sm_90"])
def test_a_right_fill_becomes_a_cubin(exercise: Exercise, toolchain: Toolchain, arch: str | None) -> None:
    binary = build(splice(exercise, fill_of(RIGHT).text), exercise, toolchain, arch)
    assert binary.ok
    assert binary.code is not None
    assert binary.code.startswith(b"\x7fELF")
    assert b"gemv_kernel" in binary.code
    assert binary.arch == (arch or "sm_80")
    assert "-std=c++17" in binary.command
    assert not any("fast" in argument for argument in binary.command)
    assert not binary.diagnostics


@pytest.mark.nvcc
@pytest.mark.parametrize(
    ("written", "kind", "column", "said"),
    [
        ("row_a[col] * x[col]", "undeclared_name", 0, "row_A"),
        ("row_A[Col] * x[col]", "undeclared_name", 6, "col"),
        ("row_A[col] * X[col]", "undeclared_name", 13, "x"),
        ("row_A[column] * x[col]", "undeclared_name", 6, "col"),
        ("zebra * x[col]", "undeclared_name", 0, "zebra"),
        ("row_A[col] * zz * INFINITY", "undeclared_name", 13, "zz"),
        ("INFINITY * row_A[col] * zz", "undeclared_name", 24, "zz"),
        ("row_A[col] *", "missing_operand", 12, "*"),
        ("row_A[ ] * x[col]", "missing_operand", 7, ""),
        ("(row_A[col] + ) * x[col]", "missing_operand", 14, "+"),
        ("x[col] * * row_A[col]", "missing_operand", 11, "*"),
        ("row_A[col] x[col]", "missing_operator", 11, "x"),
        ("(row_A[col] * x[col]", "unbalanced_bracket", 20, ")"),
        ("row_A[col] * x[col", "unbalanced_bracket", 18, "]"),
        ("row_A[col] * x[col])", "unbalanced_bracket", 19, ")"),
        ("row_A［col］ * x［col］", "lookalike_character", 5, "["),
        ("row_A[col] × x[col]", "lookalike_character", 11, "*"),
        ("row_A[col]， x[col]", "lookalike_character", 10, ","),
        ("row_A * x[col]", "pointer_as_value", 0, "row_A["),
        ("x * row_A", "pointer_as_value", 0, "x["),
        ("row_A[col] * x", "pointer_as_value", 13, "x["),
        ("row_A[x] * x[col]", "pointer_as_value", 6, "x"),
        ("row_A(col) * x[col]", "called_value", 0, "[ ]"),
        ("rand() * x[col]", "undeclared_name", 0, "rand"),
        ("A[row][col] * x[col]", "value_as_array", 0, "A[i][j]"),
        ("fmaf(row_A[col], x[col])", "compiler_error", 23, "too few arguments"),
    ],
)
def test_an_error_is_found_at_its_place_and_explained(
    exercise: Exercise, toolchain: Toolchain, *, written: str, kind: str, column: int, said: str
) -> None:
    first = findings(written, exercise, toolchain)[0]
    assert (first.id, first.severity) == (kind, Severity.ERROR)
    assert first.place == Place(STUDENT_LINE, STUDENT_COLUMN + column)
    assert said in first.message.zh
    assert said in first.message.en
    assert "{" not in first.message.en


@pytest.mark.nvcc
def test_an_error_that_a_template_moves_elsewhere_is_still_the_fill(exercise: Exercise, toolchain: Toolchain) -> None:
    (first, *_) = findings("block_reduce_sum<-100>(x[col])", exercise, toolchain)
    assert first.id == "compiler_error"
    assert first.place == Place(STUDENT_LINE, STUDENT_COLUMN)


@pytest.mark.nvcc
def test_a_warning_about_the_fill_is_told(exercise: Exercise, toolchain: Toolchain) -> None:
    (only,) = findings("A[row, col] * x[col]", exercise, toolchain)
    assert (only.id, only.severity) == ("compiler_warning", Severity.WARNING)
    assert only.place == Place(STUDENT_LINE, STUDENT_COLUMN + 2)


@pytest.mark.nvcc
def test_a_compile_bomb_is_stopped_and_is_the_fills_doing(exercise: Exercise, toolchain: Toolchain) -> None:
    fill = fill_of(BOMB)
    program = splice(exercise, fill.text)
    binary = build(program, exercise, Toolchain(toolchain.nvcc, toolchain.cache, seconds=3))
    assert binary.timed_out
    assert not binary.ok
    assert [f.id for f in explain(binary, fill, program, exercise)] == ["compile_timeout"]


@pytest.mark.nvcc
def test_a_crash_of_the_compiler_is_the_fills_doing(exercise: Exercise, tmp_path: Path) -> None:
    assert isinstance(FOUND, Nvcc)
    script = f'grep -q ANSWER program.cu && kill -SEGV $$\nexec {FOUND.path} "$@"'
    program = splice(exercise, "ANSWER")
    binary = build(program, exercise, Toolchain(fake_nvcc(tmp_path, script), BuildCache(None)))
    assert not binary.ok
    assert binary.errors


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "pristine scaffold"),
        ("echo 'program.cu(3): error: bad' >&2; exit 1", "bad"),
        ("echo 'fatal error: when writing output to /tmp/x: No space left on device'; exit 1", "disk space"),
        (
            "echo 'nvcc fatal   : Failed to preprocess host compiler properties.'; exit 1",
            "g++",
        ),
        ("echo '#error -- unsupported GNU version! gcc versions later than 15'; exit 1", "NVCC_CCBIN"),
        ("echo \"nvcc fatal   : Unsupported gpu architecture 'compute_999'\"; exit 1", "architecture"),
        ("echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\"; exit 1", "memory"),
    ],
)
def test_a_broken_toolchain_is_our_fault(exercise: Exercise, tmp_path: Path, script: str, said: str) -> None:
    toolchain = Toolchain(fake_nvcc(tmp_path, script), BuildCache(None))
    with pytest.raises(GraderFault) as raised:
        build(splice(exercise, "0 + 0"), exercise, toolchain)
    assert said in raised.value.text.en
    assert raised.value.text.zh


def test_a_hanging_nvcc_is_our_fault(exercise: Exercise, tmp_path: Path) -> None:
    toolchain = Toolchain(fake_nvcc(tmp_path, "sleep 60"), BuildCache(None), seconds=0.3)
    with pytest.raises(GraderFault) as raised:
        build(splice(exercise, "0 + 0"), exercise, toolchain)
    assert "hangs" in raised.value.text.en


def test_words_of_a_student_are_no_fault_of_ours(exercise: Exercise, tmp_path: Path) -> None:
    line = exercise.blank_place.line
    script = f"""
echo 'program.cu({line}): error: No space left on device'
echo '      "No space left on device"'
echo '      ^'
exit 1"""
    binary = build(splice(exercise, "0 + 0"), exercise, Toolchain(fake_nvcc(tmp_path, script), BuildCache(None)))
    assert not binary.ok


@pytest.mark.nvcc
def test_the_host_half_holds_the_launcher_and_no_runtime(exercise: Exercise, toolchain: Toolchain) -> None:
    library = build_host_half(exercise, toolchain)
    assert library.startswith(b"\x7fELF")
    for name in (b"harness_launch", b"shim_bind", b"launch_gemv", b"cudaLaunchKernel"):
        assert name in library
    assert b"libcudart" not in library


@pytest.mark.nvcc
def test_the_halves_agree_on_the_kernels_names(exercise: Exercise, toolchain: Toolchain) -> None:
    cubin = build(splice(exercise, fill_of(RIGHT).text), exercise, toolchain).code
    assert cubin is not None
    kernels = set(map(anonymous, re.findall(rb"\.text\.([^\0]+)", cubin)))
    assert kernels
    assert kernels <= set(map(anonymous, build_host_half(exercise, toolchain).split(b"\0")))


@pytest.mark.nvcc
def test_a_launcher_that_needs_more_of_cuda_is_told(exercise: Exercise, toolchain: Toolchain) -> None:
    harness = exercise.harness.replace("launch_gemv(A", "cudaMemset(y, 0, 4); launch_gemv(A")
    with pytest.raises(GraderFault) as raised:
        build_host_half(exercise.model_copy(update={"harness": harness}), toolchain)
    assert "cudaMemset" in raised.value.text.en


@pytest.mark.nvcc
def test_an_identical_program_comes_from_the_cache(exercise: Exercise, tmp_path: Path) -> None:
    assert isinstance(FOUND, Nvcc)
    toolchain = Toolchain(FOUND, BuildCache(tmp_path / "cache"))
    program = splice(exercise, "row_A [ col ]")
    first = build(program, exercise, toolchain, "sm_90")
    again = build(program, exercise, toolchain, "sm_90")
    assert not first.cached
    assert again == Binary(**{**vars(first), "cached": True})
    assert not build(program, exercise, toolchain, "sm_80").cached
    failed = build(splice(exercise, "row_a"), exercise, toolchain)
    assert build(splice(exercise, "row_a"), exercise, toolchain) == Binary(**{**vars(failed), "cached": True})
