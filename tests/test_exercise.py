"""Exercises: the lesson's has the lesson's code, and a malformed one is refused with file, line and mend."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from bad_yaml import BAD_DATA, assert_marks_are_said
from click.testing import CliRunner
from ruamel.yaml import YAML

from gemv_grader.blank_checks import refuse_host_blank
from gemv_grader.cases.reference import products
from gemv_grader.cli import gemv_grade
from gemv_grader.errors import DataProblem, UsageProblem
from gemv_grader.exercise import CaseSpec, Exercise, load_exercise
from gemv_grader.handout import hand_out
from gemv_grader.mutants import load_mutants
from gemv_grader.paths import data_root, list_exercises
from gemv_grader.pipeline import choose_exercise
from gemv_grader.submission import from_bytes
from gemv_grader.yamlfile import MAX_BYTES, read_yaml

GEMV = load_exercise("03_gemv")
TINY = BAD_DATA / "exercise"

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|>>=|<<=|::|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\+\+|--|->|\S")


def make_root(root: Path, exercise_yaml: Path, mutants_yaml: Path | None = None) -> Path:
    """A data root whose one exercise is ``tiny`` with this exercise.yaml; returns the exercise's folder."""
    folder = root / "exercises" / "tiny"
    folder.mkdir(parents=True)
    for name in ("tiny.cu", "harness.cu", "answers.md"):
        shutil.copy(TINY / name, folder)
    shutil.copy(exercise_yaml, folder / "exercise.yaml")
    shutil.copy(mutants_yaml or BAD_DATA / "mutants" / "good.yaml", folder / "mutants.yaml")
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Exercise:
    make_root(tmp_path, TINY / "good.yaml")
    return load_exercise("tiny", tmp_path)


# The lesson's exercise


def test_the_scaffold_has_exactly_the_code_tokens_of_the_lesson() -> None:
    lesson = (Path(__file__).parent / "lesson03_tokens.txt").read_text(encoding="utf-8").split()
    assert _TOKEN.findall(_COMMENT.sub(" ", GEMV.scaffold)) == lesson


def test_the_solution_is_the_scaffold_filled_in() -> None:
    solution = (data_root() / "solutions" / "03_gemv.cu").read_text(encoding="utf-8")
    filled = GEMV.scaffold.replace(GEMV.blank.marker, "row_A[col] * x[col]")
    assert _TOKEN.findall(_COMMENT.sub(" ", solution)) == _TOKEN.findall(_COMMENT.sub(" ", filled))


def test_the_blank_is_found_in_the_scaffold() -> None:
    place = GEMV.blank_place
    assert GEMV.scaffold.splitlines()[place.line - 1][place.column - 1 :].startswith("______;")


def has_drawn_size(case: CaseSpec) -> bool:
    return any(case.smallest(size) < case.largest(size) for size in case.sizes)


def test_only_edge_cases_probe_a_missing_bias_and_many_rows() -> None:
    for case in GEMV.cases:
        if case.group == "normal":
            assert not case.absent
            assert case.largest("M") < 65_535
            assert not has_drawn_size(case)
    assert sum(has_drawn_size(case) for case in GEMV.cases) == 2
    assert any(case.largest("M") > 65_535 and case.blocks is None for case in GEMV.cases)


def test_the_mutants_are_many_and_probe_both_groups() -> None:
    mutants = load_mutants(GEMV)
    assert len(mutants.wrong) >= 35
    assert len(mutants.right) >= 14
    assert {mutant.fails for mutant in mutants.wrong} == {("normal", "edge"), ("edge",)}
    assert all(len(fill.fill) <= GEMV.blank.max_characters for fill in (*mutants.wrong, *mutants.right))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("__ldg", "pure"),
        ("__fmul_rn", "pure"),
        ("float", "pure"),
        ("__syncthreads", "effects"),
        ("__shfl_down_sync", "effects"),
        ("__trap", "effects"),
        ("atomicAdd", "forbidden"),
        ("vprintf", "forbidden"),
        ("__stcs", "forbidden"),
        ("cudaMalloc", "forbidden"),
        ("__builtin_trap", "forbidden"),
        ("dot", "unknown"),
    ],
)
def test_what_a_fill_may_call(name: str, kind: str) -> None:
    assert GEMV.blank.calls.kind_of(name) == kind


# Loading


def test_a_small_exercise_loads(tiny: Exercise) -> None:
    assert tiny.groups == ("normal", "edge")
    assert [buffer.name for buffer in tiny.inputs] == ["x", "shift"]
    assert tiny.cases[1].smallest("N") == 1
    assert tiny.cases[1].largest("N") == 9
    assert tiny.blank_place.line == 6


def test_exercises_are_listed(tmp_path: Path) -> None:
    assert list_exercises(tmp_path) == ()
    assert "03_gemv" in list_exercises()


def test_an_unknown_exercise_is_a_usage_problem() -> None:
    with pytest.raises(UsageProblem, match="03_gemv"):
        load_exercise("99_nothing")


