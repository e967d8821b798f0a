"""Keeps finished builds on disk, so that an identical program is compiled once, whoever sent it.

The directory is private, its size bounded; the least recently used entries go first. A cache that cannot be
written is no error, only slower; an entry that does not match its own checksum is dropped.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gemv_grader.process import MIB

_FORMAT = b"gemv-grade build 2"


def digest(*parts: str) -> str:
    """A name for a build: the SHA-256 of all it depends on. No two lists of parts run together."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class BuildCache:
    """Entries by digest: a small JSON object and a payload of bytes. ``directory`` None keeps nothing."""

    def __init__(self, directory: Path | None, most_bytes: int = 64 * MIB) -> None:
        self.directory = directory
        self._most_bytes = most_bytes

    @classmethod
    def default(cls) -> BuildCache:
        """The user's own: $GEMV_GRADE_CACHE (``off``: none), else gemv-grade in the XDG cache directory, if any."""
        chosen = os.environ.get("GEMV_GRADE_CACHE")
        if chosen == "off":
            return cls(None)
        if chosen:
            return cls(Path(chosen))
        try:
            home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
        except RuntimeError:  # no $HOME, and a user whom this machine does not know
            return cls(None)
        return cls(Path(home) / "gemv-grade")

    def get(self, key: str) -> tuple[Mapping[str, Any], bytes] | None:
        """The entry ``key``, or None. A hit makes it the most recently used."""
        if self.directory is None or not _is_ours(self.directory):
            return None
        path = self.directory / key
        try:
            content = path.read_bytes()
        except OSError:
            return None
        entry = _decode(content)
        with contextlib.suppress(OSError):
            if entry is None:
                path.unlink()
            else:
                os.utime(path)
        return entry

    def put(self, key: str, facts: Mapping[str, Any], payload: bytes) -> None:
        """Store an entry in one step: a reader sees all of it or none. Then make room."""
        content = _encode(facts, payload)
        if self.directory is None or len(content) > self._most_bytes:
            return
        with contextlib.suppress(OSError):
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(self.directory):
                return
            with tempfile.NamedTemporaryFile(dir=self.directory, prefix="new-", delete=False) as file:
                try:
                    file.write(content)
                    file.flush()
                    os.replace(file.name, self.directory / key)  # noqa: PTH105 - a name, not a path
                except OSError:
                    os.unlink(file.name)  # noqa: PTH108
                    raise
            self._make_room(self.directory)

    def _make_room(self, directory: Path) -> None:
        with os.scandir(directory) as listing:
            entries = sorted(((e.stat(), e.path) for e in listing if e.is_file()), key=lambda e: e[0].st_mtime_ns)
        excess = sum(stat.st_size for stat, _ in entries) - self._most_bytes
        for stat, path in entries:
            if excess <= 0:
                return
            Path(path).unlink(missing_ok=True)
            excess -= stat.st_size


def _is_ours(directory: Path) -> bool:
    """Whether nobody else can have put an entry here: what comes out of the cache is run."""
    try:
        stat = directory.stat()
    except OSError:
        return False
    return stat.st_uid == os.geteuid() and not stat.st_mode & 0o022


def _encode(facts: Mapping[str, Any], payload: bytes) -> bytes:
    body = json.dumps(facts).encode() + b"\n" + payload
    return b"\n".join((_FORMAT, hashlib.sha256(body).hexdigest().encode(), body))


def _decode(content: bytes) -> tuple[Mapping[str, Any], bytes] | None:
    form, _, rest = content.partition(b"\n")
    checksum, _, body = rest.partition(b"\n")
    if form != _FORMAT or checksum != hashlib.sha256(body).hexdigest().encode():
        return None
    facts, _, payload = body.partition(b"\n")
    return json.loads(facts), payload
