"""A stand-in that gives every process a GPU: NumPy computes what a few fills compute, see ``numpy_device``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gemv_grader.run import device, presence


@contextmanager
def open_device(choice: device.Choice) -> Iterator[device.Device]:
    """A device on NumPy; `none` is what it always is."""
    if choice == "none":
        with _real(choice) as opened:
            yield opened
        return
    from numpy_device import NumpyDevice  # noqa: PLC0415 - it imports the whole grader
    from trails import RIGHT, by_thread  # noqa: PLC0415

    yield NumpyDevice({RIGHT: lambda a, x: a * x, "row_A[tid] * x[tid]": by_thread, "x[col + 99999]": None})


_real = device.open_device
device.open_device = open_device
presence.why_no_gpu = lambda: None
