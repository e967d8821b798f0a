"""A class through `gemv-grade batch`, as a process with real workers: what it grades, keeps, shares and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from classes import CRASHES, FILLS, GPU, POISON, WRONG, batch, book, command, grades, hand_in, verdicts
from commands import fake_nvcc
from trails import RIGHT, RUBRIC

from gemv_grader.batch.store import GradeStore
from gemv_grader.marks import ItemMark, Marks


def test_a_class_without_compiler_or_gpu(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    ended = batch(source, out)
    assert ended.code == 1, "some wait for a GPU"
    assert verdicts(out) == {
        **dict.fromkeys(("ada", "bob", "cid", "dan", "eve"), "unverified"),
        "fay": "rejected",
        "gil": "not_attempted",
        "hal": "compile_error",
    }
    assert [row["key"] for row in book(out)] == list(FILLS)
    assert {row["same_program"] for row in book(out) if row["key"] in ("ada", "bob")} == {"2"}
    assert "8 students, 4 distinct programs; 8 graded now" in ended.out
    assert len(list((out / "programs").glob("*.cu"))) == 4

    again = batch(source, out)
    assert again.code == 1
    assert "0 graded now" in again.out
    listed = command("pending", out)
    assert listed.code == 1
    assert "5 grades, 4 programs wait" in listed.out
    assert command("verify", out).code == 2, "there is no GPU here"


def test_on_a_gpu_each_program_is_built_and_run_once(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    ended = batch(source, out, stand_in=GPU, device="gpu")
    assert ended.out.count(": started") == 4
    found = grades(out)
    assert {key: grade["verdict"] for key, grade in found.items()} == {
        "ada": "correct",
        "bob": "correct",
        "cid": "wrong",
        "dan": "crashed",
        "eve": "compile_error",
        "fay": "rejected",
        "gil": "not_attempted",
        "hal": "compile_error",
    }
    assert found["ada"]["build"]["reused"] != found["bob"]["build"]["reused"], "made for one of them, used for both"
    assert found["ada"]["seed"] == found["bob"]["seed"]
    assert len({grade["seed"] for grade in found.values() if grade["seed"]}) == 4, "a fresh secret for each program"
    assert not found["cid"]["build"]["reused"]
    assert found["eve"]["findings"][-1]["line"] == found["ada"]["fill"]["line"], "a diagnostic finds its own file"
    assert command("pending", out).code == 0


def test_what_was_handed_in_anew_is_graded_anew_and_the_rest_stands(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    batch(source, out, stand_in=GPU, device="gpu")
    before = grades(out)
    text = (source / "cid" / "03_gemv.cu").read_text()
    (source / "cid" / "03_gemv.cu").write_text(text.replace(WRONG, RIGHT))
    hand_in(source, {"ivy": "1.0f"})
    ended = batch(source, out, stand_in=GPU, device="gpu")
    assert "2 graded now" in ended.out
    after = grades(out)
    assert after["cid"]["verdict"] == "correct"
    assert after["cid"]["seed"] == after["ada"]["seed"], "the program had been run already"
    assert after["cid"]["build"]["reused"]
    assert after["ivy"]["verdict"] == "compile_error"
    assert all(after[key] == before[key] for key in FILLS if key != "cid")


def test_one_student_can_be_graded_again(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT}), tmp_path / "grades"
    batch(source, out, stand_in=GPU, device="gpu")
    before = grades(out)
    assert "1 graded now" in batch(source, out, "--rerun", "ada", stand_in=GPU, device="gpu").out
    after = grades(out)
    assert after["bob"] == before["bob"]
    assert after["ada"]["seed"] != before["ada"]["seed"], "its program was run again"
    refused = batch(source, out, "--rerun", "nobody")
    assert refused.code == 2
    assert "nobody" in refused.err


def test_another_rubric_is_not_mixed_in(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "gil": "______"}), tmp_path / "grades"
    batch(source, out)
    rubric = tmp_path / "other.yaml"
    rubric.write_text(RUBRIC.path.read_text() + "\n# stricter next year\n")
    before = grades(out)
    refused = batch(source, out, "--rubric", str(rubric))
    assert refused.code == 2
    assert "another rubric" in refused.err
    assert "--rerun stale" in refused.err
    assert grades(out) == before
    assert "2 graded now" in batch(source, out, "--rubric", str(rubric), "--rerun", "stale").out
    assert {grade["rubric_sha256"] for grade in grades(out).values()} != {RUBRIC.sha256}
    assert "0 graded now" in batch(source, out, "--rubric", str(rubric)).out

    # A grade made by the first rubric finds its way back in: neither batch nor verify mixes it with the others.
    (out / "gil" / "grade.json").write_text(json.dumps(before["gil"]))
    assert batch(source, out, "--rubric", str(rubric)).code == 2
    assert command("verify", out, stand_in=GPU).code == 2


def test_grades_by_another_compiler_are_stale(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "gil": "______"}), tmp_path / "grades"
    for version, graded in (("13.0", 2), ("12.4", 1)):
        nvcc = fake_nvcc(tmp_path, "echo cubin >out", version)
        assert f"{graded} graded now" in batch(source, out, "--rerun", "stale", NVCC=nvcc).out
        assert grades(out)["ada"]["build"]["version"] == f"{version}.88"


def test_a_folder_is_settled_on_a_gpu_and_keeps_what_people_wrote(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", with_answers=True), tmp_path / "grades"
    batch(source, out)
    by_ann = ItemMark("Ann", "2026-01-02T03:04:05+00:00", points=2.0, machine=0.0, comment="因果完整")
    GradeStore(out).put_marks("ada", Marks({"q1": by_ann}))
    marks = (out / "ada" / "marks.json").read_bytes()
    unsettled = grades(out)
    settled = out.rename(tmp_path / "taken along")
    source.rename(tmp_path / "left behind")
    ended = command("verify", settled, stand_in=GPU)
    assert "ada: … unverified -> ✓ correct, 2 -> 5 of 10" in ended.out
    found = grades(settled)
    assert {key: found[key]["verdict"] for key in ("ada", "bob", "cid", "dan", "eve")} == {
        "ada": "correct",
        "bob": "correct",
        "cid": "wrong",
        "dan": "crashed",
        "eve": "compile_error",
    }
    assert found["ada"]["build"]["reused"] != found["bob"]["build"]["reused"]
    assert found["eve"]["findings"][-1]["line"] == found["eve"]["fill"]["line"]
    assert all(found[key] == unsettled[key] for key in ("fay", "gil", "hal")), "nothing of theirs waited"
    assert (settled / "ada" / "marks.json").read_bytes() == marks
    prose = found["ada"]["score"]["items"][2:]
    assert prose == unsettled["ada"]["score"]["items"][2:]
    assert {item["state"] for item in prose} == {"to_confirm"}
    assert any(item["reading"]["evidence"] for item in prose)
    assert not any("looked" in grade["batch"] for grade in found.values())
    assert command("pending", settled).code == 0
    assert "verdict" in (settled / "gradebook.csv").read_text()
    rows = {row["key"]: row for row in book(settled)}
    assert rows["cid"]["verdict"] == "wrong"
    assert [rows["ada"][name] for name in ("earned", "confirmed", "total")] == ["3", "2", "5"]
    assert command("verify", settled, stand_in=GPU).out.count("->") == 0


def test_a_program_that_was_tampered_with_is_not_run(tmp_path: Path) -> None:
    named = f"[&] {{ float p = {RIGHT}; return p; }} ()"  # with a name of its own, which its program spells otherwise
    source, out = hand_in(tmp_path / "class", {"ada": RIGHT, "cid": WRONG, "kim": named}), tmp_path / "grades"
    batch(source, out)
    digest = grades(out)["ada"]["batch"]["program_sha256"]
    program = out / "programs" / f"{digest}.cu"
    program.write_text(program.read_text().replace("return;", 'asm volatile("trap;"); return;'))
    ended = command("verify", out, stand_in=GPU)
    assert ended.code == 5
    assert "ada: could not be verified" in ended.out
    assert verdicts(out) == {"ada": "unverified", "cid": "wrong", "kim": "compile_error"}


@pytest.mark.parametrize("word", ["POISON", "DEADLY", "ENDLESS"])
def test_a_submission_that_breaks_the_grader_costs_no_other(tmp_path: Path, word: str) -> None:
    fills = {**FILLS, "mal": f"{RIGHT} // {word}\n"}
    source, out = hand_in(tmp_path / "class", fills), tmp_path / "grades"
    ended = batch(source, out, stand_in=POISON)
    assert ended.code == 5
    found = verdicts(out)
    assert found.pop("mal") == "grader_fault"
    assert set(found) == set(FILLS)
    assert "grader_fault" not in found.values()
    assert "1 are the grader's or the machine's fault" in ended.out
    assert grades(out)["mal"]["score"]["passed"] is None, "never a zero"
    assert batch(source, out).code == 5, "a fault stands until it is asked to be graded again"
    cured = batch(source, out, "--rerun", "failed")
    assert "1 graded now" in cured.out
    assert verdicts(out)["mal"] == "unverified"


def test_a_file_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class"), tmp_path / "grades"
    (source / "mal.zip").write_bytes(b"PK\x03\x04 this is no archive")
    (source / "nix").mkdir()
    (source / "nix" / "answers.md").write_text("## Q1\nB\n")
    batch(source, out)
    found = verdicts(out)
    assert set(FILLS) < set(found)
    assert found["nix"] == "rejected"
    assert "no program" in grades(out)["nix"]["reasons"][0]


def test_exit_code_0_means_that_nobody_has_to_look(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"fay": "x[col]++", "gil": "______"}), tmp_path / "grades"
    assert batch(source, out).code == 0


def test_misuse_is_explained(tmp_path: Path) -> None:
    source = hand_in(tmp_path / "class", {"ada": RIGHT})
    for ended, said in (
        (batch(source, source / "grades"), "inside the submissions"),
        (batch(tmp_path / "absent", tmp_path / "grades"), "There is no"),
        (batch(source, tmp_path / "grades", "--exercise", "99_none"), "99_none"),
        (command("pending", source), "no grades"),
        (command("verify", source), "no grades"),
    ):
        assert ended.code == 2, ended.said
        assert said in ended.err


def test_on_the_cpu_faults_are_told_in_lines_of_ones_own_file(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "class", {"dan": CRASHES, "don": CRASHES}), tmp_path / "grades"
    file = source / "don" / "03_gemv.cu"
    file.write_text("// mine\n" * 7 + file.read_text())
    ended = batch(source, out, device="cpu", CXX="")
    assert ended.out.count(": started") == 1
    dan, don = grades(out)["dan"], grades(out)["don"]
    assert dan["verdict"] == don["verdict"] == "crashed"
    assert dan["evidence"] == "emulated"
    assert dan["static_review_only"]
    first, second = (next(case["faults"][0] for case in grade["cases"] if case["faults"]) for grade in (dan, don))
    assert (first["line"], second["line"]) == (dan["fill"]["line"], don["fill"]["line"])
    assert second["line"] == first["line"] + 7
    command("verify", out, stand_in=GPU)
    assert {grade["evidence"] for grade in grades(out).values()} == {"gpu"}
