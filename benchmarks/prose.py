"""How near the suggested points of prose come to what people gave, by set of labelled answers.

    python benchmarks/prose.py [--misses] [FILE.yaml ...]

Without files: the exercise's own in solutions/, by how their ids begin, each answer read beside a second reader that
learned from nine tenths of them and not from it; and those kept aside in tests/prose, which nothing was tuned for or
learned from. README.md there says more.
``--misses`` lists the answers that were read otherwise than labelled. The last lines time single answers
and whole files.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path

from gemv_grader.exercise import load_exercise
from gemv_grader.prose import answers_in
from gemv_grader.prose.assess import Question, assess, questions
from gemv_grader.prose.claimed import claimed
from gemv_grader.prose.labelled import LabelledAnswer, load_labelled
from gemv_grader.prose.model import load_prose_rubric
from gemv_grader.prose.quality import Quality, Reading, quality, read_all, read_unlearned
from gemv_grader.prose.reading import read_all as read_sections
from gemv_grader.rubric import load_rubric

ROOT = Path(__file__).parent.parent
LABELLED = ROOT / "solutions" / "03_gemv.labelled.yaml"
KEPT_ASIDE = sorted((ROOT / "tests" / "prose").glob("*.yaml"))
NAMES = {
    "answers": "answers",
    "mean_error": "mean absolute error, 2-point questions",
    "within_half": "  within half a point",
    "exact": "  exact",
    "explanations_exact": "explanations exact",
    "wrong_found": "wrong chains suspected",
    "wrong_accused": "  sound answers accused",
    "terms_kept": "terms only kept at 0.5 or less",
    "copies_found": "copies found",
    "copies_accused": "  own words accused",
    "injections_found": "injections found",
    "injections_accused": "  others accused",
    "claims_found": "claims of a run found",
    "claims_accused": "  others accused",
}


def main(arguments: list[str]) -> None:
    """Print the figures of each file, and how long the longest readings took."""
    paths = [Path(argument) for argument in arguments if not argument.startswith("--")]
    rubric = load_prose_rubric(load_exercise("03_gemv"))
    by = questions(rubric)
    known = load_labelled(LABELLED)
    readings = {} if paths else by_set(read_unlearned(known, rubric, known))
    readings |= {path.stem: list(read_all(load_labelled(path), by)) for path in paths or KEPT_ASIDE}
    print(table({name: quality(read) for name, read in readings.items()}))
    if "--misses" in arguments:
        for read in readings.values():
            print(*map(miss, filter(is_miss, read)), sep="\n")
    print(*timings([reading.answer for read in readings.values() for reading in read], by), sep="\n")
    print(*file_timings(), sep="\n")


def by_set(readings: Iterable[Reading]) -> dict[str, list[Reading]]:
    """The readings by the word with which the answers' ids begin."""
    sets: dict[str, list[Reading]] = {}
    for reading in readings:
        sets.setdefault(reading.answer.id.partition("-")[0], []).append(reading)
    return sets


def table(figures: Mapping[str, Quality]) -> str:
    """One column for each set."""
    width = max(len(name) for name in NAMES.values())
    rows = [f"{'':<{width}}" + "".join(f"{name:>15}" for name in figures)]
    for field in fields(Quality):
        values = [getattr(figure, field.name) for figure in figures.values()]
        shown = [f"{value:.3f}" if isinstance(value, float) else str(value) for value in values]
        rows.append(f"{NAMES[field.name]:<{width}}" + "".join(f"{value:>15}" for value in shown))
    return "\n".join(rows)


def is_miss(reading: Reading) -> bool:
    """Whether points or a flag differ from the label."""
    flags = ("wrong_chain", "injection", "copied_reference", "claims_measured")
    return reading.error != 0 or not all(reading.agrees_on(flag) for flag in flags)


def miss(reading: Reading) -> str:
    """One line about an answer that was read otherwise than labelled."""
    found = [quote.id for quote in (*reading.assessment.evidence, *reading.assessment.misconceptions)]
    answer = reading.answer
    return (
        f"{answer.id}: given {answer.score:g}, suggested {reading.assessment.points:g} "
        f"{list(reading.assessment.flags)} from {', '.join(found) or 'nothing'}"
    )


def timings(answers: Iterable[LabelledAnswer], by: Mapping[str, Question]) -> list[str]:
    """The slowest labelled answer and answers made to be slow, each the best of three in milliseconds."""
    hard = {
        "1 MB without a line break": ("相邻线程读相邻的列所以合并访存 " * 80_000)[: 1 << 20],
        "10,000 repeated terms": "合并访存、coalesced " * 10_000,
        "1 MB of brackets": "<[({" * (1 << 18),
        "1 MB of bidi and zero-width": "\u202e\u200b因为\u200d" * (1 << 18),
        "1 MB of negators": "不没无not " * (1 << 17),
    }
    seconds = {f"labelled {a.id}": best_of_three(a.answer, by[a.question]) for a in answers if a.question in by}
    slowest = max(seconds, key=seconds.__getitem__)
    shown = {slowest: seconds[slowest]}
    for name, text in hard.items():
        shown[name] = max(best_of_three(text, question) for question in by.values())
    return [f"{name:<45} {taken * 1e3:8.1f} ms" for name, taken in shown.items()]


def file_timings() -> list[str]:
    """Whole files of answers made to be slow: decoded, split into sections, read for points and for claims of a run."""
    exercise = load_exercise("03_gemv")
    rubric = load_rubric(exercise)
    hard = {
        "the solution's answers": (ROOT / "solutions" / "03_gemv.answers.md").read_bytes(),
        "1 MB in one line": f"## Q2\n{'相邻线程读相邻的列所以合并访存 ' * 20_000}".encode(),
        "1 MB in 350,000 lines": b"## Q2\n" + b"a\n" * 350_000,
        "1 MB of headings": b"## Q2\nx\n" * 130_000,
        "1 MB of HTML": ("## Q2\n" + "<p class='x'>因为 &lt; <b>合并</b>" * 20_000).encode(),
        "1 MB of broken UTF-8": b"## Q2\n" + bytes(range(128, 256)) * 8_000,
        "1 MB of random bytes": b"## Q2\n" + hashlib.shake_128(b"").digest(1 << 20),
        "1 MB of comment marks": b"## Q2\n" + b"<!--" * (1 << 18),
        "1 MB of run output": b"## Run output\n" + b"M=3 N=7 max err 1e-6 PASS 0.1 ms\n" * 30_000,
    }

    def read(data: bytes) -> None:
        answers = answers_in("answers.md", data, exercise)
        read_sections(answers, exercise, rubric)
        claimed(answers)

    return [
        f"{'file: ' + name:<45} {best_of_three_calls(partial(read, data)) * 1e3:8.1f} ms" for name, data in hard.items()
    ]


def best_of_three(text: str, question: Question) -> float:
    """Processor seconds to assess ``text``."""
    return best_of_three_calls(partial(assess, text, question))


def best_of_three_calls(call: Callable[[], object]) -> float:
    """Processor seconds of a call; what else the machine does must not count."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


if __name__ == "__main__":
    main(sys.argv[1:])
