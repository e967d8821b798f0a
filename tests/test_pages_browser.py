"""The pages in a real Chromium: nothing runs, nothing is asked for, nothing hangs over the edge, and they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import NAMES, Page, chromium, find_chromium
from paged import ODD, SCRIPT, draw, store, trails

pytestmark = pytest.mark.skipif(find_chromium() is None, reason=f"no Chromium: none of {', '.join(NAMES)} is on PATH")

KEYS = tuple(trails())
OVER_THE_EDGE = """[...document.querySelectorAll("main *")].filter(element => !element.closest(".scroll")
    && element.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(each => each.outerHTML)"""
UNTITLED = "[...document.querySelectorAll('svg.bar')].filter(each => !each.querySelector('title').textContent).length"
UNSEEN = "[...document.querySelectorAll('details *')].filter(each => !each.getBoundingClientRect().height).length"
CONTRASTS = """(() => {
    const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(v => v / 255).map(
        v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
        if (!c.startsWith("rgba(0, 0, 0, 0")) return c; } };
    return [...document.querySelectorAll("main *")].filter(e => [...e.childNodes].some(
        n => n.nodeType === 3 && n.data.trim()) && !e.closest("svg")).map(e => {
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
        return [(a + 0.05) / (b + 0.05), e.outerHTML.slice(0, 200)]; }).filter(([ratio]) => ratio < 4.5);
})()"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with chromium() as page:
        yield page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("grades")
    assert draw(store(path, "zh"), "zh").failed == {}
    return path


@pytest.fixture
def pages(folder: Path) -> list[Path]:
    return [folder / "class.html", *(folder / key / "page.html" for key in KEYS)]


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_page_is_quiet_and_fits(width: int, dark: bool, pages: list[Path], browser: Page) -> None:
    for path in pages:
        browser.open(path, width, dark=dark)
        assert browser.complaints == []
        browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert browser.ask("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path
        assert browser.ask(OVER_THE_EDGE) == [], path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(dark: bool, pages: list[Path], browser: Page) -> None:
    for path in pages:
        browser.open(path, dark=dark)
        assert browser.ask(CONTRASTS) == [], path


def test_both_colour_schemes_are_there(folder: Path, browser: Page) -> None:
    seen = []
    for dark in (False, True):
        browser.open(folder / "class.html", dark=dark)
        seen.append(browser.ask("getComputedStyle(document.body).backgroundColor"))
    assert seen[0] == "rgb(255, 255, 255)"
    assert max(map(int, re.findall(r"\d+", seen[1]))) < 64


def test_a_name_with_a_script_is_text(folder: Path, browser: Page) -> None:
    browser.open(folder / ODD / "page.html")
    assert browser.ask("document.querySelector('h1').textContent") == SCRIPT
    assert browser.ask("document.title").startswith(SCRIPT)
    browser.open(folder / "class.html")
    links = browser.ask("[...document.querySelectorAll('a')].map(each => each.textContent)")
    assert SCRIPT in links
    assert browser.ask("document.scripts.length") == 0


def test_a_script_would_be_stopped(folder: Path, tmp_path: Path, browser: Page) -> None:
    spoiled = (folder / "class.html").read_text(encoding="utf-8")
    (tmp_path / "spoiled.html").write_text(spoiled.replace("</main>", "<script>document.title='ran'</script></main>"))
    browser.open(tmp_path / "spoiled.html")
    assert browser.ask("document.title") != "ran"
    assert browser.complaints


def test_links_lead_to_each_student_and_back(folder: Path, browser: Page) -> None:
    browser.open(folder / "class.html")
    links = set(browser.ask("[...document.querySelectorAll('a')].map(each => each.href)"))
    assert links == {(folder / key / "page.html").absolute().as_uri() for key in KEYS}
    for key in KEYS:
        browser.open(folder / key / "page.html")
        assert browser.ask("document.querySelector('nav a').href") == (folder / "class.html").absolute().as_uri()


def test_it_is_said_which_language_it_is_and_what_a_chart_shows(pages: list[Path], browser: Page) -> None:
    for path in pages:
        browser.open(path)
        assert browser.ask("document.documentElement.lang") == "zh-CN"
        assert browser.ask(UNTITLED) == 0
        assert browser.ask("[...document.querySelectorAll('th')].every(each => each.scope)")


def test_it_prints_with_all_that_is_folded_away(folder: Path, browser: Page) -> None:
    browser.open(folder / "bob" / "page.html", 700, media="print")
    assert browser.ask("document.querySelectorAll('details').length") > 0
    assert browser.ask(UNSEEN) == 0
    assert browser.pdf().startswith(b"%PDF-")
