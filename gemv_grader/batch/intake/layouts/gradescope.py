"""Gradescope, "Export Submissions": ``submission_<id>/`` folders and a ``submission_metadata.yml`` that says whose.

The YAML has Ruby's ``:symbol`` keys and may have Ruby's tags. A submission of a group has several submitters.
"""

from __future__ import annotations

import re
from typing import Any

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, handed, share
from gemv_grader.batch.intake.layouts.ruby_yaml import UnreadableYaml, read_plain
from gemv_grader.batch.intake.model import Claim, Ignored, Person
from gemv_grader.batch.intake.tree import Tree
from gemv_grader.words import Text

METADATA = "submission_metadata.yml"
_MAX_METADATA = 256 << 20
_FOLDER = re.compile(r"submission_(?P<id>\d+)")


def _recognises(tree: Tree) -> float:
    folders = share(tree.subfolders, _FOLDER.fullmatch)
    return 1.0 if METADATA in tree.loose and (folders or not tree.subfolders) else folders * 0.9


def _claims(tree: Tree) -> Claims:
    metadata, ignored = _metadata(tree)
    claims = []
    for name in dict.fromkeys([*tree.subfolders, *metadata]):
        if not tree.is_folder(name):
            if _FOLDER.fullmatch(name):
                claims.append(_claim(name, metadata[name], None, tree))
            continue
        if match := _FOLDER.fullmatch(name):
            claims.append(_claim(name, metadata.get(name), match, tree))
        else:
            ignored.append((tree.prefix + name, FOREIGN))
    ignored += [(file.name, FOREIGN) for name, file in tree.loose.items() if name != METADATA]
    return Claims(tuple(claims), tuple(ignored))


def _metadata(tree: Tree) -> tuple[dict[str, Any], list[Ignored]]:
    """What the metadata file says of each folder; nothing, with the reason, if it is missing or broken."""
    file = tree.loose.get(METADATA)
    if file is None:
        return {}, [(tree.prefix + METADATA, MISSING)]
    try:
        document = read_plain(file.read(_MAX_METADATA))
    except UnreadableYaml as problem:
        return {}, [(file.name, BROKEN.format(reason=problem))]
    return (document, []) if isinstance(document, dict) else ({}, [(file.name, BROKEN.format(reason="?"))])


def _claim(name: str, about: object, match: re.Match[str] | None, tree: Tree) -> Claim:
    about = about if isinstance(about, dict) else {}
    submission = match["id"] if match else name.rpartition("_")[2]
    submitters = about.get(":submitters")
    people = [_person(who, submission) for who in submitters if isinstance(who, dict)] if submitters else []
    people = people or [Person(name, name, {"gradescope_submission": submission})]
    created = _text(about.get(":created_at")) or None
    inner = tree.below(name) if match else None
    files = handed(inner, inner.files) if inner else ()
    return Claim(tuple(people), files, attempt=created or submission.zfill(20), submitted_at=created)


def _person(who: dict[str, Any], submission: str) -> Person:
    name, sid, email = (_text(who.get(key)) for key in (":name", ":sid", ":email"))
    ids = {"gradescope_submission": submission, "student_id": sid, "email": email}
    return Person(email or sid or name, name or email or sid, {kind: value for kind, value in ids.items() if value})


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


LAYOUT = Layout("gradescope", _recognises, _claims)

MISSING = Text(
    zh="没有这个文件，无法知道各文件夹是谁的",
    en="is not there, so there is no telling whose the folders are",
)
BROKEN = Text(
    zh="读不懂（{reason}），无法知道各文件夹是谁的",
    en="cannot be read ({reason}), so there is no telling whose the folders are",
)
