"""Makes up a class: files as students hand them in, most of them with programs that others have, too."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from gemv_grader.exercise import Exercise, load_exercise
from gemv_grader.mutants import load_mutants
from gemv_grader.prose.labelled import LabelledAnswer, load_labelled

ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "gb18030", "utf-16")
ENDS = ("\n", "\n", "\r\n")
COMMENTS = ("// 我的解答", "// my solution", "/* every thread takes its own columns */", "// 每个线程处理自己的列", "")
ANSWERS = Path(__file__).parent.parent / "solutions" / "03_gemv.labelled.yaml"
HEADINGS = {"explanation": "代码解释", "q1": "Q1", "q2": "Q2", "q3": "Q3"}


def make_class(folder: Path, students: int, programs: int, *, answers: bool, seed: int = 1) -> None:
    """Write ``students`` folders below ``folder`` with ``programs`` distinct programs; ``answers``: most have some."""
    rng = random.Random(seed)  # noqa: S311 - the same class each time
    exercise = load_exercise("03_gemv")
    fills = list(distinct_fills(exercise, programs))
    written = load_labelled(ANSWERS)
    for number in range(students):
        # A few programs are what most of a class hands in; each of the others is one student's or two.
        common = rng.random() < 0.7
        fill = fills[number] if number < programs else rng.choice(fills[:6] if common else fills)
        home = folder / f"{name_of(rng)}_{number:05d}"
        home.mkdir(parents=True)
        text = as_handed_in(exercise, fill, rng)
        (home / "03_gemv.cu").write_bytes(text.encode(rng.choice(ENCODINGS), "replace"))
        if answers and rng.random() < 0.8:
            (home / "answers.md").write_text(answers_of(written, rng), encoding="utf-8")


def answers_of(written: Sequence[LabelledAnswer], rng: random.Random) -> str:
    """A form filled in with answers that people wrote, one to each question."""
    chosen = {id_: rng.choice([each.answer for each in written if each.question == id_]) for id_ in HEADINGS}
    sections = [f"## {HEADINGS[id_]}\n\n{answer}\n" for id_, answer in chosen.items()]
    return "\n".join([*sections, "## 运行输出\n\n仅静态审查\n"])


def distinct_fills(exercise: Exercise, count: int) -> Iterator[str]:
    """Right and wrong fills, no two with the same tokens."""
    mutants = load_mutants(exercise)
    known = [fill.fill for fill in (*mutants.right, *mutants.wrong)]
    yield from known[:count]
    for number in range(count - len(known)):
        yield f"row_A[col] * x[col + {number + 1} - {number + 1}]"


def as_handed_in(exercise: Exercise, fill: str, rng: random.Random) -> str:
    """The scaffold with a fill, re-indented and commented as students and their editors do."""
    spaced = fill if rng.random() < 0.5 else fill.replace(" ", "  ")
    indent = rng.choice(("    ", "  ", "\t"))
    lines = exercise.scaffold.replace(exercise.blank.marker, spaced).split("\n")
    lines = [line.replace("    ", indent) for line in lines]
    for _ in range(rng.randrange(4)):
        lines.insert(rng.randrange(len(lines)), rng.choice(COMMENTS))
    return rng.choice(ENDS).join(lines)


def name_of(rng: random.Random) -> str:
    """A student's name."""
    family, given = rng.choice("王李张刘陈杨黄赵吴周"), rng.choice("伟芳娜敏静丽强磊军洋勇艳")
    return rng.choice((f"{family}{given}", f"{family}{given}{given}", "Ann O'Brien", "Müller Jörg"))
