"""Intake beyond the layouts: rosters, attempts, corrections in students.csv, what is printed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from gemv_grader.batch.classlist import ClassList, Miss, Row, name_variants, names_agree
from gemv_grader.batch.intake import Intake, save_students, take_in
from gemv_grader.batch.names import folder_key, original
from gemv_grader.batch.store import is_key
from gemv_grader.cli import gemv_grade
from gemv_grader.errors import DataProblem
from gemv_grader.report.intake_report import print_intake

PROGRAM = "local_sum += row_A[col] * x[col];\n"
LAYOUTS = Path(__file__).parent / "layouts"


def written(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"// {name}\n{PROGRAM}", encoding="utf-8")
    return folder


def kinds(found: Intake) -> list[str]:
    return [collision.kind for collision in found.collisions]


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def saved(path: Path, table: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)


# --- rosters ---

ROSTERS = {
    "chinese": "学号,姓名,邮箱\n2021001,张三,zs@x.cn\n2021002,李四,ls@x.cn\n",
    "titles above, semicolons": "第三课名单;;\n学 号;学生姓名;电子邮件\n2021001;张三;zs@x.cn\n2021002;李四;ls@x.cn\n",
    "english": "Student ID,Full Name,Email Address\n2021001,张三,zs@x.cn\n2021002,李四,ls@x.cn\n",
    "first and last": "Last Name\tFirst Name\tSID\tE-mail\n张\t三\t2021001\tzs@x.cn\n李\t四\t2021002\tls@x.cn\n",
    "numbered": "id,学号,姓名,email\n1,2021001,张三,zs@x.cn\n2,2021002,李四,ls@x.cn\n",
    "guarded": "学号,姓名,邮箱\n'=2021001,张三,\n",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("roster", ["chinese", "titles above, semicolons", "english", "first and last", "numbered"])
def test_rosters_of_every_kind(tmp_path: Path, roster: str, encoding: str) -> None:
    (tmp_path / "roster.csv").write_bytes(ROSTERS[roster].encode(encoding))
    found = take_in(written(tmp_path / "class", "张三.cu", "王五.cu"), tmp_path / "roster.csv")
    zhang = next(student for student in found.students if student.name == "张三")
    assert dict(zhang.ids) == {"student_id": "2021001", "email": "zs@x.cn"}
    assert [student.name for student in found.missing] == ["李四"]


def test_students_are_found_by_an_id_within_the_name(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("学号,姓名,用户名\n2021001,张三,zsan\n2021002,张三,zsan2\n2021003,李四,lisi\n")
    found = take_in(
        written(tmp_path / "class", "第3课_张三_2021002.cu", "zsan.cu", "李四-作业.cu"), tmp_path / "roster.csv"
    )
    assert {student.ids["student_id"] for student in found.students} == {"2021001", "2021002", "2021003"}
    assert {student.found_as for student in found.students} == {"第3课_张三_2021002", "zsan", "李四-作业"}
    assert found.missing == ()


def test_a_name_that_two_rows_have_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("学号,姓名\n2021001,张三\n2021002,张三\n")
    found = take_in(written(tmp_path / "class", "张三.cu", "李四.cu"), tmp_path / "roster.csv")
    assert kinds(found) == ["several_rows"]
    assert all("student_id" not in student.ids for student in found.students)
    assert found.missing == ()  # one of them is here


def test_two_submissions_of_one_person_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("学号,姓名\n2021001,张三\n")
    found = take_in(written(tmp_path / "class", "张三.cu", "2021001.cu"), tmp_path / "roster.csv")
    assert len(found.entries) == 2
    assert {"same_row", "same_id"} <= set(kinds(found))


def test_a_roster_without_known_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataProblem, match="none of its columns is known"):
        take_in(written(tmp_path / "class", "ada.cu"), tmp_path / "roster.csv")


def test_canvas_gradebook_as_roster(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        '"O\'Brien, Ann",103,s1,ann7,A\n张三,101,s2,zs,A\n"Student, Test",1,,x,A\n'
    )
    found = take_in(written(tmp_path / "class", "obrienann_103_9_03_gemv.cu"), tmp_path / "g.csv")
    (ann,) = found.students
    assert (ann.name, dict(ann.ids)) == ("O'Brien, Ann", {"canvas_id": "103", "student_id": "s1", "login": "ann7"})
    assert [student.name for student in found.missing] == ["张三"]


def test_an_id_that_is_anothers_is_not_believed() -> None:
    listing = ClassList([Row(1, "Team Lead", {"moodle_id": "12"}), Row(2, "Ann O'Brien", {"moodle_id": "13"})])
    miss = listing.find("Group A", {"moodle_id": "12"})
    assert isinstance(miss, Miss)
    assert miss.why == "other_name"
    assert isinstance(listing.find("O'Brien, Annie", {"moodle_id": "13"}), Row)


def test_a_namesake_with_another_id_is_not_the_one() -> None:
    listing = ClassList([Row(1, "张三", {"canvas_id": "101", "student_id": "0021001"})])
    assert isinstance(listing.find("张三", {"canvas_id": "102"}), Miss)
    assert isinstance(listing.find("张三", {"student_id": "21001"}), Row)  # a spreadsheet dropped the zeros
    assert isinstance(listing.find("张三", {"github": "zs"}), Row)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("O'Brien, Ann", "Ann O'Brien", True),
        ("obrienann", "O'Brien, Ann", True),
        ("Ann Marie O'Brien", "O'Brien, Ann", True),
        ("张三", "张 三", True),
        ("ＡＮＮ", "ann", True),
        ("", "anyone", True),
        ("Li Wei", "Wei Li", True),
        ("Li Wei", "Oliver Stone", False),
        ("张三", "李四", False),
        ("Ann Lee", "Bob Root", False),
    ],
)
def test_names_written_differently(one: str, other: str, agree: bool) -> None:
    assert names_agree(one, other) is agree
    assert names_agree(other, one) is agree


def test_name_variants_hold_both_orders() -> None:
    assert {"annobrien", "obrienann"} <= name_variants("Ann O'Brien") & name_variants("O'Brien, Ann")


# --- attempts ---


def test_the_first_attempt_counts_if_told_so() -> None:
    export = LAYOUTS / "blackboard" / "export"
    newest, first = take_in(export), take_in(export, attempt="first")
    assert [s.key for s in newest.students] != []
    assert {s.key for s in newest.students} == {s.key for s in first.students}
    times = [
        {s.key: e.submitted_at for e in found.entries for s in e.students}["zhang_san"] for found in (newest, first)
    ]
    assert times == ["2024-03-02 08:30:00", "2024-03-01 10:00:00"]


# --- students.csv ---


def test_students_csv_is_followed_and_kept(tmp_path: Path) -> None:
    source = written(tmp_path / "class", "zs/a.cu", "zs/b.cu", "ann/03_gemv.cu")
    path = tmp_path / "students.csv"
    first = take_in(source, previous=path)
    assert kinds(first) == ["several_programs"]
    save_students(path, first)
    table = rows(path)
    zhang = next(row for row in table if row["found_as"] == "zs")
    zhang.update(key="zhang-san", name="=张三", student_id="0021001", program="zs/b.cu", 备注="转专业")
    saved(path, [{"备注": "", **row} for row in table])

    again = take_in(source, previous=path)
    student = next(student for student in again.students if student.found_as == "zs")
    assert (student.key, student.name, student.ids["student_id"]) == ("zhang-san", "=张三", "0021001")
    assert again.is_clear
    assert {entry.program.name for entry in again.entries if entry.program} == {"zs/b.cu", "ann/03_gemv.cu"}

    save_students(path, again)
    kept = next(row for row in rows(path) if row["found_as"] == "zs")
    assert (kept["备注"], kept["program"], kept["name"]) == ("转专业", "zs/b.cu", "'=张三")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    before = path.read_bytes()
    save_students(path, take_in(source, previous=path))
    assert path.read_bytes() == before


def test_students_who_are_gone_keep_their_rows(tmp_path: Path) -> None:
    path = tmp_path / "students.csv"
    source = written(tmp_path / "class", "ada.cu", "bob.cu")
    save_students(path, take_in(source))
    (source / "ada.cu").unlink()
    save_students(path, take_in(source, previous=path))
    assert {row["key"] for row in rows(path)} == {"ada", "bob"}


def test_ids_of_the_export_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "students.csv"
    source = written(tmp_path / "class", "ann_7_90_03_gemv.cu", "bob_8_91_03_gemv.cu")
    save_students(path, take_in(source))
    saved(path, [{**row, "canvas_id": "999"} if row["key"] == "ann_7" else row for row in rows(path)])
    found = take_in(source, previous=path)
    assert kinds(found) == ["changed_id"]
    assert {student.ids["canvas_id"] for student in found.students} == {"7", "8"}


def test_a_file_named_in_vain_is_told(tmp_path: Path) -> None:
    path = tmp_path / "students.csv"
    source = written(tmp_path / "class", "ada/03_gemv.cu", "bob/03_gemv.cu")
    save_students(path, take_in(source))
    saved(path, [{**row, "program": "ada/gone.cu"} if row["key"] == "ada" else row for row in rows(path)])
    found = take_in(source, previous=path)
    assert kinds(found) == ["no_such_file"]
    assert all(entry.program for entry in found.entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("key,name\na,b\n", "there is no column found_as"),
        ("key,name,found_as\n../x,b,c\n", "2: the key"),
        ("key,name,found_as\na,b,c\nA,b,d\n", "3: the key"),
        ("key,name,found_as\na,b,c\nd,b,c\n", "3: the key"),
    ],
)
def test_a_bad_students_csv_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "students.csv").write_text(text)
    with pytest.raises(DataProblem, match=said):
        take_in(written(tmp_path / "class", "ada.cu"), previous=tmp_path / "students.csv")


def test_keys_are_unique_stable_and_safe(tmp_path: Path) -> None:
    names = [
        "A b.cu",
        "a-b.cu",
        "a.b.cu",
        "..x.cu",
        "CON.cu",
        "programs.cu",
        "=1.cu",
        "名" * 60 + ".cu",
        "名" * 61 + ".cu",
        "a*b.cu",
    ]
    first = take_in(written(tmp_path / "class", *(f"{name}.cu" for name in names)))
    keys = [student.key for student in first.students]
    assert len({key.casefold() for key in keys}) == len(keys)
    assert all(is_key(key) and len(key.encode()) < 100 for key in keys)
    again = take_in(written(tmp_path / "class", "new.cu"))
    assert {s.found_as: s.key for s in first.students}.items() <= {s.found_as: s.key for s in again.students}.items()


COPIES = ["a (1)", "a-1", "a(12)", "a（2）", "a - Copy", "a - 副本", "a_副本 (2)", "a copy"]


@pytest.mark.parametrize(
    ("copy", "name"), [*((copy, "a") for copy in COPIES), *((same, same) for same in ("03_gemv", "lab3", "(1)", "a_1"))]
)
def test_what_systems_add_to_copies(copy: str, name: str) -> None:
    assert original(copy) == name


def test_a_key_reads_like_the_name() -> None:
    assert folder_key("O'Brien, Ann_12") == "O-Brien-Ann_12"
    assert folder_key("张三_12") == "张三_12"


# --- what is printed ---


def test_the_commands_table_and_exit_code(tmp_path: Path) -> None:
    source = written(tmp_path / "class", "ada.cu", "bob.cu")
    students = tmp_path / "students.csv"
    result = CliRunner().invoke(gemv_grade, ["--lang", "en", "intake", str(source), "--students", str(students)])
    assert result.return_value == 0 or result.exit_code == 0
    assert "ada\tada\tada.cu\t—" in result.output
    assert students.exists()
    result = CliRunner().invoke(gemv_grade, ["--lang", "zh", "intake", str(source), "--json"])
    assert [entry["program"] for entry in json.loads(result.output)["entries"]] == ["ada.cu", "bob.cu"]


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_names_cannot_speak_to_the_terminal(tmp_path: Path, terminal: bool, lang: str) -> None:
    source = written(tmp_path / "class", "\x1b[31mred.cu", "[bold]x[/bold].cu", "a\u202eb.cu", "b\nc\td.cu")
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, color_system=None, width=200, markup=False, emoji=False)
    print_intake(take_in(source), lang, console)  # type: ignore[arg-type]
    printed = stream.getvalue()
    assert "\\u{1b}[31mred" in printed
    assert "\x1b[31m" not in printed
    assert "[bold]x[/bold]" in printed
    assert "\u202e" not in printed
    assert "b c d" in printed


def test_two_spellings_of_one_name_are_two_students(tmp_path: Path) -> None:
    for spelling in ("Zo\u00eb", "Zoe\u0308"):
        (tmp_path / spelling).mkdir()
        (tmp_path / spelling / "03_gemv.cu").write_text(PROGRAM)
    found = take_in(tmp_path)
    assert [student.name for entry in found.entries for student in entry.students] == ["Zo\u00eb", "Zo\u00eb (2)"]