def test_a_missing_scaffold_is_named(tmp_path: Path) -> None:
    folder = make_root(tmp_path, TINY / "good.yaml")
    (folder / "tiny.cu").unlink()
    with pytest.raises(DataProblem, match=r"tiny\.cu"):
        load_exercise("tiny", tmp_path)


@pytest.mark.parametrize(
    "reference",
    ["relu(x)", "x / 2", "x ** 2", "x[0]", "x if 1 else x", "True * x", "1j * x", "'a' + x", "+x", "x.U", "(x, x)"],
)
def test_a_reference_beyond_arithmetic_is_refused(reference: str, tmp_path: Path) -> None:
    path = make_root(tmp_path, TINY / "good.yaml") / "exercise.yaml"
    text = path.read_text(encoding="utf-8").replace('"2 * x + shift"', f'"{reference}"')
    path.write_text(text, encoding="utf-8")
    line = next(i for i, row in enumerate(text.splitlines(), start=1) if row.startswith("reference:"))
    with pytest.raises(ValueError, match="may use"):
        products(reference)
    with pytest.raises(DataProblem, match=rf"exercise\.yaml:{line}: the reference cannot use"):
        load_exercise("tiny", tmp_path)


@pytest.mark.parametrize("reference", [" 2 * x + shift", "-x.T * 2.5 - shift @ (x + 1)"])
def test_a_reference_of_arithmetic_is_taken(reference: str, tmp_path: Path) -> None:
    path = make_root(tmp_path, TINY / "good.yaml") / "exercise.yaml"
    text = path.read_text(encoding="utf-8").replace('"2 * x + shift"', f'"{reference}"')
    path.write_text(text, encoding="utf-8")
    assert products(load_exercise("tiny", tmp_path).reference)


@pytest.mark.parametrize(
    ("marker", "code"),
    [
        ("/*FILL*/", "/*FILL*/"),
        ("TODO HERE", "TODO HERE"),
        ("FILL", "0 /* FILL */"),
        ("FILL", "FILL_ME"),
        ("xor", "xor"),
        ("42", "42"),
    ],
)
def test_a_marker_that_is_no_name_is_refused(marker: str, code: str, tmp_path: Path) -> None:
    folder = make_root(tmp_path, TINY / "good.yaml")
    for name, new in (("tiny.cu", code), ("exercise.yaml", marker)):
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8").replace("______", new), encoding="utf-8")
    with pytest.raises(DataProblem, match=r"exercise\.yaml:3: the marker .* is not a name of its own"):
        load_exercise("tiny", tmp_path)


def test_a_folder_whose_name_is_no_id_is_refused(tmp_path: Path) -> None:
    make_root(tmp_path, TINY / "good.yaml").rename(tmp_path / "exercises" / "Tiny copy")
    with pytest.raises(DataProblem, match=r"Tiny copy: the folder's name"):
        load_exercise("Tiny copy", tmp_path)


def test_a_broken_exercise_blocks_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = make_root(tmp_path, TINY / "good.yaml")
    (tmp_path / "rubrics").mkdir()
    for name in ("00_broken", "Tiny copy"):
        shutil.copytree(tiny, tiny.parent / name)
    for module in ("exercise", "paths"):
        monkeypatch.setattr(f"gemv_grader.{module}.data_root", lambda: tmp_path)
    submission = from_bytes((tiny / "tiny.cu").read_bytes(), "a.cu")
    assert choose_exercise(submission, None).id == "tiny"
    with pytest.raises(DataProblem, match=r"00_broken\.cu"):
        choose_exercise(submission, "00_broken")
    (tiny / "exercise.yaml").write_text("title: 3\n", encoding="utf-8")
    with pytest.raises(DataProblem, match=r"00_broken\.cu"):
        choose_exercise(submission, None)


@pytest.mark.parametrize("bad", [p for p in sorted(TINY.glob("*.yaml")) if p.stem != "good"], ids=lambda p: p.stem)
def test_a_malformed_exercise_is_refused_with_its_lines(bad: Path, tmp_path: Path) -> None:
    folder = make_root(tmp_path, bad)
    with pytest.raises(DataProblem) as caught:
        load_exercise("tiny", tmp_path)
    text = caught.value.text
    assert_marks_are_said(bad, folder / "exercise.yaml", text.en)
    assert [line.split(" ")[0] for line in text.zh.splitlines()] == [
        line.split(" ")[0] for line in text.en.splitlines()
    ]


def test_a_product_of_sizes_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "exercises" / "03_gemv"
    shutil.copytree(GEMV.directory, folder)
    path = folder / "exercise.yaml"
    text = path.read_text(encoding="utf-8").replace("{M: 70000, N: 48}", "{M: 70000, N: 48000}")
    path.write_text(text, encoding="utf-8")
    line = next(i for i, row in enumerate(text.splitlines(), start=1) if "48000" in row)
    with pytest.raises(DataProblem, match=rf"exercise\.yaml:{line}: A would have 3360000000 elements.*known limit"):
        load_exercise("03_gemv", tmp_path)


