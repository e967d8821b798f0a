"""What a person corrects or has to decide around a batch: keys, programs to choose from, archives to unpack."""

from __future__ import annotations

import shutil
from pathlib import Path

from classes import batch, book, command, grades, hand_in
from commands import gemv_grade
from trails import RIGHT

from gemv_grader.batch.store import GradeStore
from gemv_grader.marks import ItemMark, Marks

_MARKS = Marks(items={"q1": ItemMark("reviewer", "2024-03-01T10:00:00+00:00", 1.5)})


def corrected(out: Path, old: str, new: str) -> None:
    table = out / "students.csv"
    table.write_text(table.read_text().replace(f"\n{old},", f"\n{new},"))


def test_a_corrected_key_takes_grade_and_marks_along(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT}), tmp_path / "grades"
    batch(source, out)
    before = grades(out)
    GradeStore(out).put_marks("ada", _MARKS)
    corrected(out, "ada", "张三")
    ended = batch(source, out)
    assert "ada is 张三 now" in ended.out
    assert [row["key"] for row in book(out)] == ["bob", "张三"]
    assert grades(out) == {"bob": before["bob"], "张三": before["ada"]}
    record = GradeStore(out).get("张三")
    assert record is not None
    assert record.marks == _MARKS
    assert record.student["key"] == "张三"
    assert " is " not in batch(source, out).out


def test_a_corrected_key_takes_no_one_elses(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT}), tmp_path / "grades"
    batch(source, out)
    for old, new in (("ada", "x"), ("bob", "ada"), ("x", "bob")):
        corrected(out, old, new)
    before = grades(out)
    refused = batch(source, out)
    assert refused.code == 2
    assert "somebody else's grade" in refused.err
    assert grades(out) == before


def test_what_a_person_has_to_choose_or_unpack_is_told_and_not_exported_as_zero(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "two": RIGHT}), tmp_path / "grades"
    (source / "two" / "03_gemv.cu").rename(source / "two" / "first.cu")
    (source / "two" / "second.cu").write_text("// another")
    for name, file in (("none", None), ("packed", "homework.rar"), ("word", "homework.docx")):
        (source / name).mkdir()
        if file:
            (source / name / file).write_bytes(b"Rar!")
    batch(source, out)
    reasons = {key: grade["reasons"][0] for key, grade in grades(out).items()}
    assert "several programs" in reasons["two"]
    assert "homework.rar" in reasons["packed"]
    assert "nothing was handed in" in reasons["none"]
    left = command("export", out, "--to", "nbgrader").out
    assert "two  the program is yet to be chosen" in left
    assert "packed  the program is yet to be chosen" in left
    assert "none" not in left
    assert "word" not in left
    table = out / "students.csv"
    table.write_text(table.read_text().replace(",two,,", ",two,two/first.cu,"))
    batch(source, out)
    assert grades(out)["two"]["verdict"] == grades(out)["ada"]["verdict"]


def test_where_to_look_can_be_pasted(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "the class", {"ada": RIGHT}), tmp_path / "grades"
    roster = tmp_path / "roster.csv"
    roster.write_text("name\nada\nbob\n")
    said = batch(source, out, "--roster", str(roster)).out
    assert f"gemv-grade intake '{source}' --students {out}/students.csv --roster {roster}" in said


def test_corrections_may_be_made_before_the_first_batch(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT}), tmp_path / "grades"
    assert gemv_grade("intake", source, "--students", out / "students.csv").code == 0
    corrected(out, "ada", "a1")
    batch(source, out)
    assert list(grades(out)) == ["a1"]
    refused = gemv_grade("intake", source, "--students", source / "ada" / "03_gemv.cu" / "students.csv")
    assert refused.code == 2


def test_verify_without_a_gpu_does_not_speak_of_options_that_it_lacks(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT}), tmp_path / "grades"
    batch(source, out)
    refused = command("verify", out)
    assert refused.code == 2
    assert "--device" not in refused.err
    assert "nothing was changed" in refused.err


def test_an_export_of_one_file_is_not_written_over_a_folder(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT}), tmp_path / "grades"
    batch(source, out)
    for folder in (tmp_path, Path()):
        refused = command("export", out, "--to", "csv", "--out", folder)
        assert refused.code == 2
        assert "Name the file with --out" in refused.err


def test_a_folder_in_place_of_a_table_is_told_as_such(tmp_path: Path) -> None:
    source = hand_in(tmp_path / "class", {"ada": RIGHT})
    refused = gemv_grade("intake", source, "--roster", tmp_path)
    assert refused.code == 2
    assert "is a folder. Name the CSV file" in refused.err


def test_whose_submission_is_gone_is_told(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT}), tmp_path / "grades"
    assert "not among these" not in batch(source, out).out
    shutil.rmtree(source / "bob")
    ended = batch(source, out)
    assert "1 in the gradebook are not among these submissions; their grades stand: bob" in ended.out
    assert [row["key"] for row in book(out)] == ["ada", "bob"]
