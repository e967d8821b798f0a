"""An export as a tree of files, whether it lies on disk or in an archive. Links and special files stay outside."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gemv_grader.batch.intake.model import Ignored, Material
from gemv_grader.batch.names import GIT, is_junk, readable
from gemv_grader.words import Text

_MAX_DEPTH = 16


@dataclass(frozen=True)
class Tree:
    """Files below one folder, sorted by path. ``name`` is the folder's or archive's own name.

    ``prefix`` is the part of the files' names that leads to this folder. ``clones`` are folders with a ``.git``.
    """

    name: str
    files: tuple[Material, ...]
    folders: frozenset[str] = frozenset()
    clones: frozenset[str] = frozenset()
    ignored: tuple[Ignored, ...] = ()
    prefix: str = ""

    @cached_property
    def top(self) -> Mapping[str, tuple[Material, ...]]:
        """What lies directly below, by name: a file by itself, a folder with all files in it (none if empty)."""
        found: dict[str, list[Material]] = {name: [] for name in self._inner_folders}
        for file in self.files:
            found.setdefault(self.inner(file).partition("/")[0], []).append(file)
        return {name: tuple(files) for name, files in sorted(found.items())}

    @cached_property
    def subfolders(self) -> tuple[str, ...]:
        """The names of the folders directly below."""
        return tuple(name for name in self.top if self.is_folder(name))

    @cached_property
    def loose(self) -> Mapping[str, Material]:
        """The files directly below, by name."""
        return {name: files[0] for name, files in self.top.items() if not self.is_folder(name)}

    def inner(self, file: Material) -> str:
        """The path of ``file`` from this folder."""
        return file.name[len(self.prefix) :]

    def is_folder(self, name: str) -> bool:
        """Whether ``name``, directly below, is a folder."""
        return name in self._inner_folders

    def is_clone(self, name: str) -> bool:
        """Whether the folder ``name``, directly below, is a Git repository."""
        return self.prefix + name in self.clones

    def below(self, name: str) -> Tree:
        """The folder ``name``, directly below, as a tree; what was ignored stays with this one."""
        folders = frozenset(self._inner_folders[name])
        return Tree(name, self.top[name], folders, self.clones, prefix=f"{self.prefix}{name}/")

    @cached_property
    def _inner_folders(self) -> Mapping[str, list[str]]:
        """The folders below each folder directly below: found once, or each of thousands would look for its own."""
        found: dict[str, list[str]] = {}
        for folder in self.folders:
            name, _, rest = folder[len(self.prefix) :].partition("/")
            if name:
                found.setdefault(name, []).extend([folder] if rest else [])
        return found


@dataclass(frozen=True)
class OnDisk:
    """Reads a file that lies on disk."""

    path: str

    def __call__(self, limit: int) -> bytes:
        """The first ``limit + 1`` bytes. Raises OSError."""
        with open(self.path, "rb") as file:  # noqa: PTH123 - a Path for each of 20,000 files costs more than the rest
            return file.read(limit + 1)


def folder_tree(folder: Path) -> Tree:
    """The files below ``folder``. What cannot be listed is ignored with the reason."""
    return Growing().grow(folder.resolve().name, _walk(str(folder)))


Found = tuple[str, Material | Text | None]
"""A path, and the file there, None for a folder, or why it was refused."""


class Growing:
    """Collects the parts of a tree, leaving out junk and telling of it once per folder."""

    def __init__(self) -> None:
        self.files: dict[str, Material] = {}
        self.folders: set[str] = set()
        self.clones: set[str] = set()
        self.ignored: dict[str, Text] = {}

    def grow(self, name: str, found: Iterable[Found]) -> Tree:
        """The tree of everything ``found``, sorted."""
        for path, what in found:
            self._add(path, what)
        files = tuple(file for _, file in sorted(self.files.items()))
        return Tree(name, files, frozenset(self.folders), frozenset(self.clones), tuple(sorted_by_path(self.ignored)))

    def _add(self, path: str, what: Material | Text | None) -> None:
        if what is ESCAPES:
            self.ignored[path] = what
            return
        parts = [part for part in path.split("/") if part]
        path = "/".join(parts)
        junk = next((at for at, part in enumerate(parts) if is_junk(part)), None)
        if junk is not None:
            self.ignored["/".join(parts[: junk + 1])] = JUNK
            if parts[junk] == GIT:
                self.clones.add("/".join(parts[:junk]))
            return
        folders = parts if what is None else parts[:-1]
        self.folders.update("/".join(folders[: depth + 1]) for depth in range(len(folders)))
        if isinstance(what, Text):
            self.ignored[path] = what
        elif what is not None:
            if path in self.files:
                self.ignored[path] = TWICE
            self.files[path] = what


def sorted_by_path(ignored: Mapping[str, Text]) -> list[Ignored]:
    """Pairs in the order of their paths."""
    return sorted(ignored.items(), key=lambda item: item[0])


def _walk(folder: str) -> Iterator[Found]:
    waiting = [(folder, "", 0)]
    while waiting:
        at, prefix, depth = waiting.pop()
        try:
            entries = list(os.scandir(at))
        except OSError as error:
            yield prefix.rstrip("/"), UNREADABLE.format(reason=error.strerror or error)
            continue
        for entry, name in _named(entries):
            path = prefix + name
            if entry.is_symlink():
                yield path, LINK
            elif not entry.is_dir(follow_symlinks=False):
                yield path, _file(entry, path)
            elif is_junk(entry.name):
                yield path, None
            elif depth == _MAX_DEPTH:
                yield path, TOO_DEEP
            else:
                yield path, None
                waiting.append((entry.path, f"{path}/", depth + 1))


def _named(entries: list[os.DirEntry[str]]) -> Iterable[tuple[os.DirEntry[str], str]]:
    """Each entry with a name that people can read; of those that then look alike, the later ones are numbered."""
    names = [readable(entry.name) for entry in entries]
    if len(set(names)) == len(names):
        return zip(entries, names, strict=True)
    times: Counter[str] = Counter()
    told = []
    for entry in sorted(entries, key=lambda each: each.name):
        name = readable(entry.name)
        times[name] += 1
        told.append((entry, name if times[name] == 1 else f"{name} ({times[name]})"))
    return told


def _file(entry: os.DirEntry[str], path: str) -> Material | Text:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return UNREADABLE.format(reason=error.strerror or error)
    return Material(path, status.st_size, OnDisk(entry.path)) if stat.S_ISREG(status.st_mode) else SPECIAL


JUNK = Text(zh="隐藏文件或系统文件", en="hidden, or left by a system or an editor")
LINK = Text(zh="链接，不跟随", en="a link; links are not followed")
SPECIAL = Text(zh="不是普通文件（设备、管道或套接字）", en="not a regular file (a device, pipe or socket)")
TOO_DEEP = Text(zh="文件夹嵌套太深", en="folders nested too deep")
ESCAPES = Text(zh="路径指向压缩包之外，拒绝", en="its path leads outside the archive; refused")
TWICE = Text(
    zh="有两个文件同名，或只差字符的写法（é 的两种编码）；取后一个",
    en="two files have this name, or spellings of it that look alike (é as one character or two); the later was taken",
)
UNREADABLE = Text(zh="读不了：{reason}", en="cannot be read: {reason}")
