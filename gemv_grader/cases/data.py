"""The kinds of input data a case can ask for. Each fills one float32 array from a generator of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Floats = NDArray[np.float32]

# How many trailing elements of the last axis `tail_heavy` makes large, and by how much: a program that
# drops the last columns, even one, misses by far more than the bound.
_TAIL, _TAIL_SCALE = 3, 64.0


# Products of `denormal` data are small integers times 2^-145: denormal, with room below for exact sums.
_DENORMAL_EXPONENT = -145


def fill(kind: str, shape: Shape, rng: np.random.Generator, exponent: int) -> Floats:
    """An array of ``shape`` of the given data ``kind``. Raises KeyError for an unknown kind.

    ``exponent`` is the power of two that scales the buffer's integers in ``denormal`` data.
    """
    return KINDS[kind](shape, rng, exponent).astype(np.float32)


def denormal_exponents(products: list[tuple[str, ...]]) -> dict[str, int]:
    """For each buffer the power of two that makes every product of the formula come out at 2^-145."""
    exponents: dict[str, int] = {}
    for term in sorted(products, key=len, reverse=True):
        for number, name in enumerate(term):
            exponents.setdefault(name, (_DENORMAL_EXPONENT - number) // len(term))
    return exponents


def is_exact(kind: str) -> bool:
    """Whether honest float32 sums in any order give the same bits on this kind: results compare exactly."""
    return kind in _EXACT


def _ramp(shape: Shape, _rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    """Eighths in a fixed pattern that a person can follow, with no symmetry for a wrong index to hide in."""
    count = int(np.prod(shape))
    step = 5 if len(shape) > 1 else 3
    return ((np.arange(count, dtype=np.int64) * step + 1) % 13 - 6).reshape(shape) / 8.0


def _signed(shape: Shape, rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    return rng.standard_normal(shape)


def _integers(shape: Shape, rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    return rng.integers(-8, 9, shape).astype(np.float64)


def _tail_heavy(shape: Shape, rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    """Whole numbers, so that sums stay exact although the last columns outweigh all others."""
    values = rng.integers(-8, 9, shape).astype(np.float64)
    tail = values[..., -_TAIL:]
    tail[...] = rng.integers(1, 9, tail.shape) * rng.choice([-1, 1], tail.shape) * _TAIL_SCALE
    return values


def _denormal(shape: Shape, rng: np.random.Generator, exponent: int) -> NDArray[np.float64]:
    """Small non-zero integers times a power of two: products are multiples of 2^-149, so sums are exact."""
    values = (rng.integers(1, 8, shape) * rng.choice([-1, 1], shape)).astype(np.float64)
    scaled: NDArray[np.float64] = values * 2.0**exponent
    return scaled


def _nonfinite(shape: Shape, rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    """Signed data whose first rows hold NaN, +Inf, -Inf and both; a vector stays finite and non-zero."""
    values = rng.standard_normal(shape)
    if len(shape) < 2:
        return np.copysign(0.5 + np.abs(values), values)
    rows, columns = shape[0], shape[-1]
    specials = [(np.nan,), (np.inf,), (-np.inf,), (np.inf, -np.inf)]
    for row, marks in zip(range(rows), specials, strict=False):
        spots = rng.choice(columns, size=min(len(marks), columns), replace=False)
        values[row, ..., spots] = np.asarray(marks)[: len(spots)]
    return values


def _ones(shape: Shape, _rng: np.random.Generator, _exponent: int) -> NDArray[np.float64]:
    return np.ones(shape)


KINDS: dict[str, Callable[[Shape, np.random.Generator, int], NDArray[np.float64]]] = {
    "ramp": _ramp,
    "signed": _signed,
    "integers": _integers,
    "tail_heavy": _tail_heavy,
    "denormal": _denormal,
    "nonfinite": _nonfinite,
    "ones": _ones,
}
_EXACT = frozenset({"ramp", "integers", "tail_heavy", "denormal", "ones"})
