"""Canvas's and Moodle's own files come back with grade and feedback cells changed, and nothing else."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored_grades import Json, grade, stored, student

from gemv_grader.batch.export import Exported, Options, Target, export
from gemv_grader.batch.sheet import Sheet, parse_sheet
from gemv_grader.errors import UsageProblem

Records = tuple[tuple[str, Json, Json], ...]

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Lab 2 (70),03_gemv 填空 (71),Final Score,Notes\r\n"
    "    Points Possible,,,,,5.00,10.00,(read only),\r\n"
    '"O\'Brien, Ann",103,0021002,ann7,A,4.50,,90.00,"likes ""commas"", too"\r\n'
    '"张三","101","0021001","zs","A, B","","","",""\r\n'
    "张三,102,0021003,zs2,A,1,,,\r\n"
    '"=""=1+1""",104,0021004,x,A,,,,\r\n'
    "Lee Cheryl,105,0021005,lc,A,,7.00,,\r\n"
    "Root Bob,106,0021006,bob,A,,EX,,\r\n"
    '"Student, Test",1,,test,A,,,,\r\n'
)
CLASS: Records = (
    ("obrienann_103", grade(8.5, "wrong"), student("obrienann", "obrienann_103", canvas_id="103")),
    ("zhangsan_101", grade(10.0), student("张三", "zhangsan_101", canvas_id="101")),
    ("zhangsan_102", grade(0.0, "rejected"), student("张三", "zhangsan_102", canvas_id="102")),
    ("x_104", grade(3.0, "wrong"), student("=1+1", "x_104", canvas_id="104")),
    ("lee_105", grade(9.0), student("leecheryl", "lee_105", canvas_id="105")),
    ("bob_106", grade(9.0), student("rootbob", "bob_106", canvas_id="106")),
    ("gone_999", grade(9.0), student("gone girl", "gone_999", canvas_id="999")),
    ("open_107", grade(3.0, pending=7.0, passed=None), student("open", "open_107", canvas_id="107")),
    ("broken_108", grade(0.0, "grader_fault"), student("broken", "broken_108", canvas_id="108")),
)


def exported(
    tmp_path: Path, target: Target, book: bytes, records: Records = CLASS, options: Options | None = None
) -> Exported:
    path = tmp_path / "book.csv"
    path.write_bytes(book)
    before = path.stat().st_mtime_ns
    result = export(stored(tmp_path / "grades", *records), target, path, options or Options())
    assert path.read_bytes() == book
    assert path.stat().st_mtime_ns == before
    return result


def differences(before: bytes, after: bytes) -> dict[tuple[int, str], str]:
    """The changed cells by row and column title; everything around the cells must be the same."""
    old, new = parse_sheet(before, Path("old")), parse_sheet(after, Path("new"))
    assert _around(old) == _around(new)
    assert (old.mark, old.codec, old.separator) == (new.mark, new.codec, new.separator)
    titles = old.values(0)
    return {
        (row, titles[column]): b.value
        for row in range(len(old.rows))
        for column, (a, b) in enumerate(zip(old.rows[row], new.rows[row], strict=True))
        if old.text[a.start : a.end] != new.text[b.start : b.end]
    }


def _around(sheet: Sheet) -> list[str]:
    cells = [cell for row in sheet.rows for cell in row]
    ends = [0, *(cell.end for cell in cells)]
    return [sheet.text[end : cell.start] for end, cell in zip(ends, cells, strict=False)] + [sheet.text[ends[-1] :]]


GRADE = "03_gemv 填空 (71)"


def test_canvas_grades_go_into_one_column(tmp_path: Path) -> None:
    result = exported(tmp_path, "canvas", CANVAS.encode())
    assert differences(CANVAS.encode(), result.files[""]) == {
        (2, GRADE): "8.50",
        (3, GRADE): "10.00",
        (4, GRADE): "0.00",
        (5, GRADE): "3.00",
    }
    left = {who: why.en for who, why in result.left}
    assert left == {
        "leecheryl (lee_105)": "the gradebook has 7.00 already, not replaced by 9.00; --overwrite does",
        "rootbob (bob_106)": "is excused (EX) on Canvas; not touched",
        "gone girl (gone_999)": "is not in the gradebook",
        "open (open_107)": "is not in the gradebook",
        "broken (broken_108)": "is not in the gradebook",
    }


