"""GitHub Classroom, ``gh classroom clone student-repos``: ``<slug>-submissions/<slug>-<user>`` clones."""

from __future__ import annotations

from gemv_grader.batch.intake.layouts.layout import FOREIGN, Claims, Layout, handed
from gemv_grader.batch.intake.model import Claim, Person
from gemv_grader.batch.intake.tree import Tree

_SUBMISSIONS = "-submissions"


def _recognises(tree: Tree) -> float:
    if not tree.subfolders:
        return 0.0
    clones = sum(map(tree.is_clone, tree.subfolders)) / len(tree.top)
    if tree.name.endswith(_SUBMISSIONS):  # the clones may have been copied without their .git
        slug = tree.name.removesuffix(_SUBMISSIONS)
        named = sum(name.startswith(f"{slug}-") for name in tree.subfolders) / len(tree.top)
        return max(clones, named)
    return clones


def _claims(tree: Tree) -> Claims:
    slug = _slug(tree)
    claims = []
    for name in tree.subfolders:
        user = name.removeprefix(slug) or name
        inner = tree.below(name)
        claims.append(Claim((Person(user, user, {"github": user} if slug else {}),), handed(inner, inner.files)))
    return Claims(tuple(claims), tuple((file.name, FOREIGN) for file in tree.loose.values()))


def _slug(tree: Tree) -> str:
    """What all repositories' names begin with, up to a hyphen: users' names may hold hyphens, too."""
    slug = f"{tree.name.removesuffix(_SUBMISSIONS)}-"
    if tree.name.endswith(_SUBMISSIONS) and all(name.startswith(slug) for name in tree.subfolders):
        return slug
    if len(tree.subfolders) < 2:
        return ""
    first, last = min(tree.subfolders), max(tree.subfolders)
    common = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[: first.rfind("-", 0, common) + 1]


LAYOUT = Layout("classroom", _recognises, _claims)
