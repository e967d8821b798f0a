"""What answers that people marked teach about a new one: a second reader beside the rubric's links.

It is a linear model over short runs of characters: it has no idea of causes, but it has seen hundreds of marked
answers, and knows how those that earn points are worded, and how those that have it wrong. `training` makes it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite, log, sqrt
from pathlib import Path
from typing import NamedTuple

from gemv_grader.errors import DataProblem
from gemv_grader.words import Text

SCHEMA = 1
LONGEST = 3  # characters of a run
SCALE = 10_000  # weights are kept as whole numbers of this part

_BLANKS = re.compile(r"\s+")


class Guess(NamedTuple):
    """``share`` of the points; ``doubt`` and ``terms``: whether it reads like a wrong chain, or like a list of terms.

    All from 0 to 1.
    """

    share: float
    doubt: float
    terms: float


@dataclass(frozen=True)
class Learned:
    """A row for each run: how much it counts, and what it adds to each number of a guess, ``sections`` by turns.

    Rows are whole numbers, in parts of SCALE. ``start`` is the guess about an empty text, ``answers`` the digest of the
    file that was learned from.
    """

    answers: str
    start: Guess
    sections: tuple[str, ...]
    rows: Mapping[str, Sequence[int]]

    def guess(self, text: str, section: str) -> Guess | None:
        """What a normalised answer seems worth; None for a section that nobody marked answers of."""
        if section not in self.sections:
            return None
        sums = [a + b for a, b in zip(self.start, self._added(text, section), strict=True)]
        return Guess(*(min(1.0, max(0.0, sum_)) for sum_ in sums))

    def most_doubtful(self, text: str, section: str, stretches: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Which of some stretches of a text speaks loudest for a wrong chain."""
        return max(stretches, key=lambda stretch: self._added(text[slice(*stretch)], section).doubt)

    def _added(self, text: str, section: str) -> Guess:
        """What the runs of a text add to the guess, a text being of length 1 whatever its length."""
        first = 1 + len(Guess._fields) * self.sections.index(section)
        share = doubt = terms = squares = 0.0
        for run, times in runs(text).items():
            if (row := self.rows.get(run)) is not None:
                value = row[0] if times == 1 else weight_of(times, row[0])
                squares += value * value
                share += value * row[first]
                doubt += value * row[first + 1]
                terms += value * row[first + 2]
        length = sqrt(squares) * SCALE or 1.0
        return Guess(share / length, doubt / length, terms / length)


def weight_of(times: int, rarity: float) -> float:
    """How much a run counts in a text that has it so many times: rare ones more, the tenth time hardly more."""
    return (1 + log(times)) * rarity


def runs(text: str) -> Counter[str]:
    """Every run of one to LONGEST characters, blanks taken for one."""
    plain = f" {_BLANKS.sub(' ', text).strip()} "
    counts: Counter[str] = Counter(plain)
    for n in range(2, LONGEST + 1):
        counts.update(map("".join, zip(*(plain[i:] for i in range(n)), strict=False)))
    return counts


def load_learned(path: Path) -> Learned | None:
    """What `save_learned` wrote, None where there is no such file. Raises DataProblem for a damaged one."""
    if not path.is_file():
        return None
    try:
        document = json.loads(path.read_bytes())
        if document["schema"] != SCHEMA:
            raise ValueError(f"schema {document['schema']!r}")
        learned = Learned(
            document["answers"], Guess(*document["start"]), tuple(document["sections"]), dict(document["runs"])
        )
        _check(learned)
        return learned
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataProblem(DAMAGED.format(path=path)) from error


def _check(learned: Learned) -> None:
    """Raise ValueError or TypeError for rows that a merge or an editor left too short, or with other than numbers."""
    width = 1 + len(Guess._fields) * len(learned.sections)
    if not all(map(isfinite, learned.start)) or {len(row) for row in learned.rows.values()} - {width}:
        raise ValueError("rows")
    if set(map(type, chain.from_iterable(learned.rows.values()))) - {int}:
        raise TypeError("rows")


def save_learned(path: Path, learned: Learned) -> None:
    """Write a model, one run a line. Raises OSError."""
    head = {
        "schema": SCHEMA,
        "answers": learned.answers,
        "start": [round(value, 4) for value in learned.start],
        "sections": learned.sections,
    }
    rows = (f"{json.dumps(run, ensure_ascii=False)}:{_compact(row)}" for run, row in sorted(learned.rows.items()))
    path.write_text(json.dumps(head)[:-1] + ', "runs": {\n' + ",\n".join(rows) + "\n}}\n", encoding="utf-8")


def _compact(row: Sequence[int]) -> str:
    return json.dumps(row, separators=(",", ":"))


DAMAGED = Text(
    zh="{path} 读不了。请删掉它，再运行 gemv-grade check 并加 --accept 重新生成。",
    en="{path} cannot be read. Delete it and run `gemv-grade check` with --accept, which makes it anew.",
)
