"""The crew of a Dask cluster: workers wherever they are, those with the resource ``GPU`` for programs.

    dask scheduler
    dask worker ADDRESS                                        on machines with cores
    dask worker ADDRESS --nthreads 1 --resources GPU=1         on machines with a GPU, one for each

gemv-grade must be installed there in the same version; nothing else is shared, not even a file system.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from gemv_grader import __version__
from gemv_grader.batch.crew import Deaths, packed
from gemv_grader.batch.means import Means
from gemv_grader.errors import UsageProblem
from gemv_grader.run.device import Choice
from gemv_grader.words import Evidence, Text

_CONNECT_SECONDS = 5
_WITHOUT_GPU: dict[Choice, Evidence] = {"auto": Evidence.EMULATED, "cpu": Evidence.EMULATED}


class ClusterCrew:
    """The workers of a scheduler. Dask itself gives a dead worker's task to another, three times."""

    def __init__(self, address: str, choice: Choice) -> None:
        distributed = _distributed()
        self.deaths: Deaths = (distributed.KilledWorker, CancelledError)
        try:
            self._client: Any = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise UsageProblem(UNREACHABLE.format(address=address, reason=error)) from error
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        self.size = max(1, sum(worker["nthreads"] for worker in workers))
        has_gpus = choice in ("auto", "gpu") and any(worker["resources"].get("GPU") for worker in workers)
        self.means = Means(Evidence.GPU if has_gpus else _WITHOUT_GPU.get(choice, Evidence.COMPILED))
        self._choice: Choice = choice
        if choice == "gpu" and not has_gpus:
            self.close()
            raise UsageProblem(NO_GPU_WORKERS.format(address=address))
        self._refuse_other_versions()
        self._cores: Executor = self._client.get_executor()
        self._gpus: Executor = self._client.get_executor(resources={"GPU": 1}) if has_gpus else self._cores

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """On any worker."""
        return self._cores.submit(packed, task, *arguments)

    def perform(self, task: Callable[..., Any], *arguments: Any) -> Future[bytes]:
        """On a worker with a GPU if there are any. One task holds it at a time, so that no lane is needed."""
        return self._gpus.submit(packed, task, *arguments, self._choice, None)

    def mend(self) -> None:
        """Dask replaces its workers itself."""

    def close(self) -> None:
        """Give up what is still running, and leave the cluster as it was."""
        self._client.close(timeout=1)

    def _refuse_other_versions(self) -> None:
        others = set(self._client.run(installed_version).values()) - {__version__}
        if others:
            self.close()
            raise UsageProblem(OTHER_VERSIONS.format(ours=__version__, theirs=", ".join(sorted(others))))


def installed_version() -> str:
    """Run on each worker: the version of gemv-grade there."""
    return __version__


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise UsageProblem(NO_DASK) from None


NO_DASK = Text(
    zh="--scheduler 需要 Dask。请运行 pip install 'gemv-grade[cluster]'。",
    en="--scheduler needs Dask. Run pip install 'gemv-grade[cluster]'.",
)
UNREACHABLE = Text(
    zh="连不上 Dask 调度器 {address}（{reason}）。请检查地址，并确认 dask scheduler 在运行。",
    en="No Dask scheduler can be reached at {address} ({reason}). Check the address, and that `dask scheduler` runs.",
)
NO_GPU_WORKERS = Text(
    zh="要求用 GPU（--device gpu），但 {address} 没有带 GPU 的 worker。请用 dask worker --resources GPU=1 启动。",
    en="--device gpu was asked for, but no worker of {address} has one: start `dask worker --resources GPU=1`.",
)
OTHER_VERSIONS = Text(
    zh="集群上的 gemv-grade 版本不同（这里 {ours}，那里 {theirs}）。请先统一版本。",
    en="The cluster has another version of gemv-grade (here {ours}, there {theirs}). Install the same one first.",
)
