"""Blackboard, "Assignment File Download": ``<assignment>_<user>_attempt_<time>_<file name>``, flat.

Beside the files of each attempt lies ``<assignment>_<user>_attempt_<time>.txt`` with the student's full name and id.
Both the assignment and the user may hold underscores; that file tells them apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, share
from gemv_grader.batch.intake.model import Claim, DamagedMaterial, Handed, Material, Person
from gemv_grader.batch.intake.tree import Tree
from gemv_grader.encoding import decode

_TIME = r"\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d"
_NAME = re.compile(rf"(?P<owner>.+)_attempt_(?P<time>{_TIME})(?:_(?P<file>.+)|\.txt)")
_WHO = re.compile(r"[^:：\n]{1,40}[:：][ \t]*(?P<name>[^\n]{1,200})[(（](?P<id>[^()（）\n]{1,100})[)）]")
_RENAMED = re.compile(r"Original filename:[ \t]*(?P<original>[^\r\n]+)\s+Filename:[ \t]*(?P<name>[^\r\n]+)")
_MAX_SLIP = 1 << 20


@dataclass(frozen=True)
class _Slip:
    """The text file of an attempt: who handed it in, and the student's names of files that were renamed."""

    name: str
    id: str
    originals: dict[str, str]


def _recognises(tree: Tree) -> float:
    return share(tree.top, lambda name: not tree.is_folder(name) and _NAME.fullmatch(name))


def _claims(tree: Tree) -> Claims:
    slips: dict[tuple[str, str], _Slip] = {}
    files: dict[tuple[str, str], list[tuple[str, Material]]] = {}
    ignored = [(tree.prefix + name, FOREIGN) for name in tree.subfolders]
    for name, file in tree.loose.items():
        match = _NAME.fullmatch(name)
        if match is None:
            ignored.append((file.name, FOREIGN))
            continue
        attempt = (match["owner"], match["time"])
        owned = files.setdefault(attempt, [])
        if match["file"]:
            owned.append((match["file"], file))
        else:
            slips[attempt] = _read_slip(file)
    claims = [_claim(owner, time, owned, slips.get((owner, time))) for (owner, time), owned in files.items()]
    return Claims(tuple(claims), tuple(ignored))


def _read_slip(file: Material) -> _Slip:
    try:
        text = decode(file.read(_MAX_SLIP)).text
    except DamagedMaterial:
        text = ""
    who = _WHO.match(text.lstrip())
    originals = {match["name"].strip(): match["original"].strip() for match in _RENAMED.finditer(text)}
    return _Slip(who["name"].strip() if who else "", who["id"].strip() if who else "", originals)


def _claim(owner: str, time: str, owned: list[tuple[str, Material]], slip: _Slip | None) -> Claim:
    slip = slip or _Slip("", "", {})
    user = slip.id if slip.id and owner.endswith(f"_{slip.id}") else owner.rpartition("_")[2]
    full = f"{owner}_attempt_{time}_"
    files = tuple(Handed(slip.originals.get(full + name, name), file) for name, file in owned)
    date, clock = time[:10], time[11:].replace("-", ":")
    person = Person(user, slip.name or user, {"login": user})
    return Claim((person,), files, attempt=time, submitted_at=f"{date} {clock}")


LAYOUT = Layout("blackboard", _recognises, _claims)
