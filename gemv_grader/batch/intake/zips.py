"""Zip archives: members listed with readable names, and read one at a time."""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from typing import IO

from gemv_grader.batch.intake.members import DAMAGED, ENCRYPTED, EXPANDS, TOO_MANY, Member
from gemv_grader.batch.intake.model import DamagedMaterial
from gemv_grader.batch.intake.tree import LINK, SPECIAL
from gemv_grader.batch.names import composed, decode_names
from gemv_grader.words import Text

# What a malformed archive makes the zipfile module raise.
_BROKEN = (
    zipfile.BadZipFile, ValueError, LookupError, RuntimeError, EOFError, OverflowError, zlib.error, lzma.LZMAError,
    struct.error,
)  # fmt: skip
_UTF8, _ENCRYPTED = 0x800, 0x1
_UNICODE_PATH = 0x7075
_SUSPECT_RATIO, _SUSPECT_BYTES = 200, 10 << 20
_END = b"PK\x05\x06"
_SHORTEST_ENTRY = 46  # bytes of the central directory


class ZipMembers:
    """An open zip. Several threads may read."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._infos = archive.infolist()

    def __len__(self) -> int:
        return len(self._infos)

    def listing(self) -> list[Member]:
        """Every member, in the archive's order."""
        named = zip(self._infos, _names(self._infos), strict=True)
        return [_member(number, info, name) for number, (info, name) in enumerate(named)]

    def read(self, member: str, limit: int) -> bytes:
        """The first ``limit + 1`` bytes of the member with this id. Raises DamagedMaterial."""
        try:
            with self._archive.open(self._infos[int(member)]) as file:
                return file.read(limit + 1)
        except _BROKEN as error:
            raise DamagedMaterial(DAMAGED.format(reason=error)) from None


def open_zip(file: IO[bytes], max_bytes: int, max_members: int) -> ZipMembers | Text:
    """The members of a zip, or why it is not opened. ``max_bytes`` bounds nothing here: members are read singly."""
    del max_bytes
    try:
        if _directory_bytes(file) > max_members * _SHORTEST_ENTRY * 4:  # before it is read into memory
            return TOO_MANY
        members = ZipMembers(zipfile.ZipFile(file))
    except _BROKEN as error:
        return DAMAGED.format(reason=error)
    return TOO_MANY if len(members) > max_members else members


def _directory_bytes(file: IO[bytes]) -> int:
    """The size of the central directory, as the record at the archive's end states it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 22))
    tail = file.read()
    at = tail.rfind(_END)
    file.seek(0)
    return struct.unpack_from("<L", tail, at + 12)[0] if at >= 0 else 0


def _names(infos: list[zipfile.ZipInfo]) -> list[str]:
    """Readable names. Without the flag for UTF-8 Python took the bytes for code page 437: they are told anew."""
    marked = {number: name for number, info in enumerate(infos) if (name := _unicode_name(info)) is not None}
    others = [number for number in range(len(infos)) if number not in marked]
    told = decode_names([infos[number].orig_filename.encode("cp437", "replace") for number in others])
    return [name for _, name in sorted([*marked.items(), *zip(others, told, strict=True)])]


def _unicode_name(info: zipfile.ZipInfo) -> str | None:
    if info.flag_bits & _UTF8:
        return composed(info.orig_filename)
    extra = info.extra
    while len(extra) >= 4:  # Info-ZIP's extra field with the name in UTF-8, after its version and a checksum
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _UNICODE_PATH and length > 5:
            return composed(extra[9 : 4 + length].decode("utf-8", "replace"))
        extra = extra[4 + length :]
    return None


def _member(number: int, info: zipfile.ZipInfo, name: str) -> Member:
    mode = stat.S_IFMT(info.external_attr >> 16)
    ratio = info.file_size // max(1, info.compress_size)
    refused = None
    if mode == stat.S_IFLNK:
        refused = LINK
    elif mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        refused = SPECIAL
    elif info.flag_bits & _ENCRYPTED:
        refused = ENCRYPTED
    elif ratio > _SUSPECT_RATIO and info.file_size > _SUSPECT_BYTES:
        refused = EXPANDS.format(ratio=ratio)
    return Member(str(number), name, info.file_size, name.endswith(("/", "\\")), refused)
