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
from gemv_grader.words import Evidence

if TYPE_CHECKING:
    from gemv_grader.batch.crew import Crew
    from gemv_grader.run.device import Choice


@dataclass(frozen=True)
class Hands:
    """Who does the work: ``jobs`` processes of this machine (None: one for each core), or a Dask ``scheduler``."""

    choice: Choice = "auto"
    jobs: int | None = None
    scheduler: str | None = None

    def warm_up(self) -> None:
        """Begin to start processes that will be needed: a crew's imports take longer than looking at a class."""
        if self.scheduler is None:
            from gemv_grader.batch.crew import warm_up  # noqa: PLC0415

            warm_up()

    def means(self) -> Means:
        """What this machine has; of a cluster only its crew knows. Raises UsageProblem if it lacks what was chosen."""
        from gemv_grader.run.device import NO_GPU, open_device  # noqa: PLC0415
        from gemv_grader.run.presence import why_no_gpu  # noqa: PLC0415

        if self.scheduler is not None:
            return Means(Evidence.STATIC)
        missing = why_no_gpu() if self.choice in ("auto", "gpu") else None
        if self.choice == "gpu" and missing is not None:
            raise UsageProblem(NO_GPU.format(why=missing))
        if self.choice in ("auto", "gpu") and missing is None:
            return Means(Evidence.GPU, _nvcc())
        with open_device(self.choice) as device:
            runs = device.can_run
        compilers = _nvcc() | (_cpu_compiler() if runs else {})
        weaker = Evidence.COMPILED if compilers else Evidence.STATIC
        return Means(Evidence.EMULATED if runs else weaker, compilers)

    @contextmanager
    def crew(self, means: Means) -> Iterator[Crew]:
        """A crew with these means; leaving the block ends every process of it, whatever it is doing."""
        from gemv_grader.batch.cluster import ClusterCrew  # noqa: PLC0415
        from gemv_grader.batch.crew import LocalCrew  # noqa: PLC0415

        crew: Crew
        if self.scheduler is not None:
            crew = ClusterCrew(self.scheduler, self.choice)
        else:
            crew = LocalCrew(self.jobs or len(os.sched_getaffinity(0)), self.choice, means)
        try:
            yield crew
        finally:
            crew.close()


def _nvcc() -> dict[str, str]:
    """nvcc's release; nothing where there is none, or where it does not answer, as each build will find out."""
    from gemv_grader.build import Nvcc, find_nvcc  # noqa: PLC0415

    try:
        found = find_nvcc()
    except GraderFault:
        return {}
    return {"nvcc": found.release} if isinstance(found, Nvcc) else {}


def _cpu_compiler() -> dict[str, str]:
    from gemv_grader.run.cpu.compiler import Compiler, find_compiler  # noqa: PLC0415

    found = find_compiler()
    return {found.path.name: found.release} if isinstance(found, Compiler) else {}
