"""How a folder of grades stands, for the gradebook, the table at the end and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gemv_grader.batch import gradebook
from gemv_grader.batch.files import replace_file
from gemv_grader.batch.folder import GRADEBOOK, Folder
from gemv_grader.batch.ledger import Line
from gemv_grader.words import Verdict


@dataclass(frozen=True)
class Summary:
    """The grades in a folder, by key. ``graded`` are the keys of those made just now."""

    lines: Mapping[str, Line]
    graded: frozenset[str]
    seconds: float

    @property
    def verdicts(self) -> Mapping[Verdict, int]:
        """How many students have each verdict, in the verdicts' own order."""
        count = Counter(line.verdict for line in self.lines.values())
        return {verdict: count[verdict] for verdict in Verdict if count[verdict]}

    @property
    def programs(self) -> int:
        """The number of distinct programs."""
        return len({line.program for line in self.lines.values() if line.program})

    @property
    def faults(self) -> tuple[Line, ...]:
        """The grades that are the grader's or the machine's fault."""
        return tuple(line for line in self.lines.values() if line.is_fault)

    @property
    def for_gpu(self) -> int:
        """How many wait for a GPU."""
        return sum(line.waits_for_gpu for line in self.lines.values())

    @property
    def for_person(self) -> int:
        """How many wait for a person."""
        return sum(line.waits_for_person for line in self.lines.values())

    @property
    def exit_code(self) -> int:
        """0 all graded, 1 some wait for a person or a GPU, 5 some are the grader's fault."""
        return 5 if self.faults else 1 if self.for_gpu or self.for_person else 0


def close_books(folder: Folder, lines: Iterable[Line], graded: Iterable[str], seconds: float) -> Summary:
    """Write the gradebook over all ``lines``, and sum up. Raises OSError if the disk does not take it."""
    by_key = {line.key: line for line in sorted(lines, key=lambda line: line.key)}
    replace_file(folder.path / GRADEBOOK, gradebook.write(line.row for line in by_key.values()))
    return Summary(by_key, frozenset(graded), seconds)
