"""Archives that mean harm or are broken cost one submission at most, and write nothing anywhere."""

from __future__ import annotations

import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemv_grader.batch.intake import Intake, archive, take_in
from gemv_grader.batch.intake.model import DamagedMaterial
from gemv_grader.batch.names import decode_names, inside, readable
from gemv_grader.errors import UsageProblem

PROGRAM = b"local_sum += row_A[col] * x[col];\n"


class RawName(zipfile.ZipInfo):
    """A zip member whose name is written as given bytes, without the flag for UTF-8."""

    raw: bytes

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - zipfile's own name
        return self.raw, self.flag_bits & ~0x800


def raw_zip(members: dict[bytes, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for number, (name, data) in enumerate(members.items()):
            info = RawName(f"member{number}")
            info.raw = name
            packed.writestr(info, data)
    return stream.getvalue()


def zipped(members: dict[str, bytes], mode: int = 0o100644, compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compress) as packed:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            packed.writestr(info, data, compress)
    return stream.getvalue()


def tarred(members: dict[str, bytes | tarfile.TarInfo], mode: str = "w:gz") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as packed:  # type: ignore[call-overload]
        for name, what in members.items():
            info = what if isinstance(what, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = what if isinstance(what, bytes) else b""
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def special(name: str, kind: bytes, target: str = "/etc/passwd") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def reasons(found: Intake) -> dict[str, str]:
    return {path: reason.en for path, reason in found.ignored}


@pytest.fixture
def class_of_two(tmp_path: Path) -> Callable[[str, bytes], Intake]:
    """``class_of_two(name, data)`` takes in a folder with a sound ``bob.cu`` and ada's archive."""

    def taken(name: str, data: bytes) -> Intake:
        folder = tmp_path / "class"
        folder.mkdir()
        (folder / "bob.cu").write_bytes(PROGRAM)
        (folder / name).write_bytes(data)
        before = sorted(tmp_path.rglob("*"))
        found = take_in(folder)
        assert sorted(tmp_path.rglob("*")) == before
        assert {student.name: bool(entry.program) for entry in found.entries for student in entry.students}["bob"]
        return found

    return taken


def program_of(found: Intake) -> str | None:
    (entry,) = (entry for entry in found.entries if entry.students[0].name == "ada")
    return entry.program.name if entry.program else None


@pytest.mark.parametrize(
    "name", ["../evil.cu", "/etc/evil.cu", "..\\evil.cu", "C:\\evil.cu", "a/../../evil.cu", "\\\\host\\evil.cu"]
)
def test_paths_that_escape_are_refused_and_the_rest_is_read(
    class_of_two: Callable[[str, bytes], Intake], name: str
) -> None:
    found = class_of_two("ada.zip", zipped({name: b"evil", "hw/03_gemv.cu": PROGRAM}))
    assert program_of(found) == "ada.zip/hw/03_gemv.cu"
    assert [reason for path, reason in reasons(found).items() if "evil" in path] == [
        "its path leads outside the archive; refused"
    ]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_in_a_zip_are_refused(class_of_two: Callable[[str, bytes], Intake], kind: int) -> None:
    found = class_of_two("ada.zip", zipped({"03_gemv.cu": b"/etc/passwd"}, kind | 0o644))
    assert program_of(found) is None
    assert "ada.zip/03_gemv.cu" in reasons(found)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_links_and_devices_in_a_tar_are_refused(
    class_of_two: Callable[[str, bytes], Intake], kind: bytes, mode: str
) -> None:
    data = tarred({"a": special("03_gemv.cu", kind), "b": special("../x", kind), "hw.cu": PROGRAM}, mode)
    found = (
        class_of_two("ada.tar" + mode[1:].replace(":", "."), data) if mode != "w:" else class_of_two("ada.tar", data)
    )
    assert program_of(found) is not None
    assert any(path.endswith("/03_gemv.cu") for path in reasons(found))


def test_a_bomb_is_named_and_never_unpacked(class_of_two: Callable[[str, bytes], Intake]) -> None:
    found = class_of_two("ada.zip", zipped({"03_gemv.cu": b"\0" * (30 << 20), "hw.cu": PROGRAM}))
    assert program_of(found) == "ada.zip/hw.cu"
    assert "expands" in reasons(found)["ada.zip/03_gemv.cu"]


def test_a_compressed_tar_stops_at_the_limit(class_of_two: Callable[[str, bytes], Intake]) -> None:
    found = class_of_two("ada.tgz", tarred({"03_gemv.cu": b"\0" * (archive.MAX_STUDENTS_BYTES + 1)}))
    assert reasons(found)["ada.tgz"] == "the archive unpacks to too much; refused"


def test_too_many_members_are_refused(
    class_of_two: Callable[[str, bytes], Intake], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_STUDENTS_MEMBERS", 10)
    found = class_of_two("ada.zip", zipped({f"{number}.cu": PROGRAM for number in range(11)}))
    assert reasons(found)["ada.zip"] == "the archive has too many members; refused"


def test_a_huge_directory_is_refused_before_it_is_read(class_of_two: Callable[[str, bytes], Intake]) -> None:
    data = zipped({f"{number:0>200}.cu": b"" for number in range(10_001)})
    assert "ada.zip" in reasons(class_of_two("ada.zip", data))


def test_encrypted_members_say_so(class_of_two: Callable[[str, bytes], Intake]) -> None:
    data = bytearray(zipped({"03_gemv.cu": PROGRAM}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "password" in reasons(class_of_two("ada.zip", bytes(data)))["ada.zip/03_gemv.cu"]


@pytest.mark.parametrize("name", ["ada.zip", "ada.tar", "ada.tar.gz", "ada.tgz", "ada.txz"])
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"\x1f\x8b broken", b"\xfd7zXZ\x00 broken", b"no archive"])
def test_what_is_no_archive_says_so(class_of_two: Callable[[str, bytes], Intake], name: str, data: bytes) -> None:
    found = class_of_two(name, data)
    assert program_of(found) is None
    assert name in reasons(found)


def test_a_damaged_member_is_the_students_fault_not_the_machines(class_of_two: Callable[[str, bytes], Intake]) -> None:
    data = bytearray(zipped({"03_gemv.cu": PROGRAM}, compress=zipfile.ZIP_STORED))
    data[data.index(PROGRAM)] ^= 0xFF
    found = class_of_two("ada.zip", bytes(data))
    (program,) = (entry.program for entry in found.entries if entry.students[0].name == "ada")
    assert program is not None
    with pytest.raises(DamagedMaterial, match="damaged"):
        program.read(1 << 20)


def test_archives_are_opened_one_level_deep(class_of_two: Callable[[str, bytes], Intake]) -> None:
    data = zipped({"inner.zip": zipped({"03_gemv.cu": PROGRAM}), "hw.7z": b"x", "deep/hw.cu": PROGRAM})
    found = class_of_two("ada.zip", data)
    assert program_of(found) == "ada.zip/deep/hw.cu"
    assert {"ada.zip/inner.zip", "ada.zip/hw.7z"} <= set(reasons(found))


def test_a_students_archive_inside_an_exports_archive(tmp_path: Path) -> None:
    inner = zipped({"gemv/03_gemv.cu": PROGRAM, "__MACOSX/._03_gemv.cu": b"x", "gemv/answers.md": b"# Q1"})
    path = tmp_path / "hw_submissions.zip"
    path.write_bytes(zipped({"adalovelace_1_100_hw.zip": inner, "bobroot_2_101_03_gemv.cu": PROGRAM}))
    ada, bob = take_in(path).entries
    assert ada.program is not None
    assert ada.answers is not None
    assert (ada.program.name, ada.program.read(1000)) == ("adalovelace_1_100_hw.zip/gemv/03_gemv.cu", PROGRAM)
    assert bob.program is not None


def test_a_member_that_is_there_twice_is_told(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(raw_zip({b"ada.cu": b"first", b"bda.cu": b"second", b"bob.cu": PROGRAM}).replace(b"bda", b"ada"))
    found = take_in(path)
    assert reasons(found)["ada.cu"].startswith("two files have this name")
    assert found.entries[0].program is not None
    assert found.entries[0].program.read(100) == b"second"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "cp437", "cp950"])
def test_member_names_of_any_code_page(tmp_path: Path, encoding: str) -> None:
    names = {"cp437": ["Zoë Müller.cu", "José Núñez.cu"], "cp950": ["陳同學 第三題.cu", "林小姐.cu"]}.get(
        encoding, ["张三.cu", "欧阳雪梅.cu", "第三课 作业.cu"]
    )
    path = tmp_path / "class.zip"
    path.write_bytes(raw_zip({name.encode(encoding): name.encode() for name in names}))
    found = take_in(path)
    assert {entry.program.name for entry in found.entries if entry.program} == set(names)
    assert all(entry.program.read(99).decode() == entry.program.name for entry in found.entries if entry.program)


def test_the_extra_field_with_a_name_in_utf8_goes_first(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(2):
            info = zipfile.ZipInfo(f"s{number}.cu")
            name = f"张三{number}.cu".encode()
            info.extra = struct.pack("<HHBL", 0x7075, 5 + len(name), 1, zlib.crc32(info.filename.encode())) + name
            packed.writestr(info, PROGRAM)
    assert [student.name for student in take_in(path).students] == ["张三0", "张三1"]


def test_undecodable_and_garbled_names_on_disk(tmp_path: Path) -> None:
    os.makedirs(os.fsencode(tmp_path) + b"/" + "张三".encode("gb18030"))  # noqa: PTH103 - bytes
    (tmp_path / os.fsdecode("张三".encode("gb18030")) / "03_gemv.cu").write_bytes(PROGRAM)
    (tmp_path / "李四".encode("gb18030").decode("cp437")).mkdir()
    (tmp_path / "李四".encode("gb18030").decode("cp437") / "03_gemv.cu").write_bytes(PROGRAM)
    found = take_in(tmp_path)
    assert {student.name for student in found.students} == {"张三", "李四"}
    assert all(entry.program and entry.program.read(99) == PROGRAM for entry in found.entries)


def test_links_on_disk_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "03_gemv.cu").write_bytes(PROGRAM)
    (tmp_path / "ada" / "03_gemv.cu").symlink_to(tmp_path / "bob" / "03_gemv.cu")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "ada" / "pipe.cu")
    found = take_in(tmp_path)
    assert [bool(entry.program) for entry in found.entries] == [False, True]
    assert {"ada/03_gemv.cu", "ada/pipe.cu", "loop"} <= set(reasons(found))


@pytest.mark.parametrize("what", ["missing", "empty folder", "pdf", "no program"])
def test_nothing_to_take_in_says_so(tmp_path: Path, what: str) -> None:
    path = tmp_path / "x"
    if what == "pdf":
        path.write_bytes(b"%PDF-1.4")
    elif what != "missing":
        path.mkdir()
    if what == "no program":
        (path / "a.txt").write_text("x")
    with pytest.raises(UsageProblem):
        take_in(path)


@given(st.text(max_size=40))
def test_a_path_that_stays_inside_has_no_way_out(path: str) -> None:
    safe = inside(path)
    if safe is not None:
        assert not safe.startswith("/")
        assert ".." not in safe.split("/")
        assert inside(safe) == safe


@given(st.lists(st.binary(max_size=20), max_size=5), st.text(max_size=20))
def test_names_never_raise(names: list[bytes], name: str) -> None:
    assert len(decode_names(names)) == len(names)
    readable(name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(
    st.sampled_from([zipped({"a/03_gemv.cu": PROGRAM, "张三.md": b"# Q1"}), tarred({"03_gemv.cu": PROGRAM}),
                     tarred({"03_gemv.cu": PROGRAM}, "w:")]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=6),
    st.integers(0, 500),
)  # fmt: skip
def test_no_damage_raises(tmp_path: Path, data: bytes, flips: list[tuple[int, int]], cut: int) -> None:
    broken = bytearray(data[: len(data) - cut] if cut < 200 else data)
    for at, value in flips:
        if broken:
            broken[at % len(broken)] = value
    (tmp_path / "bob.cu").write_bytes(PROGRAM)
    (tmp_path / "ada.zip").write_bytes(bytes(broken))
    for entry in take_in(tmp_path).entries:
        for material in filter(None, (entry.program, entry.answers)):
            with suppress(DamagedMaterial):
                material.read(1 << 20)


def test_one_students_archive_alone(tmp_path: Path) -> None:
    (tmp_path / "ada.zip").write_bytes(zipped({"03_gemv.cu": PROGRAM, "answers.md": b"# Q1"}))
    for source in (tmp_path, tmp_path / "ada.zip"):
        (entry,) = take_in(source).entries
        assert [student.name for student in entry.students] == ["ada"]
        assert entry.program is not None
        assert entry.answers is not None
