"""Finds nvcc and learns what it is; does nothing with it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.build.time_limit import compile_seconds
from gemv_grader.errors import GraderFault
from gemv_grader.process import Command, clean_environment, run
from gemv_grader.words import Text

OLDEST = (12, 0)
"""Older toolkits lack sm_90 and some C++17."""

_VERSION_SECONDS = 10.0


@dataclass(frozen=True)
class Nvcc:
    """A CUDA compiler that works. ``release`` is its full version, such as "13.0.88"."""

    path: Path
    release: str

    def identity(self) -> str:
        """What a cached build depends on: this release and the host compiler whose headers it reads."""
        host = shutil.which(os.environ.get("NVCC_CCBIN", "g++"))
        if host is None:
            return self.release
        stat = os.stat(host)  # noqa: PTH116 - a string from which(), not a path we build on
        return f"{self.release} {os.path.realpath(host)} {stat.st_mtime_ns} {stat.st_size}"


def find_nvcc() -> Nvcc | Text:
    """The first nvcc that is new enough, or why there is none. Raises GraderFault when one hangs.

    Looks at $NVCC (and then nowhere else), PATH, $CUDA_HOME and $CUDA_PATH, /usr/local/cuda*, and in site-packages,
    where the extra ``nvcc`` puts its wheels.
    """
    refused: Text | None = None
    for path in dict.fromkeys(_candidates()):
        found = _ask(path)
        if isinstance(found, Nvcc):
            return found
        refused = refused or found
    return refused or NOT_FOUND


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("NVCC"):
        yield Path(shutil.which(chosen) or chosen).absolute()
        return
    if on_path := shutil.which("nvcc"):
        yield Path(on_path).absolute()
    roots = [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    roots += [Path("/usr/local/cuda"), *_newest_first(Path("/usr/local").glob("cuda-*"))]
    for entry in sys.path:
        roots += _newest_first((Path(entry) / "nvidia").glob("cu[0-9]*"))
    for root in roots:
        if os.access(path := root / "bin" / "nvcc", os.X_OK):
            yield path


def _newest_first(roots: Iterable[Path]) -> list[Path]:
    return sorted(roots, key=lambda root: [int(number) for number in re.findall(r"\d+", root.name)], reverse=True)


def _ask(path: Path) -> Nvcc | Text:
    if not path.exists():
        return ABSENT.format(path=path)
    seconds = min(_VERSION_SECONDS, compile_seconds())
    finished = run(Command((str(path), "--version"), Path("/"), clean_environment(Path("/"))), seconds)
    if finished.timed_out:
        raise GraderFault(SILENT.format(path=path, seconds=seconds))
    version = re.search(r"release (\d+)\.(\d+), V([\d.]+)", finished.output)
    if version is None:
        return BROKEN.format(path=path, output=" ".join(finished.output.split())[:200])
    if (int(version[1]), int(version[2])) < OLDEST:
        return TOO_OLD.format(path=path, release=version[3], oldest=".".join(map(str, OLDEST)))
    return Nvcc(path, version[3])


NOT_FOUND = Text(
    zh="没有找到 nvcc。请安装 CUDA 工具包，或运行 pip install 'gemv-grade[nvcc]'；已装在别处时请设环境变量 NVCC。",
    en="nvcc was not found. Install the CUDA toolkit or run pip install 'gemv-grade[nvcc]'; if it is "
    "installed elsewhere, set the environment variable NVCC.",
)
ABSENT = Text(
    zh="环境变量 NVCC 指定的 {path} 不存在。请改正，或去掉这个变量。",
    en="The environment variable NVCC names {path}, which is not there. Correct it, or unset it.",
)
SILENT = Text(
    zh="{path} 在 {seconds:g} 秒内没有回答 --version。请检查该安装，或用环境变量 NVCC 指定另一个。",
    en="{path} did not answer --version within {seconds:g} seconds. Check that installation, or name another "
    "with NVCC.",
)
BROKEN = Text(
    zh="{path} 不是能用的 nvcc（--version 的输出：{output}）。请检查该安装，或用环境变量 NVCC 指定另一个。",
    en="{path} is no working nvcc (--version says: {output}). Check that installation, or name another with NVCC.",
)
TOO_OLD = Text(
    zh="{path} 的版本是 {release}，太旧；至少需要 {oldest}。请升级 CUDA 工具包，或用环境变量 NVCC 指定新的。",
    en="{path} is version {release}, which is too old: {oldest} or newer is needed. Upgrade the CUDA "
    "toolkit, or name a newer one with NVCC.",
)
