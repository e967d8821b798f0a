"""Errors that people meet. Each says what happened, where, and what to do next, and carries its exit code."""

from __future__ import annotations

from gemv_grader.words import Text


class GradeError(Exception):
    """Base of the errors that end a command with a message instead of a traceback."""

    exit_code = 5

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class UsageProblem(GradeError):
    """The command was asked for something that cannot be done: a missing file, an unknown exercise."""

    exit_code = 2


class DataProblem(GradeError):
    """An exercise or rubric is malformed; the message names file, line and mend."""

    exit_code = 2


class GraderFault(GradeError):
    """Our fault or the machine's: full disk, lost driver, hanging toolchain. Never a zero."""

    exit_code = 5