def test_existing_grades_are_replaced_only_on_request(tmp_path: Path) -> None:
    result = exported(tmp_path, "canvas", CANVAS.encode(), options=Options(overwrite=True))
    assert differences(CANVAS.encode(), result.files[""])[6, GRADE] == "9.00"
    assert "is excused" in dict(result.left)["rootbob (bob_106)"].en


def test_an_equal_grade_keeps_its_bytes(tmp_path: Path) -> None:
    book = CANVAS.replace("lc,A,,7.00", 'lc,A,,"9"').encode()
    result = exported(tmp_path, "canvas", book)
    assert (6, GRADE) not in differences(book, result.files[""])
    assert "leecheryl (lee_105)" not in dict(result.left)


@pytest.mark.parametrize("standing", ["open", "fault"])
def test_what_is_not_final_is_no_grade(tmp_path: Path, standing: str) -> None:
    book = b"Student,ID,Section,03_gemv (7)\nAnn,1,A,\n"
    score = {"pending": 7.0, "passed": None} if standing == "open" else {}
    records: Records = (
        (
            "ann",
            grade(3.0, "grader_fault" if standing == "fault" else "correct", **score),
            student("Ann", canvas_id="1"),
        ),
    )
    result = exported(tmp_path, "canvas", book, records)
    assert result.files[""] == book
    assert result.left[0][0] == "Ann (ann)"
    given = exported(tmp_path, "canvas", book, records, Options(provisional=True)).files[""]
    assert (b"Ann,1,A,3.00" in given) is (standing == "open")


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_decimal_commas_separators_and_encodings_are_kept(tmp_path: Path, separator: str, encoding: str) -> None:
    lines = ["Student|ID|Section|Lab (1)|03_gemv (7)", "    Points Possible||||10,00", "张三|101|A|7,25|", ""]
    book = "\r\n".join(lines).replace("|", separator).encode(encoding)
    result = exported(tmp_path, "canvas", book, CLASS[1:2])
    assert differences(book, result.files[""]) == {(2, "03_gemv (7)"): "10,00"}


def test_the_column_must_be_clear(tmp_path: Path) -> None:
    book = CANVAS.replace("03_gemv 填空", "GEMV").encode()
    with pytest.raises(UsageProblem, match=r"Lab 2 \(70\)\n  GEMV \(71\)"):
        exported(tmp_path, "canvas", book)
    for column in ("GEMV", "GEMV (71)", "71"):
        result = exported(tmp_path, "canvas", book, options=Options(column=column))
        assert differences(book, result.files[""])[2, "GEMV (71)"] == "8.50"


def test_another_maximum_is_refused_or_converted(tmp_path: Path) -> None:
    book = CANVAS.replace("5.00,10.00", "5.00,100").encode()
    with pytest.raises(UsageProblem, match="maximum for this assignment is 100, the rubric's is 10"):
        exported(tmp_path, "canvas", book)
    result = exported(tmp_path, "canvas", book, options=Options(scale=True))
    assert differences(book, result.files[""])[2, GRADE] == "85.00"


def test_students_of_a_plain_folder_are_found_by_name_or_login(tmp_path: Path) -> None:
    records: Records = (
        ("Ann-O-Brien", grade(8.0), student("Ann O'Brien", "Ann O'Brien")),
        ("zs2_hw", grade(7.0), student("zs2_hw", "hw 0021003")),
        ("张三", grade(6.0), student("张三", "张三")),
    )
    result = exported(tmp_path, "canvas", CANVAS.encode(), records)
    assert differences(CANVAS.encode(), result.files[""]) == {(2, GRADE): "8.00", (4, GRADE): "7.00"}
    assert [why.en for _, why in result.left] == ["may be any of several rows: 张三, 张三"]


def test_a_namesake_who_is_not_in_the_gradebook_takes_no_row(tmp_path: Path) -> None:
    book = CANVAS.replace("张三,102,0021003,zs2,A,1,,,\r\n", "").encode()
    result = exported(tmp_path, "canvas", book, CLASS[1:3])
    assert differences(book, result.files[""]) == {(3, GRADE): "10.00"}
    assert [(who, why.en) for who, why in result.left] == [("张三 (zhangsan_102)", "is not in the gradebook")]


