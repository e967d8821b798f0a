"""A place to run programs at: which GPU, or the CPU's cores, and whose turn it is there."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemv_grader.run.device import Device
from gemv_grader.run.presence import device_nodes

if TYPE_CHECKING:
    from gemv_grader.build import Binary
    from gemv_grader.cases import Case
    from gemv_grader.exercise import Exercise
    from gemv_grader.program import Program
    from gemv_grader.run.outputs import Outputs
    from gemv_grader.words import Text


@dataclass(frozen=True)
class Lane:
    """``gpu`` is what CUDA_VISIBLE_DEVICES says, None on the CPU; ``turns`` a file, locked while a program runs."""

    gpu: str | None
    turns: Path

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the lane; the kernel gives it on even if this process is killed."""
        with self.turns.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def visible_gpus() -> tuple[str, ...]:
    """The GPUs that may be used, as CUDA_VISIBLE_DEVICES would name each."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return tuple(filter(None, (name.strip() for name in chosen.split(","))))
    count = sum(node.name.removeprefix("nvidia").isdigit() for node in device_nodes())
    return tuple(map(str, range(max(count, 1))))


class InTurn:
    """A device that opens, builds and uploads at any time, but runs only when its lane is free."""

    def __init__(self, device: Device, lane: Lane) -> None:
        self._device = device
        self._lane = lane

    @property
    def is_gpu(self) -> bool:
        """As the device."""
        return self._device.is_gpu

    @property
    def can_run(self) -> bool:
        """As the device."""
        return self._device.can_run

    def prepare(self, cases: tuple[Case, ...]) -> None:
        """As the device."""
        self._device.prepare(cases)

    def build(self, program: Program, exercise: Exercise) -> Binary | Text:
        """As the device."""
        return self._device.build(program, exercise)

    def run(self, binary: Binary, exercise: Exercise) -> Outputs | Text:
        """As the device, when the lane is free: time limits must not count the time of others."""
        with self._lane.turn():
            return self._device.run(binary, exercise)

    def facts(self) -> dict[str, str]:
        """As the device."""
        return self._device.facts()