@pytest.mark.parametrize(
    "bad",
    [p for p in sorted((BAD_DATA / "mutants").glob("*.yaml")) if p.stem != "good"],
    ids=lambda p: p.stem,
)
def test_malformed_mutants_are_refused_with_their_lines(bad: Path, tmp_path: Path) -> None:
    folder = make_root(tmp_path, TINY / "good.yaml", bad)
    with pytest.raises(DataProblem) as caught:
        load_mutants(load_exercise("tiny", tmp_path))
    assert_marks_are_said(bad, folder / "mutants.yaml", caught.value.text.en)


# Files that are hardly YAML


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "pairs"),
        (b"- a\n- b\n", "pairs"),
        (b"a: 1\nb: \xff\n", ":2: the file is not UTF-8"),
        (b"a: 1\nb: \x00\n", ":2: YAML syntax error"),
        (b"a: 1\n\tb: 2\n", "YAML syntax error"),
        (b"a: " + b"[" * 100_000, "nest deeper"),
        (b"a: " + b"- " * 100_000, "YAML syntax error"),
        (b"a:\n" + b"- " * 100_000, "nest deeper"),
        (b"#" * (MAX_BYTES + 1), "larger than 1 MiB"),
        (b"a: &x [1]\nb: [*x, *x]\n", ":1: anchors and aliases"),
    ],
)
def test_what_is_hardly_yaml_is_refused(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(data)
    with pytest.raises(DataProblem, match=re.escape(said)):
        read_yaml(path)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(DataProblem, match="cannot be read"):
            read_yaml(path)


def test_the_data_reads_the_same_with_either_parser() -> None:
    """Ruamel's C parser, taken where it is installed, is stricter about plain scalars in brackets."""
    files = [*data_root().glob("exercises/*/*.yaml"), *data_root().glob("rubrics/*.yaml")]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        fast, pure = (
            [(type(event).__name__, getattr(event, "value", None)) for event in YAML(typ="safe", pure=pure).parse(text)]
            for pure in (False, True)
        )
        assert fast == pure, path


def test_scalars_follow_the_core_schema(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(
        '\ufeffa: no\nb: 12\nc: -1.5e3\nd: "12"\ne: ~\nf: true\ng: 12:30\nh: |\n  12\ni: []\n',
        encoding="utf-8",
    )
    assert read_yaml(path).data == {
        "a": "no",
        "b": 12,
        "c": -1500.0,
        "d": "12",
        "e": None,
        "f": True,
        "g": "12:30",
        "h": "12\n",
        "i": (),
    }


# start, hint, list


def test_hand_out_writes_what_the_exercise_holds(tmp_path: Path) -> None:
    scaffold, answers = hand_out(GEMV, tmp_path / "new" / "folder")
    assert scaffold.read_text(encoding="utf-8") == GEMV.scaffold
    assert answers.read_text(encoding="utf-8") == GEMV.answers_form


@pytest.mark.parametrize("taken", ["03_gemv.cu", "answers.md"])
def test_hand_out_overwrites_nothing(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_text("my work", encoding="utf-8")
    with pytest.raises(UsageProblem, match=re.escape(taken)):
        hand_out(GEMV, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text(encoding="utf-8") == "my work"


def test_hand_out_leaves_a_dangling_link_alone(tmp_path: Path) -> None:
    (tmp_path / "answers.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(UsageProblem, match="exists"):
        hand_out(GEMV, tmp_path)
    assert not (tmp_path / "elsewhere.md").exists()


def test_hand_out_says_why_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageProblem, match="Cannot write"):
        hand_out(GEMV, tmp_path / "file")


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(gemv_grade, ["--lang", "en", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_start_names_the_files_and_the_next_command(tmp_path: Path) -> None:
    folder = tmp_path / "my work"
    output = invoke("start", "03_gemv", str(folder))
    assert f"gemv-grade submit '{folder}/03_gemv.cu' --answers '{folder}/answers.md'" in output


def test_hints_give_away_more_with_every_level() -> None:
    shown = [invoke("hint", "03_gemv", "--level", str(level)) for level in (1, 2, 3, 4)]
    assert ["row_A[col] * x[col]" in text for text in shown] == [False, False, False, True]
    assert ["--level" in text for text in shown] == [True, True, True, False]


def test_list_shows_the_lesson() -> None:
    assert f"03_gemv  {GEMV.title.en}" in invoke("list")


@pytest.mark.parametrize(
    ("old", "new", "is_refused"),
    [
        ("", "", False),
        ("__global__ ", "", True),
        ("__global__ void", "static __global__ __launch_bounds__(256) void", False),
        ("__global__ void", "template <int B> __global__ void", False),
    ],
)
def test_a_blank_in_host_code_is_refused_by_check(tmp_path: Path, old: str, new: str, is_refused: bool) -> None:
    directory = make_root(tmp_path, TINY / "good.yaml")
    scaffold = (directory / "tiny.cu").read_text(encoding="utf-8")
    assert old in scaffold
    (directory / "tiny.cu").write_text(scaffold.replace(old, new, 1), encoding="utf-8")
    exercise = load_exercise("tiny", tmp_path)
    if is_refused:
        with pytest.raises(DataProblem, match="no __global__"):
            refuse_host_blank(exercise)
    else:
        refuse_host_blank(exercise)
    refuse_host_blank(load_exercise("03_gemv"))
