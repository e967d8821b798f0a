"""Tells cheaply, without touching CUDA, whether there is a GPU to run on and a CuPy to run it with."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.words import Text


@dataclass(frozen=True)
class Cupy:
    """An installed CuPy: the directory it is imported from, and what it is, such as "cupy-cuda13x 14.2.0"."""

    site: Path
    distribution: str


def find_cupy() -> Cupy | None:
    """CuPy as this Python would import it, found without importing it."""
    spec = importlib.util.find_spec("cupy_backends")
    if spec is None or not spec.submodule_search_locations:
        return None
    site = Path(next(iter(spec.submodule_search_locations))).parent
    metadata = next(site.glob("cupy*.dist-info"), None)
    name, _, version = (metadata.stem if metadata else "cupy-").partition("-")
    return Cupy(site, f"{name.replace('_', '-')} {version}".strip())


def device_nodes() -> tuple[Path, ...]:
    """The device files through which CUDA reaches GPUs (WSL has one of its own); empty where there is no GPU."""
    nodes = [*Path("/dev").glob("nvidia*"), *Path("/dev").glob("dxg")]
    has_gpu = any(re.fullmatch(r"nvidia\d+|dxg", node.name) for node in nodes)
    return tuple(sorted(nodes)) if has_gpu else ()


def why_no_gpu() -> Text | None:
    """Why no GPU run is possible here, or None if one should be; whether CUDA works is for the runner to find out."""
    if not device_nodes():
        return NO_DEVICE
    if find_cupy() is None:
        return NO_CUPY
    return None


NO_DEVICE = Text(
    zh="这台机器上没有 NVIDIA GPU（没有 /dev/nvidia0）。",
    en="This machine has no NVIDIA GPU (there is no /dev/nvidia0).",
)
NO_CUPY = Text(
    zh="有 GPU，但没有安装 CuPy。请运行 pip install 'gemv-grade[gpu]'（CUDA 12 的驱动用 gpu-cuda12）。",
    en="There is a GPU, but CuPy is not installed. Run pip install 'gemv-grade[gpu]' (gpu-cuda12 for a CUDA "
    "12 driver).",
)
