"""A bound against hanging, far above what a loaded machine needs: not a measure of speed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

HANG_SECONDS = 45.0


@contextmanager
def no_hang() -> Iterator[None]:
    """Fail the test if the block hangs, or takes as long as a quadratic algorithm would on its input."""

    def stop(*_: object) -> None:
        raise AssertionError(f"still running after {HANG_SECONDS:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, HANG_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
