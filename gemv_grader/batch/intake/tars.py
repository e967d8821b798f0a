"""Tar archives, plain or compressed: unpacked once up to a limit, members read at their offsets."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import threading
import weakref
import zlib
from collections.abc import Callable
from typing import IO, Protocol

from gemv_grader.batch.intake.members import DAMAGED, NOT_AN_ARCHIVE, TOO_MANY, TOO_MUCH, Member
from gemv_grader.batch.intake.model import DamagedMaterial
from gemv_grader.batch.intake.tree import LINK, SPECIAL
from gemv_grader.batch.names import decode_names
from gemv_grader.words import Text


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


_BROKEN = (tarfile.TarError, ValueError, EOFError, OverflowError, zlib.error, lzma.LZMAError, OSError)
_COMPRESSED: dict[bytes, Callable[[IO[bytes]], _Readable]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
_CHUNK = 1 << 20


class TarMembers:
    """The members of a plain tar. Several threads may read."""

    def __init__(self, file: IO[bytes], infos: list[tarfile.TarInfo]) -> None:
        self._file = file
        self._infos = infos
        self._lock = threading.Lock()

    def listing(self) -> list[Member]:
        """Every member, in the archive's order."""
        names = decode_names([info.name.encode("utf-8", "surrogateescape") for info in self._infos])
        named = zip(self._infos, names, strict=True)
        return [Member(str(n), name, info.size, info.isdir(), _refused(info)) for n, (info, name) in enumerate(named)]

    def read(self, member: str, limit: int) -> bytes:
        """The first ``limit + 1`` bytes of the member with this id. Raises DamagedMaterial."""
        info = self._infos[int(member)]
        wanted = min(info.size, limit + 1)
        with self._lock:
            self._file.seek(info.offset_data)
            data = self._file.read(wanted)
        if len(data) < wanted:
            raise DamagedMaterial(DAMAGED.format(reason=CUT_SHORT))
        return data


def open_tar(file: IO[bytes], scratch: Callable[[], IO[bytes]], max_bytes: int, max_members: int) -> TarMembers | Text:
    """The members of a tar, or why it is not opened. ``scratch`` makes the file for a compressed one's content."""
    start = file.read(6)
    file.seek(0)
    opener = next((opener for magic, opener in _COMPRESSED.items() if start.startswith(magic)), None)
    plain = file if opener is None else scratch()
    try:
        if opener is not None and not _unpack(opener(file), plain, max_bytes):
            raise _Refused(TOO_MUCH)
        members = TarMembers(plain, _infos(plain, max_members))
    except _Refused as refused:
        what = refused.text
    except tarfile.ReadError as error:
        what = NOT_AN_ARCHIVE if opener is None else DAMAGED.format(reason=error)
    except _BROKEN as error:
        what = DAMAGED.format(reason=error)
    else:
        if plain is not file:
            weakref.finalize(members, plain.close)
        return members
    if plain is not file:
        plain.close()
    return what


class _Refused(Exception):
    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def _infos(plain: IO[bytes], max_members: int) -> list[tarfile.TarInfo]:
    with tarfile.open(fileobj=plain, mode="r:", errors="surrogateescape") as archive:
        for number, _ in enumerate(archive):
            if number == max_members:
                raise _Refused(TOO_MANY)
        return archive.getmembers()


def _unpack(packed: _Readable, plain: IO[bytes], max_bytes: int) -> bool:
    """Copy everything; False if that is more than ``max_bytes``."""
    left = max_bytes
    while chunk := packed.read(_CHUNK):
        left -= len(chunk)
        if left < 0:
            return False
        plain.write(chunk)
    plain.seek(0)
    return True


def _refused(info: tarfile.TarInfo) -> Text | None:
    if info.issym() or info.islnk():
        return LINK
    return None if info.isdir() or (info.isreg() and not info.issparse()) else SPECIAL


CUT_SHORT = Text(zh="内容不完整", en="it ends too early")
