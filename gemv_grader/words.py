"""The words every part of the grader shares: evidence, verdicts, findings, and text in two languages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

Lang = Literal["zh", "en"]


@dataclass(frozen=True)
class Text:
    """One message in both languages, so that no reader meets a half-translated screen."""

    zh: str
    en: str

    def say(self, lang: Lang) -> str:
        """The message in ``lang``."""
        return self.zh if lang == "zh" else self.en

    def format(self, **values: object) -> Text:
        """The same message with ``{name}`` filled in; a value that is a ``Text`` keeps its language."""

        def fill(template: str, lang: Lang) -> str:
            said = {name: v.say(lang) if isinstance(v, Text) else v for name, v in values.items()}
            return template.format(**said)

        return Text(fill(self.zh, "zh"), fill(self.en, "en"))


class Evidence(str, Enum):
    """What a result rests on, weakest first."""

    STATIC = "static"
    COMPILED = "compiled"
    EMULATED = "emulated"
    GPU = "gpu"

    @property
    def rank(self) -> int:
        """Position in the order of strength: a higher rank claims more."""
        return list(Evidence).index(self)

    def covers(self, needed: Evidence) -> bool:
        """Whether this evidence is at least as strong as ``needed``."""
        return self.rank >= needed.rank


class Verdict(str, Enum):
    """What became of a submission."""

    REJECTED = "rejected"
    NOT_ATTEMPTED = "not_attempted"
    COMPILE_ERROR = "compile_error"
    CRASHED = "crashed"
    WRONG = "wrong"
    CORRECT = "correct"
    UNVERIFIED = "unverified"
    GRADER_FAULT = "grader_fault"


class CaseStatus(str, Enum):
    """What became of one case."""

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    SKIPPED = "skipped"


class Severity(str, Enum):
    """How much a finding weighs. Only ``ERROR`` decides a verdict; the rest is for people."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Place:
    """A position in the student's file: line and column count from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True)
class Finding:
    """Something noticed about a submission without running it."""

    id: str
    severity: Severity
    message: Text
    place: Place | None = None
