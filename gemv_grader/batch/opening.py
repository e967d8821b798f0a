"""Opens the crew that a batch or a verification works with, and says what it can do.

What that takes is imported when it is asked for: a batch with nothing to do needs no crew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemv_grader.batch.means import Means
from gemv_grader.errors import GraderFault, UsageProblem

if TYPE_CHECKING:
    from gemv_grader.batch.crew import Crew
    from gemv_grader.run.device import Choice


@dataclass(frozen=True)
class Hands:
    """Who does the work: ``jobs`` processes of this machine (None: one for each core), or a Dask ``scheduler``."""

    choice: Choice = "auto"
    jobs: int | None = None
    scheduler: str | None = None

    def means(self) -> Means:
        """What this machine has; of a cluster only the crew knows. Raises UsageProblem for want of a GPU asked for."""
        from gemv_grader.run.device import NO_GPU, open_device  # noqa: PLC0415
        from gemv_grader.run.presence import why_no_gpu  # noqa: PLC0415

        if self.scheduler is not None:
            return Means(is_gpu=False, can_run=False, nvcc=None)
        missing = why_no_gpu() if self.choice in ("auto", "gpu") else None
        if self.choice == "gpu" and missing is not None:
            raise UsageProblem(NO_GPU.format(why=missing))
        if self.choice in ("auto", "gpu") and missing is None:
            return Means(is_gpu=True, can_run=True, nvcc=_nvcc_release())
        with open_device(self.choice) as device:
            return Means(is_gpu=False, can_run=device.can_run, nvcc=_nvcc_release())

    @contextmanager
    def crew(self, means: Means) -> Iterator[tuple[Crew, Means]]:
        """A crew and its means; leaving the block ends every process of it, whatever it is doing."""
        from gemv_grader.batch.cluster import ClusterCrew  # noqa: PLC0415
        from gemv_grader.batch.crew import LocalCrew  # noqa: PLC0415

        crew: Crew
        if self.scheduler is not None:
            crew = ClusterCrew(self.scheduler, self.choice)
            means = Means(crew.has_gpus, crew.has_gpus, None)
        else:
            crew = LocalCrew(self.jobs or len(os.sched_getaffinity(0)), self.choice, has_gpus=means.is_gpu)
        try:
            yield crew, means
        finally:
            crew.close()


def _nvcc_release() -> str | None:
    """The release of nvcc, empty where there is none; None where it does not answer, as each build will find out."""
    from gemv_grader.build import Nvcc, find_nvcc  # noqa: PLC0415

    try:
        found = find_nvcc()
    except GraderFault:
        return None
    return found.release if isinstance(found, Nvcc) else ""
