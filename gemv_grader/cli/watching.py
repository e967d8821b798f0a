"""Shows how a batch goes on: bars where there is a terminal, lines where there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from gemv_grader.words import Lang

if TYPE_CHECKING:
    from gemv_grader.batch.watch import Watcher


@contextmanager
def watching(lang: Lang) -> Iterator[Watcher]:
    """Whoever watches on stdout."""
    if sys.stdout.isatty():
        from gemv_grader.report.batch_bars import bars  # noqa: PLC0415 - Rich, only for a terminal
        from gemv_grader.report.terminal import console_for  # noqa: PLC0415

        with bars(console_for(), lang) as watcher:
            yield watcher
    else:
        from gemv_grader.report.batch_lines import LineWatcher  # noqa: PLC0415

        yield LineWatcher(lang, click.echo)
