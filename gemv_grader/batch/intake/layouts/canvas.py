"""Canvas, "Download Submissions": one flat folder of ``<name>[_LATE]_<user id>_<attachment id>_<file name>``.

``name`` is "Last, First" in lower case without anything but word characters. Anonymous assignments have
``[LATE_]anon_<id>`` in its place; a text entry has no attachment id and ends in ``_text.html``.
"""

from __future__ import annotations

import re

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, share
from gemv_grader.batch.intake.model import Claim, Handed, Person
from gemv_grader.batch.intake.tree import Tree

_WHO = (
    r"(?:(?:(?P<anonymous_late>LATE)_)?anon_(?P<anonymous>[0-9A-Za-z]+)"
    r"|(?P<name>.+?)(?:_(?P<late>LATE))?_(?P<user>\d+))"
)
_UPLOAD = re.compile(rf"{_WHO}_(?P<attachment>\d+)_(?P<file>.+)")
_ENTRY = re.compile(rf"{_WHO}_(?P<file>(?:text|link)\.html)")


def _match(name: str) -> re.Match[str] | None:
    return _UPLOAD.fullmatch(name) or _ENTRY.fullmatch(name)


def _recognises(tree: Tree) -> float:
    return share(tree.top, lambda name: not tree.is_folder(name) and _match(name))


def _claims(tree: Tree) -> Claims:
    found: dict[tuple[str, bool], list[tuple[re.Match[str], Handed]]] = {}
    ignored = []
    for name, file in tree.loose.items():
        if match := _match(name):
            attachment = match.groupdict().get("attachment") or ""
            late = bool(match["late"] or match["anonymous_late"])
            found.setdefault((_found_as(match), late), []).append(
                (match, Handed(match["file"], file, attachment.zfill(20)))
            )
        else:
            ignored.append((file.name, FOREIGN))
    ignored += [(tree.prefix + name, FOREIGN) for name in tree.subfolders]
    claims = [_claim(found_as, late, uploads) for (found_as, late), uploads in found.items()]
    return Claims(tuple(claims), tuple(ignored))


def _found_as(match: re.Match[str]) -> str:
    return f"anon_{match['anonymous']}" if match["anonymous"] else f"{match['name']}_{match['user']}"


def _claim(found_as: str, late: bool, uploads: list[tuple[re.Match[str], Handed]]) -> Claim:
    match, _ = uploads[0]
    if match["anonymous"]:
        person = Person(found_as, found_as, {"canvas_anonymous": match["anonymous"]})
    else:
        person = Person(found_as, match["name"], {"canvas_id": match["user"]})
    files = tuple(file for _, file in uploads)
    return Claim((person,), files, attempt=max(file.order for file in files), late=late)


LAYOUT = Layout("canvas", _recognises, _claims)
