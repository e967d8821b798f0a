"""Where in a student's marks a decision stands, and who decided what before and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gemv_grader.marks import ItemMark, Marks, RequirementMark, VetoMark

Kind = Literal["item", "veto", "requirement"]
Mark = ItemMark | VetoMark | RequirementMark


@dataclass(frozen=True)
class Place:
    """A rubric item, a veto or a requirement, by its id."""

    kind: Kind
    id: str

    def mark_in(self, marks: Marks) -> Mark | None:
        """The decision that stands there."""
        if self.kind == "item":
            return marks.items.get(self.id)
        return marks.vetoes.get(self.id) if self.kind == "veto" else marks.requires.get(self.id)

    def put_into(self, marks: Marks, mark: Mark | None) -> Marks:
        """The marks with another decision there, or with none. Raises TypeError for a mark of another kind."""
        if self.kind == "item" and isinstance(mark, ItemMark | None):
            return marks.with_item(self.id, mark)
        if self.kind == "veto" and isinstance(mark, VetoMark | None):
            return marks.with_veto(self.id, mark)
        if self.kind == "requirement" and isinstance(mark, RequirementMark | None):
            return marks.with_requirement(self.id, mark)
        raise TypeError(f"{type(mark).__name__} for {self.kind} {self.id}")


@dataclass(frozen=True)
class Change:
    """One decision about one student: ``before`` is what the person saw, ``after`` what is to stand."""

    key: str
    place: Place
    before: Mark | None
    after: Mark | None

    @property
    def undone(self) -> Change:
        """The change back."""
        return Change(self.key, self.place, self.after, self.before)