def test_one_row_is_never_given_to_two(tmp_path: Path) -> None:
    records: Records = tuple(
        (key, grade(points), student("O'Brien, Ann", key, canvas_id="103")) for key, points in (("a", 8.0), ("b", 2.0))
    )
    result = exported(tmp_path, "canvas", CANVAS.encode(), records)
    assert result.files[""] == CANVAS.encode()
    assert [why.en for _, why in result.left] == [
        "has the same row as O'Brien, Ann (b)",
        "has the same row as O'Brien, Ann (a)",
    ]


def test_what_is_no_gradebook_is_refused(tmp_path: Path) -> None:
    for target in ("canvas", "moodle"):
        with pytest.raises(UsageProblem, match="is no"):
            exported(tmp_path, target, b"a,b\n1,2\n")
    with pytest.raises(UsageProblem, match="needs the file"):
        export(tmp_path / "grades", "moodle", None, Options())


MOODLE = (
    '\ufeffIdentifier,"Full name","Email address",Status,Group,Grade,"Maximum grade","Grade can be changed",'
    '"Last modified (submission)","Online text","Last modified (grade)","Feedback comments"\n'
    '"Participant 2002","Ann O\'Brien",ann@x.edu,"Submitted for grading - ",,,10.00,Yes,'
    '"Friday, 1 March 2024, 10:00 AM","<p>a ""quoted"", text\nover lines</p>","-",\n'
    '"Participant 2001",张三,zs@x.cn,"Submitted",,"-",10.00,Yes,-,,-,""\n'
    '"Participant 2004",张三,zs4@x.cn,"Submitted",,6.00,10.00,Yes,-,,"Saturday, 2 March 2024, 9:00 AM","by hand"\n'
    '"Participant 2005",李四,ls@x.cn,"Submitted",,,10.00,No,-,,-,\n'
    '"Participant 12","Someone Else",se@x.edu,"",,,10.00,Yes,-,,-,\n'
    '"Participant 2006","Ha Mi",hm@x.edu,"","Team A",,10.00,Yes,-,,-,\n'
    '"Participant 2007","Jo Po",jp@x.edu,"","Team A",,10.00,Yes,-,,-,\n'
)
PARTICIPANTS: Records = (
    ("Ann_2002", grade(8.5, "wrong"), student("Ann O'Brien", "Ann O'Brien_2002", moodle_id="2002")),
    ("张三_2001", grade(10.0), student("张三", "张三_2001", moodle_id="2001")),
    ("张三_2004", grade(5.0), student("张三", "张三_2004", moodle_id="2004")),
    ("李四_2005", grade(5.0), student("李四", "李四_2005", moodle_id="2005")),
    ("Team-A_12", grade(7.0), student("Team A", "Team A_12", moodle_id="12")),
)


def test_moodle_grades_and_feedback(tmp_path: Path) -> None:
    result = exported(tmp_path, "moodle", MOODLE.encode(), PARTICIPANTS)
    changed = differences(MOODLE.encode(), result.files[""])
    assert {key: value for key, value in changed.items() if key[1] == "Grade"} == {
        (1, "Grade"): "8.50",
        (2, "Grade"): "10.00",
        (6, "Grade"): "7.00",
        (7, "Grade"): "7.00",
    }
    assert {row for row, title in changed if title == "Feedback comments"} == {1, 2, 6, 7}
    assert {title for _, title in changed} == {"Grade", "Feedback comments"}
    said = changed[1, "Feedback comments"]
    assert said.startswith(
        "✗ wrong results, 8.5/10 points<br>y[0] &lt;b&gt;wrong&lt;/b&gt;, see<br>line 2<br>normal 2/2"
    )
    assert {who: why.en.split(";")[0] for who, why in result.left} == {
        "张三 (张三_2004)": "the gradebook has 6.00 already, not replaced by 5.00",
        "李四 (李四_2005)": "the grade is locked on Moodle",
    }


def test_a_persons_feedback_is_replaced_only_on_request(tmp_path: Path) -> None:
    kept = exported(tmp_path, "moodle", MOODLE.replace("6.00", "").encode(), PARTICIPANTS)
    assert "by hand" in kept.files[""].decode()
    replaced = exported(tmp_path, "moodle", MOODLE.encode(), PARTICIPANTS, Options(overwrite=True))
    assert "by hand" not in replaced.files[""].decode()


