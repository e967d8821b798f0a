"""Reading files: encodings, wrappings and everything that is no program."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gemv_grader.encoding import decode
from gemv_grader.errors import UsageProblem
from gemv_grader.submission import MAX_BYTES, from_bytes, read_submission

CODE = "int row = blockIdx.x;\nint tid = threadIdx.x;\n"


@pytest.mark.parametrize(
    ("comment", "codec", "encoding"),
    [
        ("// 每个线程负责若干列，最后归约", "utf-8", "utf-8"),
        ("// 每个线程负责若干列，最后归约", "gb18030", "gb18030"),
        ("// 行", "gb18030", "gb18030"),
        ("// 当前列的乘积", "gb18030", "gb18030"),
        ("// 每個執行緒負責若干列，最後歸約", "big5", "big5"),
        ("// 檢查", "big5", "big5"),
        ("// 各スレッドは列の一部を担当する", "shift_jis", "shift_jis"),
        ("// 行列の積を計算", "shift_jis", "shift_jis"),
        ("// vérifie la dernière ligne", "latin-1", "windows-1252"),
        ("// 每个线程", "utf-16-le", "utf-16-le"),
        ("// 每个线程", "utf-16-be", "utf-16-be"),
    ],
)
def test_encodings_are_told_apart_by_a_single_comment(comment: str, codec: str, encoding: str) -> None:
    text = CODE + comment + "\n"
    assert (decode(text.encode(codec)).text, decode(text.encode(codec)).encoding) == (text, encoding)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_byte_order_marks_are_not_part_of_the_text(codec: str) -> None:
    assert decode(("\ufeff" + CODE).encode(codec)).text == CODE


def test_a_damaged_character_costs_only_itself() -> None:
    damaged = (CODE + "// 每个线程负责若干列，最后归约\n").encode().replace("线".encode(), b"\xe7\xba")
    assert decode(damaged).text == CODE + "// 每个\ufffd程负责若干列，最后归约\n"


@given(st.binary())
def test_any_bytes_decode(data: bytes) -> None:
    decode(data).text.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%%writefile /tmp/a.cu\n", ""),
        ("\n%%cu -n x\n", ""),
        ("```cpp\n", "```"),
        ("~~~\n", "\n~~~\n\n"),
        ("```\n%%cu\n", "```\n"),
        ("%%cu\n```c++\n", "```\n"),
        ("", "```\n"),
    ],
)
def test_wrappings_are_blanked_and_lines_keep_their_numbers(before: str, after: str) -> None:
    given_lines = (before + CODE + after).split("\n")
    read = from_bytes((before + CODE + after).encode(), "a").text.split("\n")
    assert len(read) == len(given_lines)
    assert [line for line in read if line] == CODE.split("\n")[:2]
    assert read.index("int row = blockIdx.x;") == given_lines.index("int row = blockIdx.x;")


def test_only_a_wrapping_is_blanked() -> None:
    text = "int a;\n```\nint b;\n%%cu\nint c;\n"
    assert from_bytes(text.encode(), "a").text == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_become_newlines(end: str) -> None:
    read = from_bytes(CODE.replace("\n", end).encode(), "a")
    assert (read.text, read.findings) == (CODE, ())


@pytest.mark.parametrize(
    ("codec", "line", "has_finding"),
    [
        ("big5", "x = 1; // 檢查是否成功", True),
        ("big5", "x = 1; // 檢查是否成功  ", True),
        ("big5", "x = 1; // 檢查是否成功。", False),
        ("big5", "x = 1; /* 檢查是否成功 */", False),
        ("big5", 'x = "// 成功', False),
        ("shift_jis", "x = 1; // 行の範囲の表", True),
        ("utf-8", "x = 1; // 檢查是否成功", False),
    ],
)
def test_a_comment_that_ends_in_the_byte_of_a_backslash(codec: str, line: str, has_finding: bool) -> None:
    read = from_bytes(f"{line}\nint y;\n".encode(codec), "a")
    assert [(f.id, f.place.line) for f in read.findings if f.place] == [("backslash_comment", 1)] * has_finding


def test_a_lone_carriage_return_among_newlines() -> None:
    read = from_bytes(b"int a;\nint b; // x\rint c;\n", "a")
    assert [(f.id, f.place and f.place.line) for f in read.findings] == [("stray_carriage_return", 2)]


def test_the_student_and_the_digest(tmp_path: Path) -> None:
    path = tmp_path / "王小明_03_gemv.cu"
    path.write_bytes(b"abc")
    read = read_submission(path)
    assert (read.student, read.path) == ("王小明_03_gemv", path)
    assert read.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert read_submission(path, student="20240001").student == "20240001"


def test_an_oversize_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.cu"
    with path.open("wb") as file:
        file.truncate(50 << 20)
    refusal = read_submission(path).refusal
    assert refusal is not None
    assert "1 MiB" in refusal.en
    assert from_bytes(b"a" * MAX_BYTES, "a").refusal is None


def _missing(folder: Path) -> Path:
    return folder / "none.cu"


def _folder(folder: Path) -> Path:
    return folder


def _dangling(folder: Path) -> Path:
    link = folder / "link.cu"
    link.symlink_to(folder / "gone.cu")
    return link


def _loop(folder: Path) -> Path:
    link = folder / "loop.cu"
    link.symlink_to(link)
    return link


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.cu")
    return folder / "pipe.cu"


def _below_a_file(folder: Path) -> Path:
    (folder / "a.cu").write_text("x")
    return folder / "a.cu" / "b.cu"


def _impossible(folder: Path) -> Path:
    return folder / "a\0b.cu"


@pytest.mark.parametrize("make", [_missing, _folder, _dangling, _loop, _pipe, _below_a_file, _impossible])
def test_what_is_no_file_is_a_usage_problem_that_names_it(make: object, tmp_path: Path) -> None:
    assert callable(make)
    path = make(tmp_path)
    with pytest.raises(UsageProblem) as caught:
        read_submission(path)
    assert str(path) in caught.value.text.zh
    assert str(path) in caught.value.text.en


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_usage_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(CODE)
    path.chmod(0)
    with pytest.raises(UsageProblem, match="permissions"):
        read_submission(path)


@given(st.binary() | st.text().map(str.encode) | st.text().map(lambda text: text.encode("utf-16")))
@example(b"```")
@example(b"%%cu\n```\n~~~")
def test_any_bytes_become_a_submission(data: bytes) -> None:
    read = from_bytes(data, "a")
    assert "\r" not in read.text
    assert "\0" not in read.text
    assert bool(read.text.strip()) == (read.refusal is None)
