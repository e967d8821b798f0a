"""Program and answers out of what students really hand in: notebooks, Quarto documents, plain texts, web pages."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemv_grader.exercise import load_exercise
from gemv_grader.lock import Fill, lock
from gemv_grader.materials import answers_of, holds_program, is_document, program_of
from gemv_grader.pipeline import Request, submit
from gemv_grader.prose import parse_answers
from gemv_grader.run.device import open_device
from gemv_grader.words import Verdict

EXERCISE = load_exercise("03_gemv")
SOLVED = EXERCISE.scaffold.replace("______", "row_A[col] * x[col]")
MAGIC = "%%writefile /tmp/03_gemv.cu\n"

# A page of the course: the task, the questions with room for answers, and what comes after them.
PAGE = [
    ("text", "# 第 3 课：GEMV 与行级并行\n\n## 实践任务：唯一代码填空题\n\n只能修改 `______` 所在位置。"),
    ("code", MAGIC + SOLVED),
    ("text", "## 检查方法"),
    ("code", "!nvcc -std=c++17 -c /tmp/03_gemv.cu -o /tmp/03_gemv.cu.o"),
    ("text", "### Q1\n\n不要背定义：请从三个阶段解释工作机制。\n\n你的答案：因为一行给一个 block，\n所以访存合并。"),
    ("text", "### Q2\n\n瓶颈有何不同？\n\n**你的答案：**\n\n#### 我的看法\n\n线程一行则不合并。"),
    ("text", "### Q3\n\n何时应转向 GEMM？\n\n你的答案：\n"),
    ("text", "## 评分与通过规则\n\n代码 4 分；Q1～Q3 各 2 分。"),
    ("text", "## 💡 参考答案（仅 answer 分支）"),
    ("code", MAGIC + EXERCISE.scaffold.replace("______", "0.0f")),
    ("text", "### Q1 参考答案\n\n输入状态：全局显存。\n\n### Q3 参考答案\n\n算术强度。"),
    ("text", "## 参考资料"),
]


def notebook(cells: list[tuple[str, str]] = PAGE, version: int = 4) -> bytes:
    listed = [_cell(kind, text, "source" if version == 4 or kind == "text" else "input") for kind, text in cells]
    content = {"cells": listed} if version == 4 else {"worksheets": [{"cells": listed}]}
    return json.dumps({"nbformat": version, "nbformat_minor": 0, "metadata": {}, **content}).encode()


def _cell(kind: str, text: str, source: str) -> dict[str, object]:
    shared = {"metadata": {}, source: text.splitlines(keepends=True)}
    if kind == "text":
        return {"cell_type": "markdown", **shared}
    return {"cell_type": "code", "outputs": [], "execution_count": 1, **shared}


def document(cells: list[tuple[str, str]] = PAGE, fence: str = "```{python}") -> bytes:
    return "\n\n".join(text if kind == "text" else f"{fence}\n{text}\n```" for kind, text in cells).encode()


DOCUMENTS = {
    "lesson.ipynb": notebook(),
    "lesson_v3.ipynb": notebook(version=3),
    "lesson.qmd": document(),
    "lesson.md": document(fence="```"),
    "lesson_gbk.md": document().decode().replace("💡", "").encode("gb18030"),
    "options.qmd": document([("text", ""), ("code", "#| eval: false\n#| label: fill\n\n" + MAGIC + SOLVED), *PAGE[4:]]),
    "no_magic.qmd": document([("code", SOLVED), *PAGE[3:8]], fence="```cpp"),
    "quoted.ipynb": notebook([("code", f'%%writefile "my file.cu"\n{SOLVED}'), *PAGE[3:]]),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_program_of_a_document_passes_the_lock(name: str) -> None:
    submission = program_of(name, DOCUMENTS[name], "ada")
    assert submission.refusal is None
    locked = lock(submission, EXERCISE)
    assert isinstance(locked, Fill)
    assert locked.text == "row_A [ col ] * x [ col ]"


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if not name.startswith("no_magic")])
def test_the_answers_of_a_document_are_the_students_own_words(name: str) -> None:
    sections = parse_answers(answers_of(name, DOCUMENTS[name]), EXERCISE).sections
    assert sections["q1"] == "因为一行给一个 block，\n所以访存合并。"
    assert sections["q2"] == "#### 我的看法\n\n线程一行则不合并。"
    assert not sections["q3"]


def test_lines_keep_their_numbers_in_a_document() -> None:
    data = document()
    fill = lock(program_of("lesson.qmd", data, "ada"), EXERCISE)
    assert isinstance(fill, Fill)
    assert data.decode().splitlines()[fill.place.line - 1][fill.place.column - 1 :].startswith("row_A[col]")


def test_lines_of_a_notebook_count_within_the_cell_and_say_so() -> None:
    submission = program_of("lesson.ipynb", notebook(), "ada")
    fill = lock(submission, EXERCISE)
    assert isinstance(fill, Fill)
    assert PAGE[1][1].splitlines()[fill.place.line - 1][fill.place.column - 1 :].startswith("row_A[col]")
    assert [finding.id for finding in submission.findings] == ["notebook_cell"]
    assert "cell 2" in submission.findings[0].message.en


def test_the_last_cell_that_writes_the_file_wins() -> None:
    cells = [("code", MAGIC + EXERCISE.scaffold), ("code", MAGIC + SOLVED)]
    locked = lock(program_of("a.ipynb", notebook(cells), "ada"), EXERCISE)
    assert isinstance(locked, Fill)
    assert locked.attempted


def test_cells_that_append_are_joined() -> None:
    half = len(SOLVED.splitlines()) // 2
    first, second = SOLVED.splitlines()[:half], SOLVED.splitlines()[half:]
    cells = [("code", MAGIC + "\n".join(first)), ("code", "%%writefile -a /tmp/03_gemv.cu\n" + "\n".join(second))]
    for name, data in (("a.ipynb", notebook(cells)), ("a.qmd", document(cells))):
        assert isinstance(lock(program_of(name, data, "ada"), EXERCISE), Fill)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (notebook([("text", "# Q1")]), "no `%%writefile"),
        (notebook([("code", f"%%writefile {n}.cu\n{SOLVED}") for n in "ab"]), "several .cu files (a.cu, b.cu)"),
        (notebook()[:2000], "not a whole Jupyter notebook"),
        (b'{"cells": 7, "nbformat": 4}', "not a whole Jupyter notebook"),
        (b'{"nbformat": "x"}', "not a whole Jupyter notebook"),
        (b'{"cells": [], "nbformat": 4}', "not a whole Jupyter notebook"),
        (b'{"worksheets": [], "nbformat": 3}', "not a whole Jupyter notebook"),
        (
            b'{"cells": [{"cell_type": "code", "source": 7}], "metadata": {}, "nbformat": 4}',
            "not a whole Jupyter notebook",
        ),
        (b"[" * 100_000, "not a whole Jupyter notebook"),
        (b"", "not a whole Jupyter notebook"),
    ],
)
def test_a_document_without_a_program_is_refused_with_the_reason(data: bytes, said: str) -> None:
    refusal = program_of("a.ipynb", data, "ada").refusal
    assert refusal is not None
    assert said in refusal.en
    assert answers_of("a.ipynb", b"{") == ""


def test_a_helper_header_is_not_the_program() -> None:
    cells = [
        ("code", "%%writefile util.cuh\n#define X 1\n"),
        ("code", MAGIC + SOLVED),
        ("code", "%%writefile a.py\nx\n"),
    ]
    assert program_of("a.ipynb", notebook(cells), "ada").refusal is None


def test_which_files_may_hold_a_program() -> None:
    assert is_document("A.IPYNB")
    assert not is_document("03_gemv.cu.txt")
    assert not holds_program("answers.md", (Path(EXERCISE.directory) / "answers.md").read_bytes())
    assert holds_program("lesson.md", document())


TYPED = """Q1：因为一行给一个 block。
所以合并。
Q2
一线程一行则不合并，见 Q1 中的说明。
第3题、批量大时。
代码解释:
当前列的乘积。
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("answers.txt", TYPED),
        ("answers.md", TYPED),
        ("answers.md", TYPED.replace("Q2\n", "**Q2**\n")),
        ("onlinetext.html", "".join(f"<p>{line}</p>" for line in TYPED.splitlines())),
        (
            "obrien_1_text.html",
            f"<html><head><title>Q1: x</title></head><body>{TYPED.replace(chr(10), '<br/>')}</body>",
        ),
        ("onlinetext.html", TYPED.replace("Q2\n", "<p><strong>Q2</strong></p>").replace("\n", "<br>&nbsp;")),
    ],
)
def test_questions_typed_as_plain_lines_are_found(name: str, text: str) -> None:
    sections = parse_answers(answers_of(name, text.encode()), EXERCISE).sections
    squeezed = {section: "".join(words.split()) for section, words in sections.items()}
    assert squeezed == {
        "q1": "因为一行给一个block。所以合并。",
        "q2": "一线程一行则不合并，见Q1中的说明。",
        "q3": "批量大时。",
        "explanation": "当前列的乘积。",
    }


