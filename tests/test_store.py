"""The folder of grades: whole records or none, whatever the moment of a crash."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemv_grader.batch.store import GRADE, STUDENT, GradeStore

GRADE_OF = {"schema": 1, "verdict": "correct"}


def test_what_is_put_is_got(tmp_path: Path) -> None:
    store = GradeStore(tmp_path / "grades")
    store.put("张三_1", GRADE_OF, {"name": "张三"})
    record = store.get("张三_1")
    assert record is not None
    assert (record.grade, record.student) == (GRADE_OF, {"name": "张三"})
    assert store.keys() == ("张三_1",)


def test_a_later_grade_replaces_an_earlier_one(tmp_path: Path) -> None:
    store = GradeStore(tmp_path)
    store.put("ada", {"verdict": "wrong"}, {})
    store.put("ada", GRADE_OF, {})
    assert [record.grade["verdict"] for record in store] == ["correct"]
    assert {path.name for path in (tmp_path / "ada").iterdir()} == {GRADE, STUDENT}


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    store = GradeStore(tmp_path / "nothing_yet")
    assert store.keys() == ()
    assert store.get("ada") is None
    assert list(store) == []


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b'{"schema": 1', b"[]", b"\xff"])
def test_a_damaged_record_is_none_and_costs_no_other(tmp_path: Path, damage: bytes) -> None:
    store = GradeStore(tmp_path)
    for key in ("ada", "bob"):
        store.put(key, GRADE_OF, {})
    (tmp_path / "ada" / GRADE).write_bytes(damage)
    assert store.get("ada") is None
    assert [record.key for record in store] == ["bob"]
    assert store.damaged() == ("ada",)


def test_a_crash_between_the_two_files_leaves_no_grade(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / STUDENT).write_text("{}")
    (tmp_path / "ada" / f".{GRADE}.new").write_text('{"verdict": "corr')
    store = GradeStore(tmp_path)
    assert store.keys() == ()
    store.put("ada", GRADE_OF, {})
    assert store.keys() == ("ada",)


@pytest.mark.parametrize(
    "key", ["", ".", "..", ".hidden", "a/b", "a\\b", "../ada", "a\0", "a\n", "ada.", " ada", "c:", "Course"]
)
def test_a_key_never_leaves_the_folder(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        GradeStore(tmp_path).put(key, {}, {})


def test_undecodable_names_survive(tmp_path: Path) -> None:
    store = GradeStore(tmp_path)
    store.put("ada", {"path": "\udcff.cu"}, {})
    record = store.get("ada")
    assert record is not None
    assert record.grade["path"] == "\udcff.cu"


def test_threads_write_side_by_side(tmp_path: Path) -> None:
    store = GradeStore(tmp_path)
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda number: store.put(f"s{number}", {"n": number}, {}), range(64)))
    assert {record.grade["n"] for record in store} == set(range(64))
