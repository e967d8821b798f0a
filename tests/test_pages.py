"""Pages of students and of a class: beside golden files, and whatever students write. See also test_pages_browser."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from classes import batch, command, hand_in
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from paged import ODD, SCRIPT, draw, put, store, trails

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import read_ledger
from gemv_grader.batch.store import GradeStore
from gemv_grader.grade import grade
from gemv_grader.marks import NO_MARKS, ItemMark
from gemv_grader.report.json_report import as_dict
from gemv_grader.report.pages.class_page import page as page_of_class
from gemv_grader.report.pages.code import marked
from gemv_grader.report.pages.engine import address, render
from gemv_grader.report.pages.likeness import candidates, sketch
from gemv_grader.report.pages.quotes import highlighted
from gemv_grader.words import Lang

Golden = Callable[[str, str], None]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_pages(lang: Lang, tmp_path: Path, golden: Golden) -> None:
    folder = store(tmp_path, lang)
    assert draw(folder, lang).failed == {}
    for key in ("ada", "bob", "cid", "dan"):
        golden(f"pages/{key}.{lang}.html", _without_style(tmp_path / key / "page.html"))
    golden(f"pages/class.{lang}.html", _without_style(tmp_path / "class.html"))


def test_a_page_needs_nothing_else_and_runs_nothing(tmp_path: Path) -> None:
    draw(store(tmp_path, "en"), "en")
    pages = [tmp_path / "class.html", *tmp_path.glob("*/page.html")]
    assert len(pages) == 10
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"<script|<link|<img|<iframe|@import| on\w+=|javascript:|https?:| style=", text) == []
        assert re.findall(r"url\((?!#hatch\))", text) == []
        assert "default-src 'none'" in html.unescape(text)


def test_what_students_write_is_text(tmp_path: Path) -> None:
    draw(store(tmp_path, "en"), "en")
    page = (tmp_path / ODD / "page.html").read_text(encoding="utf-8")
    assert f"<h1>{html.escape(SCRIPT)}</h1>" in page
    assert " moves where i&lt;N &amp;&amp; N&gt;&amp;lt; 0.\\u{202e}" in (tmp_path / "ada" / "page.html").read_text(
        encoding="utf-8"
    )
    assert "\u202e" not in (tmp_path / "hal" / "page.html").read_text(encoding="utf-8")


def test_links_lead_to_the_pages_of_odd_keys(tmp_path: Path) -> None:
    draw(store(tmp_path, "zh"), "zh")
    links = set(re.findall(r'href="([^"]+)"', (tmp_path / "class.html").read_text(encoding="utf-8")))
    assert {unquote(html.unescape(link)) for link in links} == {f"{key}/page.html" for key in trails()}
    assert all((tmp_path / unquote(html.unescape(link))).is_file() for link in links)


@given(st.text(min_size=1))
def test_an_address_is_plain_and_leads_back(key: str) -> None:
    assert re.fullmatch(r"[\w.~%-]+", address(key), re.ASCII)
    assert unquote(address(key), errors="surrogatepass") == key


def test_nothing_changed_writes_nothing_and_a_mark_writes_one_page(tmp_path: Path) -> None:
    folder = store(tmp_path, "en")
    assert draw(folder, "en").written == 9
    before = _stamps(tmp_path)
    assert draw(folder, "en").written == 0
    assert _stamps(tmp_path) == before
    folder.store.put_marks("bob", NO_MARKS.with_item("q1", ItemMark("me", "now", 2.0, 0.0, None, "Well said.")))
    assert draw(folder, "en").written == 1
    changed = {name for name, stamp in _stamps(tmp_path).items() if stamp != before.get(name)}
    assert changed == {"bob/page.html", "class.html"}
    assert "Well said." in (tmp_path / "bob" / "page.html").read_text(encoding="utf-8")


def test_a_class_page_that_is_missing_comes_back(tmp_path: Path) -> None:
    folder = store(tmp_path, "en", ("ada", "bob"))
    draw(folder, "en")
    (tmp_path / "class.html").unlink()
    assert draw(folder, "en").written == 0
    assert (tmp_path / "class.html").is_file()


def test_a_page_that_cannot_be_made_costs_no_other(tmp_path: Path) -> None:
    folder = store(tmp_path, "en")
    record = folder.store.get("bob")
    assert record is not None
    del record.grade["findings"]
    folder.store.put("bob", record.grade, record.student)
    done = draw(folder, "en")
    assert done.exit_code == 5
    assert done.failed is not None
    assert {key: "KeyError" in why for key, why in done.failed.items()} == {"bob": True}
    assert done.written == 8
    assert "bob/page.html" not in (tmp_path / "class.html").read_text(encoding="utf-8")


def test_processes_draw_what_one_draws(tmp_path: Path) -> None:
    document = as_dict(grade(trails()["bob"]), "en")
    pages = []
    for name, jobs in (("alone", 0), ("together", 2)):
        folder = store(tmp_path / name, "en", ("ada",))
        for number in range(70):
            put(folder, f"s{number}", dict(document))
            if not jobs and number == 35:
                draw(folder, "en")
        draw(folder, "en", jobs or 1)
        pages.append({str(p.relative_to(folder.path)): p.read_bytes() for p in folder.path.glob("**/*.html")})
    assert len(pages[0]) == 72
    assert pages[0] == pages[1]


@pytest.mark.parametrize("keys", [("eve",), ("ada",)])
def test_a_class_of_one(keys: tuple[str, ...], tmp_path: Path) -> None:
    assert draw(store(tmp_path, "zh", keys), "zh").written == 1
    assert f"{keys[0]}/page.html" in (tmp_path / "class.html").read_text(encoding="utf-8")


def test_a_class_of_none() -> None:
    assert "There are no grades yet." in page_of_class((), "en").decode()


def test_a_misspelt_name_in_a_template_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("class.html", object(), "en")


def test_batch_and_pages_write_them(tmp_path: Path) -> None:
    source, out = hand_in(tmp_path / "in", {"ada": "row_A[col] * x[col]"}), tmp_path / "out"
    nowhere = {"NVCC": "/nonexistent/nvcc"}
    assert batch(source, out, "--no-pages", **nowhere).code == 1
    assert not list(out.glob("**/*.html"))
    told = command("pages", out, "--lang", "en")
    assert (told.code, "class.html" in told.out) == (0, True)
    made = _stamps(out)
    assert set(made) == {"ada/page.html", "class.html"}
    assert batch(source, out, **nowhere).code == 1
    assert _stamps(out) == made
    (out / "ada" / "page.html").unlink()
    assert batch(source, out, **nowhere).code == 1
    assert (out / "ada" / "page.html").is_file()
    assert command("pages", tmp_path / "in", "--lang", "en").code == 2


Spans = st.lists(st.tuples(st.integers(-2, 40), st.integers(-2, 40)).map(lambda at: {"from": at[0], "to": at[1]}))


@given(st.text(max_size=30), Spans, Spans)
def test_highlighting_loses_no_word(text: str, found: list[dict[str, int]], wrong: list[dict[str, int]]) -> None:
    assert "".join(words.text for words in highlighted(text, found, wrong)) == text


Places = st.lists(
    st.tuples(st.sampled_from(["error", "warning", "info"]), st.none() | st.integers(1, 9), st.integers(1, 9)).map(
        lambda at: {"severity": at[0], "line": at[1], "column": at[2], "message": "m"}
    )
)


@given(st.text("ab (\n*", min_size=1, max_size=20), Places)
def test_marking_findings_loses_no_code(source: str, findings: list[dict[str, object]]) -> None:
    stretches, notes = marked({"text": "t", "source": source, "line": 3, "column": 4}, findings)
    assert "".join(stretch.text for stretch in stretches) == source
    numbers = [number for stretch in stretches for number in stretch.numbers]
    assert sorted(numbers) == sorted(note.number for note in notes if note.number)
    assert len(notes) == len(findings)


def test_a_finding_is_marked_at_its_token() -> None:
    finding = {"severity": "warning", "line": 4, "column": 3, "message": "m"}
    stretches, _ = marked({"text": "t", "source": "a *\n  bc + d", "line": 3, "column": 20}, [finding])
    assert [(stretch.text, stretch.numbers) for stretch in stretches] == [("a *\n  ", ()), ("bc", (1,)), (" + d", ())]


def test_copies_are_candidates_and_honest_answers_are_not() -> None:
    rng = random.Random(7)  # noqa: S311 - the same each time
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(300)]
    answers = {f"s{i}": " ".join(rng.choices(words, k=60)) for i in range(40)}
    answers["copy"] = " ".join(word if i % 9 else "thing" for i, word in enumerate(answers["s3"].split()))
    answers["same"] = answers["s5"].upper()
    found = candidates({key: sketch(text) for key, text in answers.items()})
    assert sorted(sorted(key for keys in group for key in keys) for group in found) == [["copy", "s3"], ["s5", "same"]]


def test_a_damaged_grade_has_no_page(tmp_path: Path) -> None:
    folder = store(tmp_path, "en", ("ada", "bob"))
    (tmp_path / "bob" / "grade.json").write_text("{")
    assert draw(folder, "en").written == 1
    assert read_ledger(GradeStore(tmp_path)).keys() == {"ada"}
    assert not (tmp_path / "bob" / "page.html").exists()


def _without_style(path: Path) -> str:
    """A page without its style sheet, and without the digest of it."""
    text = re.sub(r"(?s)<style>.*?</style>", "<style></style>", path.read_text(encoding="utf-8"))
    return re.sub(r"sha256-[^&]+", "sha256-", text)


def _stamps(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.glob("**/*.html")}


def test_the_folder_has_a_name_for_each_page(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a key"):
        Folder(tmp_path).store.folder("class.html")
