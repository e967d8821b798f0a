"""Every folder in ``layouts/``: an export as its platform writes it, and the table that intake must give.

``pytest --update-golden`` writes the tables anew: read them before committing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gemv_grader.batch.intake import take_in
from gemv_grader.batch.intake.model import Intake
from gemv_grader.report.intake_report import as_dict

LAYOUTS = sorted((Path(__file__).parent / "layouts").iterdir())
Golden = Callable[[str, str], None]


@pytest.fixture
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The export of a layout, with the parts that Git does not keep: empty folders and clones."""
    copy = tmp_path / "export"
    shutil.copytree(request.param / "export", copy)
    for keep in copy.rglob(".keep"):
        keep.unlink()
    for clone in copy.glob("*-submissions/*"):
        (clone / ".git").mkdir()
        (clone / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return copy


def taken(folder: Path, source: Path) -> Intake:
    roster = folder / "roster.csv"
    return take_in(source, roster if roster.exists() else None)


def table(found: Intake) -> str:
    return json.dumps(as_dict(found, "en"), ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize(("export", "folder"), [(f, f) for f in LAYOUTS], indirect=["export"], ids=lambda f: f.name)
def test_the_table_of_a_layout(export: Path, folder: Path, golden: Golden) -> None:
    golden(f"../layouts/{folder.name}/expected.json", table(taken(folder, export)))


@pytest.mark.parametrize(("export", "folder"), [(f, f) for f in LAYOUTS], indirect=["export"], ids=lambda f: f.name)
@pytest.mark.parametrize("pack", ["zip", "gztar", "zip in a folder", "tar in a folder"])
def test_an_archive_gives_the_same_table(export: Path, folder: Path, pack: str, tmp_path: Path) -> None:
    kind = {"zip": "zip", "gztar": "gztar", "zip in a folder": "zip", "tar in a folder": "tar"}[pack]
    outer = tmp_path / "packed"
    outer.mkdir()
    name = folder.name if pack == "zip" else "export"
    archive = Path(shutil.make_archive(str(outer / name), kind, export))
    found = taken(folder, outer if "folder" in pack else archive)
    assert json.loads(table(found)) == json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("export", "folder"), [(f, f) for f in LAYOUTS], indirect=["export"], ids=lambda f: f.name)
def test_every_program_can_be_read_from_an_archive(export: Path, folder: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), "gztar", export))
    for entry in taken(folder, archive).entries:
        for material in filter(None, (entry.program, entry.answers)):
            assert material.read(1 << 20) == (export / material.name).read_bytes()
            assert material.read(3) == (export / material.name).read_bytes()[:4]


@pytest.mark.parametrize("wrapper", ["zip", "tar"])
def test_one_more_folder_around_an_export_changes_nobody(tmp_path: Path, wrapper: str) -> None:
    outer = tmp_path / "downloads"
    shutil.copytree(LAYOUTS[0].parent / "canvas" / "export", outer / "hw3 submissions")
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), wrapper, outer))
    plain = take_in(outer / "hw3 submissions")
    for source in (outer, archive):
        found = take_in(source)
        assert found.students == plain.students
        assert [e.program and e.program.name for e in found.entries] == [
            e.program and f"hw3 submissions/{e.program.name}" for e in plain.entries
        ]
