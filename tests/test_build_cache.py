"""The build cache: bounded, private, and never a reason to fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gemv_grader.build import BuildCache
from gemv_grader.process import MIB


def test_the_cache_drops_what_is_damaged(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "cache")
    cache.put("key", {"a": 1}, b"payload\nof lines\n")
    assert cache.get("key") == ({"a": 1}, b"payload\nof lines\n")
    path = tmp_path / "cache" / "key"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole.replace(b"payload", b"tampers"), b"x" + whole):
        path.write_bytes(damaged)
        assert cache.get("key") is None
        assert not path.exists()


def test_the_cache_is_bounded_and_forgets_what_was_not_used(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, most_bytes=MIB)
    for number in range(4):
        cache.put(str(number), {}, b"x" * 250_000)
        os.utime(tmp_path / str(number), (number, number))
    assert cache.get("0") is not None
    cache.put("4", {}, b"x" * 250_000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "2", "3", "4"]
    cache.put("huge", {}, b"x" * MIB)
    assert cache.get("huge") is None


def test_the_cache_is_private_and_trusts_nobody_else(tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    cache = BuildCache(directory)
    cache.put("key", {}, b"1")
    assert directory.stat().st_mode & 0o777 == 0o700
    directory.chmod(0o777)
    assert cache.get("key") is None


def test_an_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    cache = BuildCache(blocked / "cache")
    cache.put("key", {}, b"1")
    assert cache.get("key") is None


def test_the_cache_lies_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMV_GRADE_CACHE", str(tmp_path))
    assert BuildCache.default().directory == tmp_path
    monkeypatch.setenv("GEMV_GRADE_CACHE", "off")
    assert BuildCache.default().directory is None
    monkeypatch.delenv("GEMV_GRADE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert BuildCache.default().directory == tmp_path / "gemv-grade"


def test_nothing_is_cached_for_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "GEMV_GRADE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 54321)
    assert BuildCache.default().directory is None
