"""Imported by the process that workers are forked from, and by nothing else.

A worker that is born after its crew has ended, as when Ctrl-C comes early, finds its pipes and locks gone. Python would
print a traceback over that on the terminal of someone who has just been told that all is saved.
"""

from __future__ import annotations

import sys
from types import TracebackType

_GONE = (FileNotFoundError, EOFError, ConnectionError, BrokenPipeError)


def _quiet(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report what nobody caught, but for what an ended crew leaves behind; where it has not ended, its pool notices."""
    if not issubclass(kind, _GONE):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _quiet
