"""The memory of one case as a single block of bytes: every buffer, each between two guard bands.

The whole block travels to the runner, is copied to the device, and comes back. So the runner needs to know
nothing about buffers, and the grader can compare every byte it did not expect to change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

# 0xFF in every byte is a float32 NaN that no arithmetic produces: unwritten outputs and reads past an
# array's end both show.
POISON = 0xFF
GUARD_BYTES = 4096
ALIGNMENT = 256  # cudaMalloc's own promise: a buffer here is aligned as one from the student's launcher would be


@dataclass(frozen=True)
class Buffer:
    """Where one argument lies in the slab: byte offset and float32 shape."""

    name: str
    offset: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of bytes."""
        return 4 * int(np.prod(self.shape))

    @property
    def end(self) -> int:
        """First byte after the buffer."""
        return self.offset + self.size

    def view(self, slab: Bytes) -> NDArray[np.float32]:
        """The buffer's floats inside ``slab``, without a copy."""
        return slab[self.offset : self.end].view(np.float32).reshape(self.shape)


def lay_out(shapes: dict[str, tuple[int, ...]]) -> tuple[tuple[Buffer, ...], int]:
    """Place buffers of these float32 shapes one after the other; returns them and the size in bytes."""
    buffers = []
    offset = GUARD_BYTES
    for name, shape in shapes.items():
        buffer = Buffer(name, offset, shape)
        buffers.append(buffer)
        offset = _aligned(buffer.end + GUARD_BYTES)
    return tuple(buffers), offset


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