def test_a_page_keeps_its_structure_and_loses_its_markup() -> None:
    html = "<script>alert(1)</script><h2>Q1</h2><p>a &lt; b</p><ul><li>one<li>two</ul><pre>x\n  y</pre>"
    assert answers_of("a.html", html.encode()) == "## Q1\n\na < b\n\n- one\n- two\n\nx\ny\n"


def test_submit_takes_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "ada.ipynb"
    path.write_bytes(notebook([("code", MAGIC + EXERCISE.scaffold), *PAGE[4:]]))
    with open_device("none") as device:
        grade = submit(Request(path), device)
    assert grade.verdict is Verdict.NOT_ATTEMPTED
    assert grade.trail.answers is not None
    assert grade.trail.answers.text("q1")


def test_answers_given_beside_a_notebook_go_before_its_own(tmp_path: Path) -> None:
    path, answers = tmp_path / "ada.ipynb", tmp_path / "answers.txt"
    path.write_bytes(notebook([("code", MAGIC + EXERCISE.scaffold), *PAGE[4:]]))
    answers.write_text("Q3: now", encoding="utf-8")
    with open_device("none") as device:
        grade = submit(Request(path, answers), device)
    assert grade.trail.answers is not None
    assert dict(grade.trail.answers.sections) == {"q3": "now"}


@given(st.sampled_from(["a.ipynb", "a.qmd", "a.html", "a.txt", "a.cu"]), st.binary() | st.text().map(str.encode))
def test_no_bytes_raise(name: str, data: bytes) -> None:
    program_of(name, data, "ada")
    answers_of(name, data)


HOSTILE = [
    *("# " + " " * 99_999 + "x", "Q1" + " " * 99_999 + "x", "%%writefile " + " " * 99_999, "你的答案" * 33_333),
    *("```" * 33_333, "```\n" * 33_333, "<a " * 33_333, "<" + "a" * 99_999, "<!--" * 33_333, "</" * 33_333),
    *("<![CDATA[" * 11_111, "<pre>" + " " * 99_999, "&" * 99_999, "<pre>" * 33_333),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_no_time(text: str) -> None:
    started = time.monotonic()
    for name in ("a.qmd", "a.html", "a.txt"):
        answers_of(name, text.encode())
    program_of("a.qmd", text.encode(), "ada")
    assert time.monotonic() - started < 5
