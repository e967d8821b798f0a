"""Archives as trees: nothing is unpacked to disk by name, and no member is read beyond a limit.

A compressed tar is decompressed into one nameless temporary file (a student's own into memory), up to a limit.
Archives inside archives are opened by `students_archive`, one level deep, and read again when a file is wanted:
a class of thousands fits into memory.
"""

from __future__ import annotations

import io
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from gemv_grader.batch.intake import tars, zips
from gemv_grader.batch.intake.members import Member
from gemv_grader.batch.intake.model import DamagedMaterial, Material
from gemv_grader.batch.intake.tree import ESCAPES, Found, Growing, Tree
from gemv_grader.batch.names import inside
from gemv_grader.words import Text

_SUFFIXES = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".txz", ".tar", ".zip")
_UNKNOWN = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst")

MAX_STUDENTS_BYTES = 64 << 20  # an archive that one student hands in, packed and (of a tar) unpacked
MAX_STUDENTS_MEMBERS = 10_000
MAX_EXPORT_BYTES = 4 << 30  # an export, unpacked to the temporary file
MAX_EXPORT_MEMBERS = 1_000_000


def archive_suffix(name: str) -> str | None:
    """The suffix of an archive that can be opened, or None."""
    name = name.lower()
    return next(filter(name.endswith, _SUFFIXES), None) if name.endswith(_SUFFIXES) else None


def is_unknown_archive(name: str) -> bool:
    """Whether the name is that of an archive of a kind that is not opened."""
    return archive_suffix(name) is None and name.lower().endswith(_UNKNOWN)


def export_archive(path: Path) -> Tree | Text:
    """The tree in an archive on disk, or why there is none. It stays open as long as the tree is used."""
    file = path.open("rb")
    members: Members | Text = open_members(file, TemporaryFile, MAX_EXPORT_BYTES, MAX_EXPORT_MEMBERS)
    if isinstance(members, Text):
        file.close()
        return members
    weakref.finalize(members, file.close)
    name = path.name[: -len(archive_suffix(path.name) or "")] or path.name
    return _grown(name, "", members, members.read)


def students_archive(archive: Material) -> Tree | Text:
    """The tree in an archive that is itself a file of an export, or why there is none."""
    if archive.size > MAX_STUDENTS_BYTES:
        return TOO_LARGE
    try:
        members = _open_students(archive)
    except DamagedMaterial as problem:
        return problem.text
    if isinstance(members, Text):
        return members
    return _grown(archive.name, f"{archive.name}/", members, _Again(archive))


Members = zips.ZipMembers | tars.TarMembers
Read = Callable[[str, int], bytes]


def open_members(file: IO[bytes], scratch: Callable[[], IO[bytes]], max_bytes: int, max_members: int) -> Members | Text:
    """The members of an archive by its content: a name may lie. ``scratch`` makes room for a tar's unpacked bytes."""
    start = file.read(6)
    file.seek(0)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return zips.open_zip(file, max_bytes, max_members)
    return tars.open_tar(file, scratch, max_bytes, max_members)


def _open_students(archive: Material) -> Members | Text:
    packed = io.BytesIO(archive.read(MAX_STUDENTS_BYTES))
    return open_members(packed, io.BytesIO, MAX_STUDENTS_BYTES, MAX_STUDENTS_MEMBERS)


@dataclass(frozen=True)
class _Again:
    """Reads a member of a student's archive by opening it once more."""

    archive: Material

    def __call__(self, member: str, limit: int) -> bytes:
        members = _open_students(self.archive)
        if isinstance(members, Text):
            raise DamagedMaterial(members)
        return members.read(member, limit)


@dataclass(frozen=True)
class _Member:
    read: Read
    member: str

    def __call__(self, limit: int) -> bytes:
        return self.read(self.member, limit)


def _grown(name: str, prefix: str, members: Members, read: Read) -> Tree:
    tree = Growing().grow(name, (_found(prefix, member, read) for member in members.listing()))
    return replace(tree, prefix=prefix)


def _found(prefix: str, member: Member, read: Read) -> Found:
    path = inside(member.name)
    if path is None:
        return f"{prefix}{member.name}", ESCAPES
    if member.is_folder:
        return f"{prefix}{path}", None
    return f"{prefix}{path}", member.refused or Material(f"{prefix}{path}", member.size, _Member(read, member.id))


TOO_LARGE = Text(zh="压缩包太大，没有打开", en="the archive is too large; it was not opened")
