"""A TA reviews a class of thirty in a real terminal: accepts, changes, comments, undoes, quits, resumes, regrades."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from classes import batch, book, hand_in
from commands import ROOT, gemv_grade
from prose_grades import WRONG_CHAIN, all_marks, answered, class_of
from terminal import Terminal, gemv_grade_in_terminal
from trails import RIGHT

from gemv_grader.batch.store import GradeStore
from gemv_grader.marks import ItemMark, Marks
from gemv_grader.prose.labelled import load_labelled
from gemv_grader.standing import standing

STUDENTS = 30
FORM = """\
## 解释实现 / Explanation

{explanation}

## Q1

{q1}

## Q2

{q2}

## Q3

{q3}

## 运行输出 / Run output

仅静态审查
"""


def hand_in_answers(folder: Path) -> Path:
    """Thirty students with labelled answers, a few of them with the same."""
    labelled = load_labelled(ROOT / "solutions" / "03_gemv.labelled.yaml")
    texts: dict[str, list[str]] = {}
    for answer in labelled:
        texts.setdefault(answer.question, []).append(answer.answer)
    hand_in(folder, {f"student{n:02}": RIGHT for n in range(STUDENTS)})
    rng = random.Random(5)  # noqa: S311 - the same class each time
    for n in range(STUDENTS):
        given = {name: rng.choice(of) for name, of in texts.items()}
        (folder / f"student{n:02}" / "answers.md").write_text(FORM.format(**given), encoding="utf-8")
    return folder


def progress(screen: str) -> tuple[int, int]:
    """How many of how many students the screen says are decided."""
    found = re.search(r"(\d+)/(\d+) decided", screen)
    assert found, screen
    return int(found[1]), int(found[2])


def decide(terminal: Terminal, keys: str) -> str:
    """Press keys that decide, and wait until the screen counts it."""
    before = progress(terminal.text)
    terminal.send(keys)
    return terminal.see(lambda text: "decided" in text and progress(text) != before)


def bytes_of_marks(folder: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted(folder.glob("*/marks.json"))}


def explanations(folder: Path) -> dict[str, ItemMark]:
    return {k: marks.items["explanation"] for k, marks in all_marks(folder).items() if "explanation" in marks.items}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Submissions, and their grades."""
    home = tmp_path_factory.mktemp("class")
    source, out = hand_in_answers(home / "submissions"), home / "grades"
    batch(source, out, "--lang", "en")
    assert len(GradeStore(out).keys()) == STUDENTS
    return source, out


def test_a_class_of_thirty(graded: tuple[Path, Path], tmp_path: Path) -> None:
    source, out = graded
    review = ("review", out, "--lang", "en", "--author", "Ann")
    with gemv_grade_in_terminal(*review) as terminal:
        decides_and_takes_back(terminal, out)
        while progress(terminal.text)[0] < 20:
            decide(terminal, "\r")
        done = progress(terminal.text)
        terminal.send("q")
        assert terminal.ended() == 1, "most is still open"
    confirmed = {row["key"]: float(row["confirmed"]) for row in book(out)}
    assert confirmed == {r.key: standing(r.grade, r.marks).confirmed for r in GradeStore(out)}
    assert sum(confirmed.values()) > 0

    with gemv_grade_in_terminal(*review) as terminal:
        assert progress(terminal.see("decided")) == done
        goes_on(terminal, out)

    kept = bytes_of_marks(out)
    assert len(kept) == STUDENTS
    again = batch(source, out, "--lang", "en", *(word for key in kept for word in ("--rerun", key)))
    assert f"{STUDENTS} graded now" in again.out
    assert bytes_of_marks(out) == kept

    table = tmp_path / "marks.csv"
    assert gemv_grade("review", out, "--export", table).code == 0
    assert "0 marks set" in gemv_grade("review", out, "--import", table, "--lang", "en").out
    assert bytes_of_marks(out) == kept


def decides_and_takes_back(terminal: Terminal, out: Path) -> None:
    """Accepts, changes points, comments, and undoes it all."""
    screen = terminal.see(lambda text: "0/30 decided" in text and "▶" in text and "help" in text)
    assert "Code: explanation" in screen
    assert not re.search(r"student\d\d", screen), "names are hidden"
    suggested = re.search(r"◀ (\S+) ▶", screen)
    assert suggested

    decide(terminal, "\r")
    accepted = explanations(out)
    assert {(mark.kind, mark.points) for mark in accepted.values()} == {("confirmed", float(suggested[1]))}

    decide(terminal, "0.2\r")
    after = explanations(out)
    assert {mark.points for key, mark in after.items() if key not in accepted} == {0.2}
    assert {key: after[key] for key in accepted} == accepted

    before = bytes_of_marks(out)
    terminal.send("c")
    terminal.see("Esc leaves")
    terminal.send("看不懂 [b]?[/b]\r")
    terminal.see("saved comment")
    terminal.see("看不懂 [b]?[/b]")
    commented = {(mark.comment, mark.points, mark.author) for mark in explanations(out).values() if mark.comment}
    assert commented == {("看不懂 [b]?[/b]", None, "Ann")}

    terminal.send("u")
    terminal.see("taken back")
    assert {key for key, marks in all_marks(out).items() if marks != Marks()} == before.keys()
    assert explanations(out) == after
    decide(terminal, "u")
    assert explanations(out) == accepted
    decide(terminal, "u")
    assert all(marks == Marks() for marks in all_marks(out).values())
    terminal.send("u")
    terminal.see("nothing to take back")


