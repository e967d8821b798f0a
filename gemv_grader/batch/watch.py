"""What a batch tells whoever watches it, as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gemv_grader.batch.ledger import Line

if TYPE_CHECKING:
    from gemv_grader.batch.performed import Performed


class Watcher(Protocol):
    """Shows progress. Each method is called in the main thread, soon after what it tells of."""

    def begun(self, students: int) -> None:
        """So many students are in the batch."""

    def stands(self, students: int) -> None:
        """The grades of so many more stand from before."""

    def screened(self, submissions: int) -> None:
        """So many more submissions were read, locked and reviewed."""

    def found(self, digest: str) -> None:
        """A program that no submission before had is being built."""

    def performed(self, digest: str, result: Performed) -> None:
        """A program was built, and run if it could be."""

    def graded(self, line: Line) -> None:
        """A grade is saved."""
