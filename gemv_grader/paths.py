"""Where the data that teachers edit lies: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from gemv_grader.errors import GraderFault
from gemv_grader.words import Text

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds ``exercises/`` and ``rubrics/``; raises GraderFault if there is none."""
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        if (root / "exercises").is_dir() and (root / "rubrics").is_dir():
            return root
    raise GraderFault(
        Text(
            zh=f"安装不完整：{_PACKAGE} 旁找不到 exercises 与 rubrics 目录；请重新安装 gemv-grade。",
            en=f"Incomplete installation: no exercises and rubrics beside {_PACKAGE}; reinstall gemv-grade.",
        )
    )


def list_exercises(root: Path | None = None) -> tuple[str, ...]:
    """The ids of all exercises under ``root`` (default: the installed data), sorted."""
    folder = (root or data_root()) / "exercises"
    return tuple(sorted(path.parent.name for path in folder.glob("*/exercise.yaml")))
