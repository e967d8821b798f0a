"""Makes an exercise's case list concrete: a secret seed becomes shapes, data, float64 reference and bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemv_grader.cases import data, slab
from gemv_grader.cases.reference import magnitude, products, reference
from gemv_grader.cases.slab import POISON, Buffer, Bytes
from gemv_grader.exercise import CaseSpec, Exercise

__all__ = ["Case", "Expected", "plan", "plan_case"]

# Honest float32 orders stay under 2 of these units on signed data, half precision starts near 48.
UNIT = 2.0**-24
BOUND_UNITS = 16


@dataclass(frozen=True)
class Expected:
    """What one output must hold: float64 values, the error allowed for each, and which were to be written."""

    buffer: Buffer
    values: NDArray[np.float64]
    magnitude: NDArray[np.float64]
    bound: NDArray[np.float64]
    written: NDArray[np.bool_]


@dataclass(frozen=True)
class Case:
    """One launch, ready to run: the slab to upload and what must come back."""

    id: str
    group: str
    sizes: dict[str, int]
    blocks: int | None
    shape: str
    slab: Bytes
    buffers: tuple[Buffer, ...]
    pointers: tuple[int | None, ...]
    absent: tuple[str, ...]
    expected: tuple[Expected, ...]


def plan(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    """All cases of the exercise, in its order. The same seed gives the same bytes."""
    return tuple(plan_case(exercise, spec, (seed, number)) for number, spec in enumerate(exercise.cases))


def plan_case(exercise: Exercise, spec: CaseSpec, entropy: tuple[int, ...]) -> Case:
    """One concrete case from its specification; ``entropy`` seeds its shapes and data."""
    rng = np.random.default_rng(entropy)
    sizes = {
        name: size if isinstance(size, int) else int(rng.integers(size.from_, size.to, endpoint=True))
        for name, size in spec.sizes.items()
    }
    shapes = {b.name: tuple(sizes[axis] for axis in b.shape) for b in exercise.buffers if b.name not in spec.absent}
    buffers, size = slab.lay_out(shapes)
    memory = np.full(size, POISON, dtype=np.uint8)
    placed = {buffer.name: buffer for buffer in buffers}

    inputs: dict[str, NDArray[np.float64] | float] = {buffer.name: 0.0 for buffer in exercise.inputs}
    exponents = data.denormal_exponents(products(exercise.reference))
    for name in (buffer.name for buffer in exercise.inputs if buffer.name in placed):
        view = placed[name].view(memory)
        view[...] = data.fill(spec.data, view.shape, rng, exponents.get(name, 0))
        inputs[name] = view.astype(np.float64)

    expected = tuple(
        _expect(exercise, spec, placed[buffer.name], inputs, buffer.written_by_block) for buffer in exercise.outputs
    )
    return Case(
        id=spec.id,
        group=spec.group,
        sizes=sizes,
        blocks=spec.blocks,
        shape=_shape(exercise, spec, sizes),
        slab=memory,
        buffers=buffers,
        pointers=tuple(placed[b.name].offset if b.name in placed else None for b in exercise.buffers),
        absent=spec.absent,
        expected=expected,
    )


def _expect(
    exercise: Exercise,
    spec: CaseSpec,
    buffer: Buffer,
    inputs: dict[str, NDArray[np.float64] | float],
    written_by_block: bool,
) -> Expected:
    values = np.broadcast_to(reference(exercise.reference, inputs), buffer.shape)
    terms = np.broadcast_to(magnitude(exercise.reference, inputs), buffer.shape)
    units = 0.0 if data.is_exact(spec.data) else BOUND_UNITS * UNIT
    with np.errstate(invalid="ignore"):
        bound = units * terms
    written = np.ones(buffer.shape, dtype=np.bool_)
    if written_by_block and spec.blocks is not None:
        written[spec.blocks :] = False
    return Expected(buffer, values, terms, bound, written)


def _shape(exercise: Exercise, spec: CaseSpec, sizes: dict[str, int]) -> str:
    parts = [f"{name}={sizes[name]}" for name in exercise.sizes]
    parts += [f"{b.name}={'null' if b.name in spec.absent else 'present'}" for b in exercise.buffers if b.nullable]
    if spec.blocks is not None:
        parts.append(f"blocks={spec.blocks}")
    return " ".join(parts)
