"""A stand-in that gives every process a GPU: NumPy computes what two fills compute, a third crashes, the rest fail.

Only a few of the exercise's cases are run. Opening it takes STAND_IN_SECONDS.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from gemv_grader import cases
from gemv_grader.batch import crew
from gemv_grader.exercise import Exercise
from gemv_grader.run import device, presence

FEW = ("walkthrough", "integers_exact", "one_column", "one_row")


@contextmanager
def open_device(choice: device.Choice) -> Iterator[device.Device]:
    """A device on NumPy; `none` is what it always is."""
    if choice == "none":
        with _open_device(choice) as opened:
            yield opened
        return
    from numpy_device import NumpyDevice  # noqa: PLC0415 - it imports the whole grader
    from trails import RIGHT, by_thread  # noqa: PLC0415

    time.sleep(float(os.environ.get("STAND_IN_SECONDS", "0")))
    yield NumpyDevice({RIGHT: lambda a, x: a * x, "row_A[tid] * x[tid]": by_thread, "x[col + 99999]": None})


def plan(exercise: Exercise, seed: int) -> tuple[cases.Case, ...]:
    """A few cases."""
    few = tuple(case for case in exercise.cases if case.id in FEW)
    return _plan(exercise.model_copy(update={"cases": few}), seed)


_open_device, device.open_device = device.open_device, open_device
_plan, cases.plan = cases.plan, plan
presence.why_no_gpu = lambda: None
crew.PROGRAMS_PER_GPU = 2
