"""Moodle, "Download all submissions": ``<full name>_<participant id>_assignsubmission_<plugin>[_]``.

Each is a folder, or in flat mode the beginning of a file's name. Uploads are under the plugin ``file``, an answer typed
on the site under ``onlinetext``; both are of one submission. Blind marking puts one word for everybody's name.
"""

from __future__ import annotations

import re

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, share
from gemv_grader.batch.intake.model import Claim, Handed, Person
from gemv_grader.batch.intake.tree import Tree

# A name may hold anything, so the pattern is taken from the right.
_OWNER = r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?P<plugin>file|onlinetext)"
_FOLDER = re.compile(rf"{_OWNER}_?")
_FLAT = re.compile(rf"{_OWNER}_(?P<file>.+)")


def _match(tree: Tree, name: str) -> re.Match[str] | None:
    return (_FOLDER if tree.is_folder(name) else _FLAT).fullmatch(name)


def _recognises(tree: Tree) -> float:
    return share(tree.top, lambda name: _match(tree, name))


def _claims(tree: Tree) -> Claims:
    found: dict[tuple[str, str], list[Handed]] = {}
    ignored = []
    for name, files in tree.top.items():
        match = _match(tree, name)
        if match is None:
            ignored.append((tree.prefix + name, FOREIGN))
            continue
        owned = found.setdefault((match["name"], match["id"]), [])
        if tree.is_folder(name):
            inner = tree.below(name)
            owned += [Handed(inner.inner(file), file) for file in files]
        else:
            owned.append(Handed(match["file"], files[0]))
    blind = len(found) > 1 and len({name for name, _ in found}) == 1
    claims = [
        Claim((Person(f"{name}_{id_}", f"{name} {id_}" if blind else name, {"moodle_id": id_}),), tuple(files))
        for (name, id_), files in found.items()
    ]
    return Claims(tuple(claims), tuple(ignored))


LAYOUT = Layout("moodle", _recognises, _claims)
