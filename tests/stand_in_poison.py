"""A stand-in that makes the grader itself fail on some texts: by an exception, by dying, or by getting stuck."""

from __future__ import annotations

import faulthandler
import os
import time
from pathlib import Path
from typing import Any

from gemv_grader import materials, submission
from gemv_grader.submission import Submission


def from_bytes(data: bytes, name: str, path: Path | None = None) -> Submission:
    """As the real one, unless a comment in the program says what to do."""
    if b"// POISON" in data:
        raise ZeroDivisionError("poison")
    if b"// DEADLY" in data:
        os._exit(9)
    if b"// ENDLESS" in data:
        time.sleep(600)
    return submission.from_bytes(data, name, path)


def impatient(_seconds: float, **options: Any) -> None:
    """A watchdog that waits two seconds, however long it is told to wait."""
    _dump_traceback_later(2, **options)


vars(materials)["from_bytes"] = from_bytes
_dump_traceback_later = faulthandler.dump_traceback_later
vars(faulthandler)["dump_traceback_later"] = impatient
