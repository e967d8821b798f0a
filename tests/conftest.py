"""Marks that need hardware skip with the reason why it is not there; `--update-golden` accepts new reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gemv_grader.build import find_nvcc
from gemv_grader.run.presence import why_no_gpu
from gemv_grader.words import Text

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew instead of comparing")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark, why_not in (("gpu", why_no_gpu), ("nvcc", _why_no_nvcc)):
        if item.get_closest_marker(mark) and (reason := why_not()):
            pytest.skip(reason.en)


@cache
def _why_no_nvcc() -> Text | None:
    found = find_nvcc()
    return found if isinstance(found, Text) else None


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """``golden(name, text)``: the text must be what ``golden/name`` holds."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no {path}: run pytest --update-golden once, and read what it wrote"
        assert text == path.read_text(encoding="utf-8")

    return compare