def goes_on(terminal: Terminal, out: Path) -> None:
    """Accepts the rest of the question, raises a veto, and leaves with Ctrl-C."""
    while "Code: explanation" in terminal.text:
        decide(terminal, "a")
    assert len(explanations(out)) == STUDENTS
    terminal.send("\t\t\t")
    terminal.see("Decide")
    terminal.send("\r")
    terminal.see("choose with 1, 2")
    decide(terminal, "2\r")
    assert {veto.state for marks in all_marks(out).values() for veto in marks.vetoes.values()} == {"raised"}
    terminal.send("\x03")
    assert terminal.ended() == 1


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Terminal, Path]]:
    texts = {"ada": answered("[red]\x1b[31m\u202etext 甲乙丙", "b", veto="suspected"), "bob": answered("c" * 4000, "d")}
    folder = class_of(tmp_path / "grades", texts)
    with gemv_grade_in_terminal("review", folder, "--lang", "zh") as terminal:
        terminal.see("已定 0/2 人")
        yield terminal, folder


def test_what_a_student_wrote_is_shown_as_it_is(two: tuple[Terminal, Path]) -> None:
    terminal, _ = two
    terminal.send("/")
    terminal.see("查找")
    terminal.send("甲乙\r")
    screen = terminal.see(lambda text: "✓1[red]\\u{1b}[31m\\u{202e}text" in text)
    assert "ADA" not in screen
    terminal.send("n")
    terminal.see("ADA (ada)")


def test_vetoes_of_an_answer(two: tuple[Terminal, Path]) -> None:
    terminal, folder = two
    terminal.send("/")
    terminal.see("查找")
    terminal.send("ada\r")
    terminal.see("✓1[red]")
    terminal.send("v")
    terminal.see("▶ 1  [疑似]")
    terminal.send(" ")
    terminal.see("▶ 1  [成立]")
    assert all_marks(folder)["ada"].vetoes[WRONG_CHAIN].state == "raised"
    terminal.send("  ")
    terminal.see("▶ 1  [疑似]")
    terminal.send("q")
    terminal.see(lambda text: "空格切换" not in text)
    assert all_marks(folder)["ada"].vetoes == {}
    terminal.send("?")
    terminal.see("任意键返回")


def test_keys_in_one_burst_mean_what_they_mean_one_by_one(two: tuple[Terminal, Path]) -> None:
    terminal, folder = two
    terminal.send("/ada\rcquaint\r/bob\rcaqua\r1.5\r")
    terminal.see("已定 1/2 人")
    comments = {key: marks.items["q1"] for key, marks in all_marks(folder).items()}
    assert (comments["ada"].comment, comments["ada"].points) == ("quaint", None)
    assert (comments["bob"].comment, comments["bob"].points) == ("aqua", 1.5)


def test_damaged_marks_are_told(two: tuple[Terminal, Path]) -> None:
    terminal, folder = two
    for key in ("ada", "bob"):
        (folder / key / "marks.json").write_text("{")
    terminal.send("1\r")
    terminal.see("读不了")
    terminal.send("q")
    assert terminal.ended() == 1, "it waits for a person"
    assert "Traceback" not in terminal.text
    assert all((folder / key / "marks.json").read_text() == "{" for key in ("ada", "bob"))


def test_marks_of_another_reviewer_are_told(two: tuple[Terminal, Path]) -> None:
    terminal, folder = two
    path = folder.parent / "marks.csv"
    path.write_text("key,item,points\nada,q1,0\nbob,q1,0\n", encoding="utf-8")
    assert gemv_grade("review", folder, "--import", path, "--author", "Bob", "--lang", "en").code == 1
    terminal.send("2\r")
    terminal.see("刚被别人批过")
    terminal.see("Bob")
    assert {mark.author for marks in all_marks(folder).values() for mark in marks.items.values()} == {"Bob"}


def test_a_disk_that_refuses_is_no_end_of_the_review(two: tuple[Terminal, Path]) -> None:
    terminal, folder = two
    (folder / "ada" / ".marks.json.new").mkdir()
    (folder / "bob" / ".marks.json.new").mkdir()
    terminal.send("1\r")
    terminal.see("没有存下来")
    for key in ("ada", "bob"):
        (folder / key / ".marks.json.new").rmdir()
    terminal.send("1\r")
    terminal.see("已定 1/2 人")


def test_without_textual_it_says_what_to_install(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "grades", {"ada": answered("a", "b")})
    (tmp_path / "hidden" / "textual").mkdir(parents=True)
    (tmp_path / "hidden" / "textual" / "__init__.py").write_text("raise ModuleNotFoundError(name='textual')\n")
    path = f"{tmp_path / 'hidden'}:{ROOT}"
    with gemv_grade_in_terminal("review", folder, "--lang", "en", PYTHONPATH=path) as terminal:
        terminal.see("gemv-grade[review]")
        assert terminal.ended() == 2
