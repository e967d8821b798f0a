"""Binaries in the build cache."""

from __future__ import annotations

from dataclasses import asdict, replace

from gemv_grader.build.binary import Binary, Diagnostic
from gemv_grader.build.cache import BuildCache


def recall(cache: BuildCache, key: str) -> Binary | None:
    """The binary stored under ``key``, marked as cached; None if there is none."""
    entry = cache.get(key)
    if entry is None:
        return None
    facts, code = entry
    back = {
        "code": code or None,
        "cached": True,
        "command": tuple(facts["command"]),
        "diagnostics": tuple(Diagnostic(**d) for d in facts["diagnostics"]),
    }
    return Binary(**{**facts, **back})


def remember(cache: BuildCache, key: str, binary: Binary) -> None:
    """Store what would come out the same again: time-outs and crashes depend on the machine's load."""
    if binary.ok or any(error.line is not None for error in binary.errors):
        cache.put(key, asdict(replace(binary, code=None)), binary.code or b"")
