"""A stand-in that makes the grader itself fail on some texts: by an exception, by dying, or by getting stuck."""

from __future__ import annotations

import os
import time

from gemv_grader.batch import tasks
from gemv_grader.submission import Submission


def program_of(*arguments: object) -> Submission:
    """As the real one, unless a comment in the program says what to do."""
    submission = _real(*arguments)  # type: ignore[arg-type]
    if "// POISON" in submission.text:
        raise ZeroDivisionError("poison")
    if "// DEADLY" in submission.text:
        os._exit(9)
    if "// ENDLESS" in submission.text:
        time.sleep(600)
    return submission


_real = tasks.program_of
tasks.program_of = program_of
tasks.MOST_SECONDS = 2
