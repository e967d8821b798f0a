"""Names as other systems wrote them: bytes of any code page, paths that must stay inside, keys for folders."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence

from gemv_grader.encoding import plausibility

# Code pages that zip tools write names in; windows-1252 is none of them.
_CODE_PAGES = ("gb18030", "cp950", "cp932", "cp437")
_JUNK = frozenset({"__macosx", "thumbs.db", "desktop.ini", "__pycache__", "$recycle.bin", "@eadir"})
_COPY = re.compile(
    r"(?:[ _]?[(（]\d{1,3}[)）]|-\d{1,2}|[ _]?-?[ _]?(?:副本|copy)(?:[ _]?[(（]?\d{0,3}[)）]?)?)$", re.IGNORECASE
)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # by Windows
# What lies beside the students in a folder of grades.
RESERVED_KEYS = frozenset({"programs", "course", "students.csv", "gradebook.csv", "class.html"})
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_BOX_DRAWING = re.compile("[\u2500-\u25a0]")
_LONGEST_KEY = 80  # bytes

GIT = ".git"


def decode_names(names: Sequence[bytes]) -> list[str]:
    """Readable names. Those that are not UTF-8 are of one code page, the one that gives the likeliest text."""
    foreign = b" ".join(name for name in names if not _is_utf8(name))
    page = max(_CODE_PAGES, key=lambda page: plausibility(foreign.decode(page, "replace"))) if foreign else "utf-8"
    return [composed(name.decode("utf-8" if _is_utf8(name) else page, "replace")) for name in names]


def readable(name: str) -> str:
    """The name of a file on disk, where it is undecodable or went through a wrong code page."""
    if _BOX_DRAWING.search(name):  # GBK taken for code page 437, as unzip does
        try:
            return decode_names([name.encode("cp437")])[0]
        except UnicodeEncodeError:
            return composed(name)
    if any("\udc80" <= character <= "\udcff" for character in name):
        return decode_names([os.fsencode(name)])[0]
    return composed(name)


def composed(name: str) -> str:
    """The name with accents composed: macOS writes them apart."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def inside(path: str) -> str | None:
    """The path with ``/`` and without ``.``; None if it leads outside the folder it is unpacked to."""
    if path.startswith(("/", "\\")) or _DRIVE.match(path) or "\0" in path:
        return None
    parts = [part for part in re.split(r"[\\/]", path) if part not in ("", ".")]
    return None if ".." in parts else "/".join(parts)


def is_junk(part: str) -> bool:
    """Whether a file or folder of this name is never a student's work: hidden, or left by an editor or a system."""
    return part.startswith((".", "~$")) or part.lower() in _JUNK


def original(stem: str) -> str:
    """The stem without what systems add to copies: ``(1)``, ``-1``, ``- Copy``, ``副本``."""
    return _COPY.sub("", stem) or stem


def comparable(name: str) -> str:
    """Letters and digits alone, so that names written differently compare equal."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


def tokens(name: str) -> frozenset[str]:
    """The words and numbers of a name, in comparable form."""
    flat = unicodedata.normalize("NFKC", name).casefold()
    words = [word for word in re.split(r"[\W_]+", flat) if word]
    return frozenset([*words, *(run for word in words for run in re.findall(r"\d+|[^\W\d]+", word))])


def folder_key(name: str) -> str:
    """A folder's name on any file system that still reads like ``name``."""
    key = re.sub(r"[^\w.@+-]+", "-", unicodedata.normalize("NFC", name)).strip("-. ")
    if not key or _RESERVED.fullmatch(key) or key.casefold() in RESERVED_KEYS:
        return f"{key}~{digest(name)}"
    if len(data := key.encode()) > _LONGEST_KEY:
        return f"{data[:_LONGEST_KEY].decode(errors='ignore')}~{digest(name)}"
    return key


def digest(*parts: str) -> str:
    """Six hexadecimal digits that tell ``parts`` from others."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:6]


def listed(names: Iterable[str], limit: int = 5) -> str:
    """Some names for a sentence, and how many more there are."""
    names = list(names)
    more = f" (+{len(names) - limit})" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
