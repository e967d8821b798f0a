"""One folder, or one archive, for each student; files that lie beside them are one student's each."""

from __future__ import annotations

from gemv_grader.batch.intake.archive import archive_suffix
from gemv_grader.batch.intake.layouts import files as files_layout
from gemv_grader.batch.intake.layouts.layout import Claims, Layout, handed, programs
from gemv_grader.batch.intake.model import Claim, Handed, Person
from gemv_grader.batch.intake.tree import Tree

# Less than what a platform's layout scores for half of the names.
_WORTH = 0.4


def _recognises(tree: Tree) -> float:
    """The share of folders that look like one student's: with one program. Several make it a folder of students."""
    counts = [programs(tree.top[name]) for name in tree.subfolders] + [1] * len(_archives(tree))
    likely = [1 / count for count in counts if count]
    return _WORTH * sum(likely) / max(1, len(likely))


def _claims(tree: Tree) -> Claims:
    claims = []
    for name in tree.subfolders:
        inner = tree.below(name)
        claims.append(Claim((Person(name, name),), handed(inner, inner.files)))
    archives = _archives(tree)
    for name, stem in archives.items():
        claims.append(Claim((Person(stem, stem),), (Handed(name, tree.loose[name]),)))
    loose = files_layout.claims_of(tree, {name: file for name, file in tree.loose.items() if name not in archives})
    return Claims((*claims, *loose.claims), loose.ignored)


def _archives(tree: Tree) -> dict[str, str]:
    """The archives directly below, with their names without the suffix."""
    suffixes = {name: archive_suffix(name) for name in tree.loose}
    return {name: name.removesuffix(name[-len(suffix) :]) for name, suffix in suffixes.items() if suffix}


LAYOUT = Layout("folders", _recognises, _claims)
