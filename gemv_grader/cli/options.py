"""Options that several commands have, in the same words."""

from __future__ import annotations

from pathlib import Path

import click

rubric_option = click.option(
    "--rubric",
    type=click.Path(path_type=Path, readable=False),
    help="另一份评分标准 / Another rubric than the exercise's own.",
)

device_option = click.option(
    "--device",
    type=click.Choice(["auto", "gpu", "cpu", "none"]),
    default="auto",
    show_default=True,
    help="在哪里运行；none 只做静态审查 / Where to run; none: static review only.",
)
