"""How long one call of a compiler may take."""

from __future__ import annotations

import os
import re

from gemv_grader.errors import UsageProblem
from gemv_grader.words import Text

_VARIABLE = "GEMV_GRADE_COMPILE_SECONDS"
_DEFAULT = "30"


def compile_seconds() -> float:
    """The wall-clock limit: $GEMV_GRADE_COMPILE_SECONDS, for where compilers are slow, else 30."""
    written = os.environ.get(_VARIABLE) or _DEFAULT
    if not re.fullmatch(r"\d{1,4}(\.\d+)?", written) or not float(written):
        raise UsageProblem(NOT_SECONDS.format(variable=_VARIABLE, written=written))
    return float(written)


NOT_SECONDS = Text(
    zh="环境变量 {variable} 应是秒数，如 60，而不是“{written}”。",
    en='The environment variable {variable} should be a number of seconds such as 60, not "{written}".',
)
