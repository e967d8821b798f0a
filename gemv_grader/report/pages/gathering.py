"""Gathers the entries of a class, and counts what its page shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gemv_grader.report.pages.charts import Piece, bar
from gemv_grader.report.pages.entry import Entry, Program
from gemv_grader.report.pages.lesson import Lesson
from gemv_grader.report.pages.likeness import candidates
from gemv_grader.words import Verdict

SHOWN = 300
"""Students named in one list; in a class of thousands a longer one says no more than its count."""

_CASES = 40
_TOLD = 100
_ALL = 1000
_VERDICTS = [verdict.value for verdict in Verdict]


@dataclass(frozen=True)
class People:
    """Students in a list, and how many more there are."""

    shown: tuple[Entry, ...]
    more: int

    @property
    def count(self) -> int:
        """How many there are in all."""
        return len(self.shown) + self.more


@dataclass(frozen=True)
class Row:
    """A line of a chart."""

    label: str
    count: int
    bar: tuple[Piece, ...]


@dataclass(frozen=True)
class Card:
    """A program and the students who have it."""

    program: Program
    people: People


@dataclass(frozen=True)
class Worry:
    """A veto, and the students for whom it is raised or suspected, each with the reason."""

    title: str
    state: str
    told: tuple[tuple[Entry, str], ...]
    more: int


@dataclass(frozen=True)
class Average:
    """What an item brought on average: points that stand, are suggested, wait, of so many."""

    title: str
    stand: float
    suggested: float
    waits: float
    points: float
    bar: tuple[Piece, ...]


@dataclass(frozen=True)
class Repeated:
    """Answers to one question that are nearly the same."""

    question: str
    percent: int
    people: People
    sample: str


@dataclass(frozen=True)
class Part:
    """What the page shows of one exercise."""

    lesson: Lesson
    students: int
    verdicts: tuple[Row, ...]
    histogram: tuple[Row, ...]
    averages: tuple[Average, ...]
    cases: tuple[Row, ...]
    cards: tuple[Card, ...]
    faults: People
    worries: tuple[Worry, ...]
    unanswered: People
    repeated: tuple[Repeated, ...]
    for_gpu: int
    for_person: int
    passed: int
    failed: int
    everyone: People


Finder = Callable[[str, str, list[list[list[str]]]], Sequence[tuple[tuple[str, ...], float, str]]]
"""Exercise, item and candidates -> the keys that are alike, the share they have in common, and an answer."""


@dataclass
class Gathering:
    """Entries as they come, in any order."""

    entries: dict[str, Entry] = field(default_factory=dict)
    programs: dict[str, Program] = field(default_factory=dict)

    def add(self, entry: Entry, program: Program) -> None:
        """Take one student; of equal programs the first is kept."""
        self.entries[entry.key] = entry
        self.programs.setdefault(program.id, program)

    def parts(self, lessons: Mapping[str, Lesson], alike: Finder) -> list[Part]:
        """A part for each exercise."""
        by_exercise: dict[str, list[Entry]] = defaultdict(list)
        for key in sorted(self.entries):
            by_exercise[self.entries[key].exercise].append(self.entries[key])
        return [self._part(lessons[name], entries, alike) for name, entries in sorted(by_exercise.items())]

    def _part(self, lesson: Lesson, entries: Sequence[Entry], alike: Finder) -> Part:
        by_program: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            by_program[entry.program].append(entry)
        cards = [Card(self.programs[name], _people(members, None)) for name, members in by_program.items()]
        items = self.programs[entries[0].program].items
        return Part(
            lesson=lesson,
            students=len(entries),
            verdicts=_verdicts(entries),
            histogram=_histogram(entries),
            averages=tuple(_averages(items, entries)),
            cases=self._cases(by_program),
            cards=tuple(sorted(cards, key=lambda card: (-card.people.count, card.program.id))),
            faults=_people([entry for entry in entries if entry.fault]),
            worries=_worries(entries),
            unanswered=_people([entry for entry in entries if entry.unanswered]),
            repeated=tuple(_repeated(lesson, {id_: title for id_, title, _ in items}, entries, alike)),
            for_gpu=sum(entry.for_gpu for entry in entries),
            for_person=sum(entry.for_person for entry in entries),
            passed=sum(entry.passed is True for entry in entries),
            failed=sum(entry.passed is False for entry in entries),
            everyone=_people(entries, _ALL),
        )

    def _cases(self, by_program: Mapping[str, Sequence[Entry]]) -> tuple[Row, ...]:
        """Cases by the number of students who failed them, most first."""
        count: Counter[str] = Counter()
        for name, members in by_program.items():
            for case in self.programs[name].failed:
                count[case] += len(members)
        most = max(count.values(), default=0)
        return tuple(Row(case, number, bar(most, [("sure", number)])) for case, number in count.most_common(_CASES))


def _people(entries: Sequence[Entry], most: int | None = SHOWN) -> People:
    shown = tuple(entries if most is None else entries[:most])
    return People(shown, len(entries) - len(shown))


def _verdicts(entries: Sequence[Entry]) -> tuple[Row, ...]:
    count = Counter(entry.verdict for entry in entries)
    return tuple(
        Row(verdict, count[verdict], bar(len(entries), [("sure", count[verdict])]))
        for verdict in _VERDICTS
        if count[verdict]
    )


def _histogram(entries: Sequence[Entry]) -> tuple[Row, ...]:
    """Students by points, those suggested counted; apart are those whose points may still change."""
    whole = int(max((entry.possible for entry in entries), default=0))
    settled, still_open = Counter[int](), Counter[int]()
    for entry in entries:
        (still_open if entry.is_open else settled)[min(int(entry.total + entry.suggested), whole)] += 1
    most = max((settled[i] + still_open[i] for i in range(whole + 1)), default=0)
    return tuple(
        Row(
            str(whole) if i == whole else f"{i}–{i + 1}",
            settled[i] + still_open[i],
            bar(most, [("sure", settled[i]), ("open", still_open[i])]),
        )
        for i in range(whole, -1, -1)
    )


def _averages(items: Sequence[tuple[str, str, float]], entries: Sequence[Entry]) -> Iterator[Average]:
    """For each item; grades by another rubric, with other items, are left out."""
    same = [entry.points for entry in entries if len(entry.points) == len(items)]
    for i, (_, title, most) in enumerate(items):
        stand, suggested, waits = (sum(points[i][kind] for points in same) / len(same) for kind in range(3))
        parts = bar(most, [("sure", stand), ("open", suggested), ("waits", waits)])
        yield Average(title, stand, suggested, waits, most, parts)


def _worries(entries: Sequence[Entry]) -> tuple[Worry, ...]:
    found: dict[tuple[str, str], list[tuple[Entry, str]]] = defaultdict(list)
    for entry in entries:
        for concern in entry.concerns:
            found[concern.state, concern.title].append((entry, concern.reason))
    return tuple(
        Worry(title, state, tuple(found[state, title][:_TOLD]), max(0, len(found[state, title]) - _TOLD))
        for state, title in sorted(found)
    )


def _repeated(lesson: Lesson, titles: Mapping[str, str], entries: Sequence[Entry], alike: Finder) -> list[Repeated]:
    by_key = {entry.key: entry for entry in entries}
    found = []
    for item in dict.fromkeys(item for entry in entries for item in entry.sketches):
        likely = candidates({entry.key: entry.sketches[item] for entry in entries if item in entry.sketches})
        for keys, share, sample in alike(lesson.exercise, item, likely):
            people = _people([by_key[key] for key in keys])
            found.append(Repeated(titles.get(item, item), round(100 * share), people, sample))
    return sorted(found, key=lambda each: (each.question, -each.people.count, -each.percent))
