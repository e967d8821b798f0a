"""The number or the choice that is being made, before Enter makes it a decision."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gemv_grader.reviewing.decisions import in_range, parse_points


@dataclass(frozen=True)
class PointsEntry:
    """Points: what the tool ``offered`` (or a person gave), until something is ``typed``."""

    offered: float
    possible: float
    step: float = 0.5
    typed: str = ""

    @property
    def value(self) -> float | None:
        """The points that Enter would give; None if what was typed is no number in range."""
        value = parse_points(self.typed) if self.typed else self.offered
        return value if value is not None and in_range(value, self.possible) else None

    @property
    def text(self) -> str:
        """What to show."""
        return self.typed or f"{self.offered:g}"

    def key(self, character: str) -> PointsEntry:
        """After a digit, point or comma."""
        return replace(self, typed=(self.typed + character)[:6])

    def back(self) -> PointsEntry:
        """Without the last character."""
        return replace(self, typed=self.typed[:-1])

    def moved(self, by: int) -> PointsEntry:
        """A step up or down, to the next multiple, and not out of range."""
        value = self.offered if self.value is None else self.value
        steps = value / self.step
        slack = 1e-9
        target = math.floor(steps + slack) + 1 if by > 0 else math.ceil(steps - slack) - 1
        return replace(self, typed=f"{min(self.possible, max(0.0, target * self.step)):g}")


@dataclass(frozen=True)
class ChoiceEntry:
    """One of the ``states`` of a veto or requirement; None until one is chosen: Enter alone decides nothing."""

    states: tuple[str, ...]
    chosen: int | None = None

    @property
    def value(self) -> str | None:
        """The state that Enter would set."""
        return None if self.chosen is None else self.states[self.chosen]

    def key(self, character: str) -> ChoiceEntry:
        """After a digit: 1 is the first state."""
        number = parse_points(character)
        at = int(number) - 1 if number is not None else -1
        return replace(self, chosen=at) if 0 <= at < len(self.states) else self

    def back(self) -> ChoiceEntry:
        """With nothing chosen."""
        return replace(self, chosen=None)

    def moved(self, by: int) -> ChoiceEntry:
        """The neighbouring state; from nothing the first or the last."""
        if self.chosen is None:
            return replace(self, chosen=0 if by > 0 else len(self.states) - 1)
        return replace(self, chosen=(self.chosen + by) % len(self.states))


Entry = PointsEntry | ChoiceEntry
