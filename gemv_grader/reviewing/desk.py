"""A review under way: which question and whose answers lie open, what is decided, and how to take it back.

Each decision is saved before the next one; those that another reviewer came before with are told, not overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemv_grader.batch.store import Record
from gemv_grader.reviewing.book import MarkBook, Outcome
from gemv_grader.reviewing.decisions import Hand, Seen, in_range, with_comment, with_points, with_state
from gemv_grader.reviewing.places import Change, Mark, Place
from gemv_grader.reviewing.queue import Group, Question, Stands, groups_of, is_open, part_of, questions_of
from gemv_grader.standing import ItemStanding, Standing, standing


@dataclass(frozen=True)
class Progress:
    """How many of a question's students are decided."""

    decided: int
    students: int


@dataclass(frozen=True)
class _Step:
    """What one key changed, and where that was."""

    question: int
    group: int
    changes: tuple[Change, ...]


class Desk:
    """One person's review. Opens at the first answer that is not decided yet."""

    def __init__(self, records: Iterable[Record], book: MarkBook, author: str, now: Callable[[], str]) -> None:
        self._records = {record.key: record for record in records}
        self._book, self._author, self._now = book, author, now
        self._standings = {key: standing(record.grade, record.marks) for key, record in self._records.items()}
        self._steps: list[_Step] = []
        self.questions = questions_of(self._records.values(), self._standings)
        self._groups = [groups_of(q, self._records.values(), self._standings) for q in self.questions]
        self._question = self._group = 0
        if self.questions:
            self.turn(0)
            if not self.open_keys():
                self.next_open()

    @property
    def question(self) -> Question:
        """The question that lies open."""
        return self.questions[self._question]

    @property
    def groups(self) -> tuple[Group, ...]:
        """All who answered it."""
        return self._groups[self._question]

    @property
    def group(self) -> Group:
        """Those whose answer lies open."""
        return self.groups[self._group]

    @property
    def number(self) -> int:
        """Which of the `groups` that is, from 0."""
        return self._group

    @property
    def course(self) -> Path:
        """Where the rubrics lie that the grades were made with."""
        return self._book.folder.course

    def record(self, key: str) -> Record:
        """A student's grade, with the marks as this review knows them."""
        return self._records[key]

    def standing(self, key: str) -> Standing:
        """How a student stands."""
        return self._standings[key]

    def part(self, key: str, place: Place | None = None) -> Stands | None:
        """How a student stands at a place, or in the question that lies open."""
        return part_of(self._standings[key], place or self.question.place)

    def open_keys(self, group: Group | None = None) -> tuple[str, ...]:
        """The students of a group, or of the one at hand, on whom the open question is not decided."""
        return tuple(key for key in (group or self.group).keys if is_open(self.part(key)))

    def progress(self, question: int | None = None) -> Progress:
        """How far a question is, or the one at hand."""
        which = self._question if question is None else question
        place, keys = self.questions[which].place, [key for group in self._groups[which] for key in group.keys]
        return Progress(sum(not is_open(self.part(key, place)) for key in keys), len(keys))

    def give(self, points: float) -> Outcome:
        """Points for everyone who wrote this. Raises ValueError for points that the item cannot have."""
        if not in_range(points, self.question.possible):
            raise ValueError(f"{points} of {self.question.possible}")
        return self._items(lambda seen, hand: with_points(seen, points, hand))

    def accept(self) -> Outcome:
        """To everyone who wrote this what the tool suggests for them."""
        return self._items(lambda seen, hand: with_points(seen, seen.item.machine, hand))

    def comment(self, text: str) -> Outcome:
        """A comment to all who wrote this, of the open question; on a veto or requirement once it is decided."""
        if self.question.place.kind == "item":
            return self._items(lambda seen, hand: with_comment(seen, text, hand), everyone=True)
        place, hand = self.question.place, self._hand()
        after: dict[str, Mark | None] = {}
        for key in self.group.keys:
            if (mark := place.mark_in(self._records[key].marks)) is not None:
                after[key] = replace(mark, comment=text, author=hand.author, at=hand.at)
        return self._save(place, after)

    def decide(self, state: str) -> Outcome:
        """The open veto raised or cleared, the open requirement met or unmet."""
        return self.set(self.question.place, state, self._targets())

    def set(self, place: Place, state: str | None, keys: Sequence[str] | None = None) -> Outcome:
        """A veto or requirement of all who wrote this; None: no decision. Raises ValueError for a bad state."""
        hand = self._hand()
        after: dict[str, Mark | None] = {}
        for key in keys or self.group.keys:
            earlier = place.mark_in(self._records[key].marks)
            comment = earlier.comment if earlier is not None else ""
            after[key] = with_state(place, state, comment, hand) if state is not None else None
        return self._save(place, after)

    def undo(self) -> Outcome | None:
        """Restore what stood before this review's last decision, and lie it open. None if there is none."""
        if not self._steps:
            return None
        step = self._steps[-1]
        outcome = self._book.save([change.undone for change in step.changes])
        self._take(outcome)
        if outcome.fault is None:
            self._steps.pop()
        self._question, self._group = step.question, step.group
        return outcome

    def next_open(self) -> bool:
        """Go to the next answer that is not decided: of this question, else of another. False if none is left."""
        for question, group in self._others():
            if self._still_open(question, group):
                self._question, self._group = question, group
                return True
        return self._still_open(self._question, self._group)

    def next_differing(self) -> bool:
        """Go to the next answer of which the tool now says otherwise than when it was marked. False if none is."""
        here = (self._question, self._group)
        for question, group in (*self._others(), here):
            if self.differs(self._groups[question][group], self.questions[question].place):
                self._question, self._group = question, group
                return True
        return False

    def differs(self, group: Group, place: Place) -> bool:
        """Whether the tool says otherwise of some answer than when it was marked."""
        parts = (self.part(key, place) for key in group.keys)
        return any(isinstance(part, ItemStanding) and part.differs for part in parts)

    def step(self, by: int) -> None:
        """Go to a neighbour, decided or not."""
        self.go_to((self._group + by) % len(self.groups))

    def go_to(self, group: int) -> None:
        """Open a group of this question."""
        self._group = group
        self._reread(self.group.keys)

    def turn(self, by: int) -> None:
        """Go to another question: its first open answer."""
        self._question = (self._question + by) % len(self.questions)
        self._group = next((n for n in range(len(self.groups)) if self._still_open(self._question, n)), 0)
        self._reread(self.group.keys)

    def comments(self) -> tuple[str, ...]:
        """What was written on this question so far, the most frequent first."""
        found: dict[str, int] = {}
        for group in self.groups:
            for key in group.keys:
                mark = self.question.place.mark_in(self._records[key].marks)
                if mark is not None and mark.comment:
                    found[mark.comment] = found.get(mark.comment, 0) + 1
        return tuple(sorted(found, key=lambda comment: -found[comment]))

    def _others(self) -> Iterator[tuple[int, int]]:
        """Every group but the one at hand: what follows in this question, what precedes, the other questions."""
        here, count = len(self.groups), len(self.questions)
        yield from ((self._question, (self._group + n) % here) for n in range(1, here))
        for question in ((self._question + n) % count for n in range(1, count)):
            yield from ((question, group) for group in range(len(self._groups[question])))

    def _still_open(self, question: int, group: int) -> bool:
        """Whether it is open here, and nobody else has decided it meanwhile."""
        place, keys = self.questions[question].place, self._groups[question][group].keys
        if not any(is_open(self.part(key, place)) for key in keys):
            return False
        self._reread(keys)
        return any(is_open(self.part(key, place)) for key in keys)

    def _targets(self) -> tuple[str, ...]:
        """Whom a decision is for: those without one; everyone where all have one, and it is changed."""
        return self.open_keys() or self.group.keys

    def _items(self, mark: Callable[[Seen, Hand], Mark | None], *, everyone: bool = False) -> Outcome:
        hand, after = self._hand(), {}
        for key in self.group.keys if everyone else self._targets():
            item = self.part(key)
            if isinstance(item, ItemStanding):
                after[key] = mark(Seen(self._records[key], item), hand)
        return self._save(self.question.place, after)

    def _save(self, place: Place, after: dict[str, Mark | None]) -> Outcome:
        changes = [Change(key, place, place.mark_in(self._records[key].marks), mark) for key, mark in after.items()]
        outcome = self._book.save(changes)
        self._take(outcome)
        if outcome.saved:
            self._steps.append(_Step(self._question, self._group, outcome.saved))
        return outcome

    def _take(self, outcome: Outcome) -> None:
        for key, marks in outcome.marks.items():
            self._records[key] = replace(self._records[key], marks=marks)
            self._standings[key] = standing(self._records[key].grade, marks)

    def _reread(self, keys: Iterable[str]) -> None:
        self._take(Outcome((), (), {key: self._book.folder.store.marks(key) for key in keys}))

    def _hand(self) -> Hand:
        return Hand(self._author, self._now())
