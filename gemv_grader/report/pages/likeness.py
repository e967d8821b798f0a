"""Finds answers that may repeat each other, in a class of any size; `prose.copying` then says whether they do.

An answer's sketch is a fourth of its runs of six letters, hashed: chosen by the hash, so that equal runs of two answers
are in both sketches or in neither. What many answers have in common says nothing, and is passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

_RUN = 6
_ONE_IN = 4
_LONGEST = 20_000  # characters of an answer that are looked at
_COMMON = 12  # answers that may share a run before it is a set phrase
_SHARE = 0.25
_MOST = 1500
"""Answers to one question that are compared word by word: the likeliest, which bounds the time."""

_LETTERS = re.compile(r"[\W_]+")
Hashes = NDArray[np.uint32]


def sketch(text: str) -> tuple[bytes, bytes]:
    """A digest of the text's letters, and its sketch."""
    letters = _LETTERS.sub("", text[:_LONGEST].casefold())
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), np.uint32)
    if len(codes) < _RUN:
        return b"", b""
    hashes = np.zeros(len(codes) - _RUN + 1, np.uint32)
    for i in range(_RUN):
        hashes = (hashes ^ codes[i : len(hashes) + i]) * np.uint32(16_777_619)
    hashes ^= hashes >> np.uint32(15)
    kept = np.unique(hashes[hashes % _ONE_IN == 0])
    return blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=8).digest(), kept.tobytes()


def candidates(sketches: Mapping[str, tuple[bytes, bytes]]) -> list[list[list[str]]]:
    """Groups of answers that may be alike; each answer is the list of the keys that have it word for word."""
    same: dict[bytes, list[str]] = defaultdict(list)
    hashes: dict[bytes, Hashes] = {}
    for key, (digest, data) in sketches.items():
        if digest:
            same[digest].append(key)
            hashes[digest] = np.frombuffer(data, np.uint32)
    owners = list(same.values())
    group = list(range(len(owners)))
    likely = list(_likely(list(hashes.values())))
    compared: set[int] = set()
    for a, b in likely:
        if len(compared) >= _MOST:
            break
        compared |= {a, b}
        group[_root(group, a)] = _root(group, b)
    found: dict[int, list[list[str]]] = defaultdict(list)
    for i, keys in enumerate(owners):
        if len(keys) > 1 or i in compared:
            found[_root(group, i)].append(keys)
    return list(found.values())


def _likely(sketches: Sequence[Hashes]) -> Iterator[tuple[int, int]]:
    """Pairs that share much of the smaller sketch, those that share most first."""
    if not sketches:
        return
    sizes = np.array([len(each) for each in sketches])
    runs = np.concatenate(sketches)
    who = np.repeat(np.arange(len(sketches)), sizes)
    order = np.argsort(runs, kind="stable")
    runs, who = runs[order], who[order]
    starts = np.flatnonzero(np.r_[True, runs[1:] != runs[:-1]]) if len(runs) else np.array([], np.int64)
    lengths = np.diff(np.r_[starts, len(runs)])
    pairs = []
    for size in range(2, _COMMON + 1):
        members = who[starts[lengths == size][:, None] + np.arange(size)]
        for i, j in zip(*np.triu_indices(size, 1), strict=True):
            pairs.append(members[:, i] * len(sketches) + members[:, j])
    codes, common = np.unique(np.concatenate(pairs), return_counts=True)
    a, b = codes // len(sketches), codes % len(sketches)
    share = common / np.minimum(sizes[a], sizes[b])
    likely = np.flatnonzero(share >= _SHARE)
    for at in likely[np.argsort(-share[likely], kind="stable")]:
        yield int(a[at]), int(b[at])


def _root(group: list[int], i: int) -> int:
    while group[i] != i:
        group[i] = group[group[i]]
        i = group[i]
    return i
