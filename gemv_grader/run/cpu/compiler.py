"""Finds a C++ compiler that can build programs for the CPU; does nothing with it."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gemv_grader.process import Command, clean_environment, run
from gemv_grader.words import Text

Family = Literal["gcc", "clang"]

OLDEST: dict[Family, int] = {"gcc": 10, "clang": 12}
"""The first releases with -fno-finite-loops, without which an endless loop may be compiled away."""

_VERSION_SECONDS = 10.0
_CLANG = re.compile(r"\bclang version (\d+)[.\d]*")
_GCC = re.compile(r"^\S+ \(.*?\) (\d+)[.\d]*", re.MULTILINE)


@dataclass(frozen=True)
class Compiler:
    """A C++17 compiler that works. ``release`` is what it calls itself, such as "g++ (Debian 12.2.0-14) 12.2.0"."""

    path: Path
    family: Family
    release: str

    def identity(self) -> str:
        """What a cached build depends on."""
        stat = self.path.resolve().stat()
        return f"{self.release} {self.path.resolve()} {stat.st_mtime_ns} {stat.st_size} {platform.machine()}"


def find_compiler() -> Compiler | Text:
    """The first compiler that is new enough: $CXX (and then nowhere else), else g++, clang++ or c++ on PATH."""
    if platform.system() != "Linux":
        return ONLY_LINUX
    refused: Text | None = None
    for path in _candidates():
        found = _ask(path)
        if isinstance(found, Compiler):
            return found
        refused = refused or found
    return refused or NOT_FOUND


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("CXX"):
        yield Path(shutil.which(chosen) or chosen).absolute()
        return
    for name in ("g++", "clang++", "c++"):
        if path := shutil.which(name):
            yield Path(path).absolute()


def _ask(path: Path) -> Compiler | Text:
    finished = run(Command((str(path), "--version"), Path("/"), clean_environment(Path("/"))), _VERSION_SECONDS)
    families: tuple[tuple[Family, re.Pattern[str]], ...] = (("clang", _CLANG), ("gcc", _GCC))
    for family, pattern in families:
        if finished.ok and (version := pattern.search(finished.output)):
            if int(version[1]) < OLDEST[family]:
                return TOO_OLD.format(path=path, release=version[0], oldest=OLDEST[family])
            return Compiler(path, family, version[0])
    return BROKEN.format(path=path, output=" ".join(finished.output.split())[:200])


ONLY_LINUX = Text(zh="在 CPU 上运行程序目前只支持 Linux。", en="Running programs on the CPU needs Linux so far.")
NOT_FOUND = Text(
    zh="没有找到 C++ 编译器。请安装 g++（Debian、Ubuntu 上是 apt-get install g++）或 clang++，或用环境变量 CXX 指定。",
    en="No C++ compiler was found. Install g++ (on Debian and Ubuntu: apt-get install g++) or clang++, or name one "
    "with the environment variable CXX.",
)
BROKEN = Text(
    zh="{path} 不是能用的 g++ 或 clang++（--version 的输出：{output}）。请用环境变量 CXX 指定另一个。",
    en="{path} is no working g++ or clang++ (--version says: {output}). Name another with CXX.",
)
TOO_OLD = Text(
    zh="{path}（{release}）太旧；至少需要 {oldest}。请用环境变量 CXX 指定新的。",
    en="{path} ({release}) is too old; {oldest} or newer is needed. Name a newer one with CXX.",
)
