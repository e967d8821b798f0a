"""A small class in a folder of grades, as a batch leaves it, for the tests of pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from trails import ANSWERS, RIGHT, by_thread, compiled, filled, handed_in, run, with_answers

from gemv_grader.batch.folder import Folder
from gemv_grader.batch.ledger import STAMP, read_ledger
from gemv_grader.batch.pages import Pages, write_pages
from gemv_grader.batch.source import sources
from gemv_grader.build.compilation import NO_SPACE
from gemv_grader.build.nvcc import NOT_FOUND
from gemv_grader.grade import grade
from gemv_grader.marks import NO_MARKS, ItemMark, digest
from gemv_grader.prose.reading import Copied, Passage, Reading
from gemv_grader.report.json_report import as_dict
from gemv_grader.trail import Trail
from gemv_grader.words import Lang, Text

Json = dict[str, Any]

SCRIPT = "<script>alert(1)</script>"
ODD = "a#b%41&d'e 丙"
Q1 = (
    "Lanes next to each other read columns next to each other, so that loads coalesce; "
    "x never moves where i<N && N>&lt; 0.\u202e"
)
SHARED = (
    "Every lane of the warp asks for the neighbour of what the lane before it asks for, which the memory hands over "
    "in one go instead of thirty-two. Afterwards the partial results of the lanes are added up by shuffles, and only "
    "the first of them writes what came out, because there is no more than one cell of y for the whole block."
)


def reading(text: str) -> Reading:
    """A reading of `Q1` that found one link and one wrong passage; the two overlap."""

    def passage(id_: str, title: Text, words: str) -> Passage:
        start = text.index(words)
        return Passage(id_, title, start, start + len(words), start, start + len(words), words)

    return Reading(
        points=1.5,
        likeness=1.25,
        found=(
            passage("c", Text("相邻 → 合并", "neighbours -> coalesced"), "columns next to each other, so that loads"),
        ),
        named={"boundaries": (), "tradeoffs": ()},
        missing=(Text("归约", "sums -> reduction"),),
        wrong=(passage("w", Text("x 不动", "x stays"), "loads coalesce; x never"),),
        vetoes=("wrong_causal_chain",),
        flags=("terms_only",),
        copied=Copied(0.62, passage("copy", Text("雷同", "copied"), "columns next to each other")),
    )


def trails() -> dict[str, Trail]:
    """A trail for each key."""
    right = run(compiled(filled(RIGHT)))
    answers, shared = (ANSWERS.replace("B\n", f"{text}\n") for text in (Q1, SHARED))
    return {
        "ada": replace(with_answers(right, answers), readings={"q1": reading(Q1)}),
        "bob": with_answers(
            run(compiled(filled("row_A[tid] * x[tid]")), by_thread),
            shared.replace("static review only", "I ran it on my <b>RTX 3060</b>"),
        ),
        "cid": handed_in(filled(RIGHT).submission.text.replace("if (row >= M) return;", "")),
        "dan": replace(filled("row_A[col] * x[tid]"), gpu_at_hand=False, unbuilt=NOT_FOUND),
        "eve": replace(filled(RIGHT), fault=NO_SPACE.format(reason="/tmp is full")),
        "fay": compiled(filled("row_a[\n  col] * x[col]"), ('identifier "row_a" is undefined', 0)),
        "gil": with_answers(right, shared.replace("cell", "slot")),
        "hal": filled("row_A[col] * x[col] /* \u202e */"),
        ODD: right,
    }


def store(folder: Path, lang: Lang, keys: tuple[str, ...] = ()) -> Folder:
    """The class, or some of it, graded and stored; Ada's answer has been marked by a person."""
    kept = Folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (source,) = sources("03_gemv", None)
    kept.keep_course((source,))
    for key, trail in trails().items():
        if not keys or key in keys:
            put(kept, key, as_dict(grade(replace(trail, environment={"python": "3.12.1"})), lang))
    if not keys or "ada" in keys:
        mark = ItemMark("Prof. Li", "2024-03-01T10:00:00+00:00", 2.0, 1.5, digest(Q1), "Right, <b>but</b> say why.")
        kept.store.put_marks("ada", NO_MARKS.with_item("q1", mark))
    return kept


def put(folder: Folder, key: str, document: Json) -> None:
    """Store one grade, without what changes with every edit of the scaffold or the rubric."""
    document["submission"]["sha256"] = document["rubric_sha256"] = "0" * 64
    document["tool_version"] = "1.0"
    note = {"program_file": "", "answers_file": "", "exercise_sha256": "", "program_sha256": None}
    name = SCRIPT if key == ODD else key.title()
    student: Json = {
        "name": name,
        "ids": {"id": f"{sum(map(ord, key)):06}"},
        "group": [],
        "submitted_at": None,
        "late": False,
    }
    folder.store.put(key, {**document, STAMP: note}, student, durable=False)


def draw(folder: Folder, lang: Lang, jobs: int = 1) -> Pages:
    """Write the pages that are due."""
    return write_pages(folder, read_ledger(folder.store), lang, jobs)
