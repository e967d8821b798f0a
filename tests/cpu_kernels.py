"""The kernels under ``tests/cpu_kernels``: each folder holds a program and what running it must give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemv_grader.run.cpu.runner import Launch, Parameter

FOLDER = Path(__file__).parent / "cpu_kernels"
GUARD = 4096


@dataclass(frozen=True)
class Kernel:
    """One folder: the program, its arrays and the results, findings and access patterns that it must have."""

    name: str
    source: str
    expected: dict[str, Any]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(Parameter(a["name"], a["role"], 4) for a in self.expected["arrays"])

    @property
    def absent(self) -> tuple[str, ...]:
        return tuple(a["name"] for a in self.expected["arrays"] if a["count"] is None)

    def inputs(self) -> dict[str, NDArray[Any]]:
        """The input arrays; their data are expressions over ``n``, the index."""

        def fill(array: dict[str, Any]) -> NDArray[Any]:
            n = np.arange(array["count"])
            return np.broadcast_to(eval(array["data"], {"n": n}), n.shape).astype(array["type"])  # noqa: S307

        inputs = [a for a in self.expected["arrays"] if a["role"] == "input" and a["count"] is not None]
        return {array["name"]: fill(array) for array in inputs}

    def results(self) -> dict[str, NDArray[Any]]:
        """What outputs, and changed inputs, must hold; empty where a kernel's results are not defined."""
        values = self.inputs()
        types = {array["name"]: array["type"] for array in self.expected["arrays"]}
        return {
            name: np.asarray(eval(text, {"np": np, **values})).astype(types[name])  # noqa: S307
            for name, text in (self.expected["result"] or {}).items()
        }

    def launch(self) -> Launch:
        """Its memory, laid out as a case's is: arrays between guard bands, all of it poisoned but the inputs."""
        values = self.inputs()
        offset = GUARD
        places: list[tuple[int, int] | None] = []
        for array in self.expected["arrays"]:
            if array["count"] is None:
                places.append(None)
                continue
            places.append((offset, 4 * array["count"]))
            offset += -(-(4 * array["count"] + GUARD) // 256) * 256
        slab = np.full(offset, 0xFF, dtype=np.uint8)
        for array, place in zip(self.expected["arrays"], places, strict=True):
            if place is not None and array["name"] in values:
                slab[place[0] : sum(place)] = values[array["name"]].view(np.uint8)
        return Launch(self.name, slab, tuple(places), tuple(self.expected["sizes"]))

    def view(self, launch: Launch, slab: NDArray[np.uint8], name: str) -> NDArray[Any]:
        """One array of a slab that came back."""
        number = [array["name"] for array in self.expected["arrays"]].index(name)
        place = launch.places[number]
        assert place is not None
        return slab[place[0] : sum(place)].view(self.expected["arrays"][number]["type"])


def load_kernels() -> list[Kernel]:
    """All of them, by name."""
    return [
        Kernel(path.parent.name, path.read_text(), json.loads((path.parent / "expected.json").read_text()))
        for path in sorted(FOLDER.glob("*/kernel.cu"))
    ]
