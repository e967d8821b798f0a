"""The parts of a batch by themselves: who is to blame for a dead worker, what stands, what travels."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from trails import RIGHT, SHORT, compiled, filled, handed_in, run, run_until_crash, with_answers

from gemv_grader.batch import gradebook, looked, performed
from gemv_grader.batch.course import Part
from gemv_grader.batch.crew import packed
from gemv_grader.batch.dispatch import Dispatcher, Job
from gemv_grader.batch.lane import visible_gpus
from gemv_grader.batch.means import Means
from gemv_grader.batch.performed import Performed
from gemv_grader.batch.store import Record
from gemv_grader.errors import GraderFault
from gemv_grader.execution import Execution
from gemv_grader.grade import grade
from gemv_grader.report.json_report import as_dict
from gemv_grader.standing import standing
from gemv_grader.trail import Trail
from gemv_grader.words import Evidence, Text

NVCC = Means(Evidence.COMPILED, {"nvcc": "13.0.88"})
OTHER_NVCC = Means(Evidence.COMPILED, {"nvcc": "12.4.1"})
CPU = Means(Evidence.EMULATED, {"g++": "g++ 12"})
NOTHING = Means(Evidence.STATIC)
GPU = Means(Evidence.GPU, {"nvcc": "13.0.88"})
OTHER_GPU = replace(GPU, compilers={"nvcc": "12.4.1"})


class Death(Exception):
    """A worker died."""


class FragileCrew:
    """Does each task at once. Items of ``deadly`` kill, and take with them the tasks that are in flight."""

    size, means, deaths = 2, NOTHING, (Death,)

    def __init__(self, deadly: set[int], bystanders: int = 0) -> None:
        self.deadly = deadly
        self.bystanders = bystanders
        self.tried: list[list[int]] = []

    def submit(self, task: Callable[..., Any], *items: Sequence[int]) -> Future[bytes]:
        self.tried += [list(some) for some in items]
        future: Future[bytes] = Future()
        if self.deadly & {item for some in items for item in some} or self.bystanders > 0:
            self.bystanders -= 1
            future.set_exception(Death())
        else:
            try:
                future.set_result(packed(task, *items))
            except ZeroDivisionError as error:
                future.set_exception(error)
        return future

    perform = submit

    def mend(self) -> None:
        pass

    def close(self) -> None:
        pass


def double(items: Sequence[int]) -> list[int]:
    return [2 * item for item in items]


def invert(items: Sequence[int]) -> list[float]:
    return [1 / item for item in items]


def dispatched(
    crew: FragileCrew, task: Callable[[Sequence[int]], Any], *jobs: list[int]
) -> tuple[list[Any], list[int]]:
    done: list[Any] = []
    blamed: list[int] = []
    dispatcher = Dispatcher(crew)
    for items in jobs:
        dispatcher.add(
            Job(items, lambda crew, some: crew.submit(task, some), done.extend, lambda item, why: blamed.append(item))
        )
    dispatcher.finish()
    return sorted(done), sorted(blamed)


def test_only_what_kills_alone_is_to_blame() -> None:
    crew = FragileCrew({5})
    assert dispatched(crew, double, [1, 2, 3], [4, 5, 6], [7]) == ([2, 4, 6, 8, 12, 14], [5])
    assert crew.tried[-3:] == [[4], [5], [6]]


def test_bystanders_of_a_death_are_tried_again() -> None:
    assert dispatched(FragileCrew(set(), bystanders=2), double, [1, 2], [3]) == ([2, 4, 6], [])


def test_where_no_worker_lives_nobody_is_to_blame() -> None:
    with pytest.raises(GraderFault, match="as soon as they start"):
        dispatched(FragileCrew(set(), bystanders=99), double, [1, 2], [3])


def test_a_task_that_fails_is_tried_item_by_item() -> None:
    assert dispatched(FragileCrew(set()), invert, [1, 0, 2], [4]) == ([0.25, 0.5, 1.0], [0])


def travelled(trail: Trail) -> Trail:
    part = Part(trail.exercise, trail.rubric, "sha")
    back = looked.from_json(looked.to_json(trail, with_text=True), part, gpu_at_hand=trail.gpu_at_hand)
    assert back is not None
    return back


@pytest.mark.parametrize(
    "trail",
    [
        with_answers(filled(RIGHT)),
        filled("row_A[tid] * x[tid]"),
        filled("x[col]++"),
        filled("______"),
        handed_in(b"\x7fELF"),
    ],
    ids=["right", "wrong", "rejected", "untouched", "unreadable"],
)
def test_a_trail_travels_whole(trail: Trail) -> None:
    assert travelled(trail) == trail
    assert as_dict(grade(travelled(trail)), "zh") == as_dict(grade(trail), "zh")


@pytest.mark.parametrize("trail", [run(compiled(filled(RIGHT))), run_until_crash(compiled(filled(RIGHT)), "many_rows")])
def test_a_result_travels_whole(trail: Trail) -> None:
    execution = Execution(7, trail.binary, trail.outputs, trail.outcomes)
    result = performed.performed(execution, {"gpu": "H200"}, 0.5, GPU, "sha")
    assert performed.from_json(performed.to_json(result)) == result
    assert result.execution.outcomes == trail.outcomes
    assert result.binary is not None
    assert result.binary.code is None


def test_numbers_that_json_lacks_travel_too() -> None:
    outcome = run(compiled(filled(RIGHT))).outcomes[0]
    bad = replace(outcome, worst=math.inf, milliseconds=math.nan)
    result = performed.performed(Execution(7, None, None, (bad,)), {}, 0.5, GPU, "sha")
    back = performed.from_json(performed.to_json(result))
    assert back is not None
    assert back.outcomes[0].worst == math.inf
    assert math.isnan(back.outcomes[0].milliseconds or 0)


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]", b"\xff", b'{"seed": "x"}'])
def test_what_is_damaged_is_none(damage: bytes) -> None:
    assert performed.from_json(damage) is None
    assert looked.from_json(damage, Part(SHORT, filled(RIGHT).rubric, ""), gpu_at_hand=True) is None


def kept(means: Means, **changes: Any) -> Performed:
    binary = compiled(filled(RIGHT)).binary if means.compilers else None
    execution = Execution(7, binary, unbuilt=None if binary else Text("无", "none"))
    return replace(performed.performed(execution, {}, 0.5, means, "sha"), **changes)


@pytest.mark.parametrize(
    ("result", "means", "serves"),
    [
        (kept(NVCC), NVCC, True),
        (kept(NVCC), NOTHING, True),
        (kept(NVCC), OTHER_NVCC, False),
        (kept(NVCC), CPU, False),
        (kept(NVCC), GPU, False),
        (kept(NOTHING), NOTHING, True),
        (kept(NOTHING), NVCC, False),
        (kept(CPU), NVCC, True),
        (kept(GPU), GPU, True),
        (kept(GPU), NVCC, True),
        (kept(GPU), OTHER_NVCC, True),
        (kept(GPU), OTHER_GPU, False),
        (kept(GPU, binary=None, unbuilt=Text("无", "none")), GPU, True),
        (kept(GPU, fault=Text("坏", "bad")), GPU, False),
        (kept(GPU, tool_version="0.0.1"), GPU, False),
        (kept(GPU, exercise_sha256="other"), GPU, False),
    ],
)
def test_a_kept_result_serves_only_where_nothing_stronger_is_at_hand(
    result: Performed, means: Means, serves: bool
) -> None:
    assert result.serves(means, "sha") is serves


def test_the_gradebook_is_safe_and_complete() -> None:
    document = as_dict(grade(with_answers(run(compiled(filled(RIGHT))))), "en")
    document["batch"] = {"program_sha256": "0123456789abcdef"}
    students: list[dict[str, Any]] = [
        {"name": '=HYPERLINK("x")', "ids": {"sid": "007"}, "late": True},
        {"name": "O'Brien, Ann\x1b[2J\u202e"},
    ]
    records = [Record(key, document, student) for key, student in zip("ba", students, strict=True)]
    rows = [gradebook.row(record, standing(record.grade, record.marks)) for record in records]
    first, second = csv.DictReader(io.StringIO(gradebook.write(rows).decode("utf-8-sig")))
    assert (first["key"], second["key"]) == ("a", "b")
    assert second["name"] == '\'=HYPERLINK("x")'
    assert (second["id:sid"], second["late"], second["same_program"]) == ("007", "yes", "2")
    assert (second["item:normal"], second["item:q1"]) == ("2", "to_confirm")
    assert first["name"] == r"O'Brien, Ann\u{1b}[2J\u{202e}"
    assert first["id:sid"] == ""


@pytest.mark.parametrize(("value", "gpus"), [("2,0", ("2", "0")), ("GPU-1f", ("GPU-1f",)), ("", ())])
def test_the_gpus_are_those_that_are_visible(
    monkeypatch: pytest.MonkeyPatch, value: str, gpus: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    assert visible_gpus() == gpus


def test_a_machine_with_one_gpu_has_one_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    nodes = tuple(Path("/dev") / name for name in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"))
    monkeypatch.setattr("gemv_grader.batch.lane.device_nodes", lambda: nodes)
    assert visible_gpus() == ("0", "1")
