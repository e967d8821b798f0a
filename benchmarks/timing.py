"""Timing whole processes: alternating runs, medians, and ratios of runs that were neighbours in time."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """Wall-clock seconds of the runs of one command."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle run."""
        return statistics.median(self.seconds)

    def row(self) -> str:
        """Name, median, and the range."""
        return f"{self.name:<52} {self.median:7.3f} s   ({min(self.seconds):.3f} to {max(self.seconds):.3f})"


def timed(command: Sequence[str], env: Mapping[str, str] | None = None, statuses: tuple[int, ...] = (0,)) -> float:
    """Seconds that a command took. Raises RuntimeError if it ends with a status that was not expected."""
    start = time.perf_counter()
    ended = subprocess.run(command, env=env, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if ended.returncode not in statuses:
        raise RuntimeError(
            f"{' '.join(command)}: status {ended.returncode}\n{ended.stdout[-2000:]!r}\n{ended.stderr[-2000:]!r}"
        )
    return seconds


def stopwatch(task: Callable[[], object]) -> float:
    """Seconds that ``task`` took."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def alternate(runs: int, tasks: Mapping[str, Callable[[int], float]]) -> list[Series]:
    """Run the tasks in turn, ``runs`` times after one uncounted round; each gets the round's number."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(runs + 1):
        for name, task in tasks.items():
            taken = task(number)
            if number:
                seconds[name].append(taken)
    return [Series(name, tuple(values)) for name, values in seconds.items()]


def ratio(of: Series, to: Series) -> str:
    """The ratio run by run: median and range."""
    ratios = [a / b for a, b in zip(of.seconds, to.seconds, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