WORKSHEETS = {
    "否": "标识符,全名,状态,成绩,最高分,允许更改成绩,最后修改 (成绩),反馈意见",
    "Nein": "Identifikator,Vollständiger Name,Status,Bewertung,Beste Bewertung,Bewertung kann geändert werden,"
    "Zuletzt geändert (Bewertung),Feedback als Kommentar",
    "Non": "Identifiant,Nom,Statut,Note,Note max,La note peut être modifiée,Dernière modification (note),Commentaires",
    "??": "X1,X2,X3,X4,X5,X6,X7,X8",
}


@pytest.mark.parametrize("no", WORKSHEETS)
def test_worksheets_of_other_languages(tmp_path: Path, no: str) -> None:
    header = WORKSHEETS[no]
    rows = [
        'Teilnehmer/in 1,Ann,,,"10,00",x,-,',
        'Teilnehmer/in 2,Bob,,"2,00","10,00",x,-,',
        f'T 3,Cem,,,"10,00",{no},-,',
    ]
    book = "\r\n".join([header, *rows, ""]).encode("utf-8")
    records: Records = tuple(
        (name, grade(8.5), student(name, moodle_id=str(number))) for number, name in enumerate(("Ann", "Bob", "Cem"), 1)
    )
    result = exported(tmp_path, "moodle", book, records)
    title = header.split(",")[3]
    changed = differences(book, result.files[""])
    grades = {row: value for (row, column), value in changed.items() if column == title}
    assert grades == ({1: "8,50", 3: "8,50"} if no == "??" else {1: "8,50"})
    if no == "??":
        assert [note.en for note in result.notes] != []
    else:
        assert (1, header.rpartition(",")[2]) in changed


def test_blind_marking_goes_by_the_number_alone(tmp_path: Path) -> None:
    book = b"Identifier,Status,Grade,Maximum grade,Last modified (grade)\nParticipant 3001,,,10.00,-\n"
    records: Records = (("Participant_3001", grade(9.0), student("Participant 3001", moodle_id="3001")),)
    result = exported(tmp_path, "moodle", book, records)
    assert differences(book, result.files[""]) == {(1, "Grade"): "9.00"}


def test_a_damaged_grade_is_listed_and_the_rest_goes_on(tmp_path: Path) -> None:
    grades = stored(tmp_path / "grades", *CLASS, ("odd", {"schema": 9}, {}), ("cut", {}, {}))
    (grades / "cut" / "grade.json").write_text("{")
    (tmp_path / "book.csv").write_bytes(CANVAS.encode())
    result = export(grades, "canvas", tmp_path / "book.csv", Options())
    assert result.done == 4
    assert {"odd", "cut"} <= {who for who, _ in result.left}


def test_results_of_different_rubrics_are_told(tmp_path: Path) -> None:
    other = grade(8.0) | {"rubric_sha256": "cd" * 32}
    records: Records = (*CLASS, ("other", other, student("Other", canvas_id="1000")))
    assert any("different rubrics" in note.en for note in exported(tmp_path, "canvas", CANVAS.encode(), records).notes)


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x1a\ufeff"), max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, st.sampled_from(["", "-", "3", "7.50", "EX", "=1"])), min_size=1, max_size=5),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
)
def test_whatever_is_in_a_gradebook_only_grades_change(
    tmp_path: Path, people: list[tuple[str, str, str]], separator: str, encoding: str, overwrite: bool
) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=separator)
    writer.writerow(["Student", "ID", "Section", "Lab (1)", "03_gemv (7)", "Notes"])
    writer.writerows([name, str(n), "A", "1", old, notes] for n, (name, notes, old) in enumerate(people, 100))
    book = stream.getvalue().encode(encoding)
    records: Records = tuple(
        (f"s{n}", grade(8.5), student(name or "x", canvas_id=str(n))) for n, (name, _, _) in enumerate(people, 100)
    )
    result = exported(tmp_path, "canvas", book, records, Options(overwrite=overwrite))
    changed = differences(book, result.files[""])
    assert set(changed) <= {(row, "03_gemv (7)") for row in range(1, len(people) + 1)}
    assert set(changed.values()) <= {"8.50"}
    assert all(people[row - 1][2] in ("", "-") or overwrite for row, _ in changed)
    assert all(people[row - 1][2] != "EX" for row, _ in changed)
