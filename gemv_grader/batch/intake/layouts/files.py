"""One file for each student, named after them; answers beside it have the same name: ``ada.cu``, ``ada.answers.md``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, share
from gemv_grader.batch.intake.model import Claim, Handed, Material, Person
from gemv_grader.batch.intake.tree import Tree
from gemv_grader.materials import (
    DOCUMENTS,
    MAX_DOCUMENT_BYTES,
    holds_program,
    is_answers_name,
    is_program_name,
    is_receipt_name,
    receipt_stem,
    stem,
    suffix,
)
from gemv_grader.paths import list_exercises

_WORTH = 0.4
_ANSWERS = re.compile(r"[ ._-]*(?:answers?|答卷|答案)$", re.IGNORECASE)


def _recognises(tree: Tree) -> float:
    return _WORTH * share(tree.top, lambda name: not tree.is_folder(name) and _may_stand_here(name))


def _may_stand_here(name: str) -> bool:
    return is_program_name(name) or is_receipt_name(name)


def _claims(tree: Tree) -> Claims:
    claims = claims_of(tree, tree.loose)
    return Claims(claims.claims, (*claims.ignored, *((tree.prefix + name, FOREIGN) for name in tree.subfolders)))


def claims_of(tree: Tree, loose: Mapping[str, Material]) -> Claims:
    """A claim for each program among ``loose``; where there is one only, named like the exercise, the tree's name."""
    owners = {stem(name) for name, file in loose.items() if _is_owner(name, file)}
    if len(owners) == 1 and owners <= set(list_exercises()):
        files = tuple(Handed(name, file) for name, file in loose.items())
        return Claims((Claim((Person(tree.name, tree.name),), files),))
    found: dict[str, list[Handed]] = {}
    ignored = []
    for name, file in loose.items():
        own = receipt_stem(name) if is_receipt_name(name) else stem(name)
        owner = own if own in owners else _ANSWERS.sub("", own)
        if owner in owners and (is_program_name(name) or is_answers_name(name) or is_receipt_name(name)):
            found.setdefault(owner, []).append(Handed(name, file))
        else:
            ignored.append((file.name, FOREIGN))
    claims = tuple(Claim((Person(owner, owner),), tuple(files)) for owner, files in found.items())
    return Claims(claims, tuple(ignored))


def _is_owner(name: str, file: Material) -> bool:
    """Whether a file can be a submission by itself; of Markdown only what holds a program."""
    if not is_program_name(name):
        return False
    return suffix(name) not in DOCUMENTS or holds_program(name, file.read(MAX_DOCUMENT_BYTES))


LAYOUT = Layout("files", _recognises, _claims)
