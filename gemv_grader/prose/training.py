"""Learns from labelled answers how points and wrong chains are worded: ridge regression, solved exactly.

Answers to the same question count more for it than those to others, which share its words. There are far fewer answers
than runs of characters, so the equations are solved with one unknown for each answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from gemv_grader.prose.labelled import LabelledAnswer
from gemv_grader.prose.learned import SCALE, Guess, Learned, runs, weight_of
from gemv_grader.prose.normal import normalise

_SAME_QUESTION = 0.5  # how much more an answer to the same question counts
_STIFFNESS = 0.1  # how little a single answer may bend the model
_FEWEST = 3  # answers that a run must stand in
# What is blank, or addresses the grader, says nothing about the subject.
_NO_EXAMPLES = frozenset({"empty", "injection"})

Array = NDArray[np.float64]


def train(answers: Sequence[LabelledAnswer], possible: Mapping[str, float], digest: str = "") -> Learned | None:
    """A model of ``answers``; ``possible`` are the points of each section. None where there is nothing to learn."""
    examples = [a for a in answers if a.kind not in _NO_EXAMPLES and a.question in possible]
    if not examples:
        return None
    counted = [runs(normalise(example.answer).text) for example in examples]
    spread = Counter(run for counts in counted for run in counts)
    rarity = {run: log((1 + len(examples)) / (1 + n)) + 1 for run, n in spread.items() if n >= _FEWEST}
    matrix = _vectors(counted, rarity)
    sections = tuple(dict.fromkeys(example.question for example in examples))
    member = np.array([[example.question == section for section in sections] for example in examples], dtype=float)
    wanted = np.array([_wanted(example, possible[example.question]) for example in examples])
    start = wanted.mean(axis=0)
    nearness = (matrix @ matrix.T) * (1 + _SAME_QUESTION * member @ member.T) + _STIFFNESS * np.eye(len(examples))
    pull = np.linalg.solve(nearness, wanted - start)
    added = [matrix.T @ (pull * (1 + _SAME_QUESTION * member[:, [k]])) for k in range(len(sections))]
    table = np.rint(np.hstack([np.array([[value] for value in rarity.values()]), *added]) * SCALE).astype(int)
    return Learned(digest, Guess(*start.tolist()), sections, dict(zip(rarity, table.tolist(), strict=True)))


def _vectors(counted: Sequence[Counter[str]], rarity: Mapping[str, float]) -> Array:
    """A row of length 1 for each text, a column for each run."""
    place = {run: i for i, run in enumerate(rarity)}
    matrix = np.zeros((len(counted), len(place)))
    for row, counts in zip(matrix, counted, strict=True):
        for run, times in counts.items():
            if run in place:
                row[place[run]] = weight_of(times, rarity[run])
    lengths: Array = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(lengths == 0, 1, lengths)


def _wanted(example: LabelledAnswer, possible: float) -> Guess:
    """What people said of an example."""
    return Guess(example.score / possible, float("wrong_chain" in example.flags), float("terms_only" in example.flags))
