"""Receipts of runs: written beside a submission, read back, and held against what the answers tell of a run."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from classes import batch, grades
from commands import ROOT, Ended, gemv_grade, solution, submit
from numpy_device import open_numpy
from trails import ANSWERS, RIGHT, SHORT, by_thread, compiled, filled, handed_in, run, with_answers

from gemv_grader.grade import grade
from gemv_grader.pipeline import Request, follow
from gemv_grader.receipt import MAX_BYTES, Receipt, from_json, to_json
from gemv_grader.record import receipt_of
from gemv_grader.report.json_report import as_dict
from gemv_grader.support import Weighed, weigh
from gemv_grader.trail import Trail
from gemv_grader.words import CaseStatus, Evidence

CARD = "NVIDIA GeForce RTX 4090"
CLAIM = "我在 RTX 4090 上实测，24 例全部通过。"
CLAIMING = ANSWERS.replace("static review only", CLAIM)
VETO = "unrun_claimed_as_measured"


def on_gpu(fill: str = RIGHT) -> Trail:
    """A run on a student's own card."""
    return replace(run(compiled(filled(fill))), environment={"name": CARD})


def receipt(fill: str = RIGHT) -> Receipt:
    made = receipt_of(on_gpu(fill))
    assert made is not None
    return made


def without_gpu(text: str = CLAIMING, given: Receipt | None = None) -> Trail:
    """What a grader without a GPU holds in hand."""
    return replace(with_answers(compiled(filled(RIGHT)), text), gpu_at_hand=False, receipt=given)


def weighed(trail: Trail) -> Weighed:
    found = weigh(trail)
    assert found is not None
    return found


def test_a_receipt_tells_of_the_run_and_survives_a_round_trip() -> None:
    made = receipt()
    assert (made.evidence, made.device, made.seed) == (Evidence.GPU, CARD, "20240229")
    assert [case.id for case in made.cases] == [case.id for case in SHORT.cases]
    assert all((case.status, case.milliseconds) == (CaseStatus.PASSED, 0.25) for case in made.cases)
    assert from_json(to_json(made)) == made
    assert receipt("row_A[col]*x[col]").sha256 == made.sha256, "layout makes no other program"
    assert receipt("x[col] * row_A[col]").sha256 != made.sha256


def test_what_has_no_program_has_no_receipt() -> None:
    for trail in (filled(""), filled("x[col]++"), handed_in(b"")):
        assert receipt_of(trail) is None
    looked_at = receipt_of(filled(RIGHT))
    assert looked_at is not None
    assert (looked_at.evidence, looked_at.device, looked_at.cases) == (Evidence.STATIC, None, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"receipt": 1', '"receipt": 2'),
        ('"evidence": "gpu"', '"evidence": "certain"'),
        ('"milliseconds": 0.25', '"milliseconds": NaN'),
        ('"milliseconds": 0.25', '"milliseconds": -1'),
        ('"status": "passed"', '"status": "excellent"'),
        ('"seed": "20240229"', '"seed": "1; rm"'),
        ('"cases": [', '"cases": "all", "more": ['),
        ('"device"', '"points": 10, "device"'),
        ("{", "[" * 100_000),
        (CARD, "x" * 501),
        (CARD, "\ud800"),
    ],
)
def test_what_is_no_receipt_is_refused(old: str, new: str) -> None:
    text = to_json(receipt()).decode()
    assert old in text
    assert from_json(text.replace(old, new, 1).encode("utf-8", "surrogatepass")) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b"\xff\xfe", b" " * MAX_BYTES + b"{}"])
def test_any_bytes_are_read_without_harm(data: bytes) -> None:
    assert from_json(data) is None


STRANGE = replace(receipt(), cases=receipt().cases[:-1])
UNTIMED = replace(receipt(), cases=tuple(replace(case, milliseconds=None) for case in receipt().cases))
NAMELESS = replace(receipt(), device=None)
EMULATED = replace(receipt(), evidence=Evidence.EMULATED, device=None)


@pytest.mark.parametrize(
    ("given", "support", "state"),
    [
        (None, "none", "suspected"),
        (receipt(), "receipt", "cleared"),
        (receipt("x[col] * row_A[col]"), "other_program", "suspected"),
        (EMULATED, "no_gpu", "suspected"),
        (STRANGE, "inconsistent", "suspected"),
        (UNTIMED, "inconsistent", "suspected"),
        (NAMELESS, "inconsistent", "suspected"),
    ],
)
def test_a_claim_needs_a_receipt_that_fits(given: Receipt | None, support: str, state: str) -> None:
    found = weighed(without_gpu(given=given))
    assert (found.support, found.state) == (support, state)
    (veto,) = [veto for veto in grade(without_gpu(given=given)).score.vetoes if veto.id == VETO]
    assert (veto.state, veto.reason) == (state, found.reason)
    quote = CLAIM.rstrip("。")
    for said in (veto.reason.zh, veto.reason.en):
        assert (quote in said) is (state == "suspected")
    assert ("有依据" in veto.reason.zh, "supported: " in veto.reason.en) == ((state == "cleared"),) * 2


def test_a_receipt_that_cannot_be_read_supports_nothing() -> None:
    found = weighed(replace(without_gpu(), receipt_damaged=True))
    assert (found.support, found.state) == ("inconsistent", "suspected")


def test_our_own_run_supports_a_claim_and_a_receipt_cannot_outweigh_what_we_found() -> None:
    ours = with_answers(on_gpu(), CLAIMING)
    assert (weighed(ours).support, weighed(ours).state) == ("this_run", "cleared")
    wrong = with_answers(run(compiled(filled(RIGHT)), by_thread, Evidence.EMULATED), CLAIMING)
    found = weighed(replace(wrong, receipt=receipt()))
    assert (found.support, found.state) == ("inconsistent", "suspected"), "it passes there and fails here"


@pytest.mark.parametrize("given", [None, receipt(), EMULATED])
@pytest.mark.parametrize(
    "said", ["仅静态审查", "静态审查，没有 GPU，没有运行", "Static review only: nothing was run.", ""]
)
def test_static_review_only_is_honest(said: str, given: Receipt | None) -> None:
    found = weighed(without_gpu(ANSWERS.replace("static review only", said), given))
    assert (found.claimed.measured, found.claimed.static_only, found.state) == (False, bool(said), "cleared")


def test_a_claim_is_found_in_any_section_and_quoted_from_the_file() -> None:
    text = "## Explanation\r\n> quoted\r\nA\r\n\r\nI ran it on an A100. It was fast.\r\n## Q2\n实测 300 GB/s\n"
    document = as_dict(grade(without_gpu(text)), "en")["claims"]
    assert document["measured"]
    assert document["support"] == "none"
    assert [quote["text"] for quote in document["quotes"]] == ["I ran it on an A100", "实测 300 GB/s"]
    assert all(text[quote["start"] : quote["end"]] == quote["text"] for quote in document["quotes"])


@pytest.mark.parametrize(
    ("said", "contradictions"),
    [
        ("在 4090 上跑了，每例 0.3 ms", 0),
        ("RTX 4090 Laptop? 不，RTX 4090 上实测 0.26 毫秒", 0),
        ("ran it on an A100: 0.25 ms", 1),
        ("I measured 9.9 TB/s on my RTX 4090", 1),
        ("实测：A100，0.9 秒内完成，2039 GB/s", 2),
        ("device: Tesla T4\nM=4096 N=4096 max_err 3e-5 PASS 27.1 ms", 2),
    ],
)
def test_what_differs_from_the_record_is_set_beside_it(said: str, contradictions: int) -> None:
    text = ANSWERS.replace("static review only", said)
    for trail in (without_gpu(text, receipt()), with_answers(on_gpu(), text)):
        found = weighed(trail)
        assert found.claimed.measured
        assert len(found.contradictions) == contradictions
        document = as_dict(grade(trail), "zh")["claims"]["contradictions"]
        assert [entry["said"] for entry in document] == [c.said for c in found.contradictions]
        assert all(entry["said"] in said.lower() and entry["recorded"] for entry in document)


def test_another_device_than_the_receipts_is_for_a_person_but_other_figures_are_only_shown() -> None:
    elsewhere = weighed(without_gpu(ANSWERS.replace("static review only", "ran it on an A100"), receipt()))
    assert (elsewhere.support, elsewhere.state) == ("receipt", "suspected")
    assert CARD in elsewhere.reason.en
    faster = weighed(without_gpu(ANSWERS.replace("static review only", "ran it on my 4090: 999 GB/s"), receipt()))
    assert (faster.support, faster.state, len(faster.contradictions)) == ("receipt", "cleared", 1)
    ours = weighed(with_answers(on_gpu(), ANSWERS.replace("static review only", "ran it on an A100")))
    assert (ours.support, ours.state) == ("this_run", "cleared"), "the student's card need not be ours"


def test_all_passed_is_set_beside_cases_that_did_not() -> None:
    found = weighed(with_answers(replace(run(compiled(filled("row_A[tid] * x[tid]")), by_thread)), CLAIMING))
    assert [c.said for c in found.contradictions if "did not pass" in c.recorded.en] == [CLAIM]


# -- the files, by the command itself -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def full_receipt(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The receipt of a run of the whole exercise on a GPU, as far as a receipt can tell."""
    with open_numpy({RIGHT: np.multiply}) as device:
        made = receipt_of(follow(Request(solution(tmp_path_factory.mktemp("run"))), device))
    assert made is not None
    return to_json(replace(made, device=CARD, cases=tuple(replace(case, milliseconds=0.01) for case in made.cases)))


def graded(ended: Ended) -> dict[str, str]:
    claims = json.loads(ended.out)["claims"]
    veto = next(veto for veto in json.loads(ended.out)["score"]["vetoes"] if veto["id"] == VETO)
    return {"support": claims["support"], "state": veto["state"]}


@pytest.mark.parametrize("flat", [False, True])
def test_in_a_batch_a_receipt_handed_in_beside_the_program_is_held_against_the_answers(
    tmp_path: Path, full_receipt: bytes, flat: bool
) -> None:
    source, out = tmp_path / "class", tmp_path / "grades"
    source.mkdir()
    for name in ("ada", "bob", "cid"):
        home = source if flat else source / name
        home.mkdir(exist_ok=True)
        stem = name if flat else "03_gemv"
        solution(tmp_path, "x[col] * row_A[col]" if name == "cid" else RIGHT).rename(home / f"{stem}.cu")
        (home / (f"{name}.answers.md" if flat else "answers.md")).write_text(CLAIMING, encoding="utf-8")
        if name != "bob":
            (home / f"{stem}.receipt.json").write_bytes(full_receipt)

    def supports() -> dict[str, str]:
        return {name: grade["claims"]["support"] for name, grade in grades(out).items()}

    batch(source, out)
    assert supports() == {"ada": "receipt", "bob": "none", "cid": "other_program"}
    late = source / ("bob.receipt.json" if flat else "bob/03_gemv.receipt (1).json")
    late.write_bytes(full_receipt)
    batch(source, out)
    assert supports()["bob"] == "receipt", "a receipt that came later is a new submission"


def test_submit_writes_a_receipt_and_reads_it_again(tmp_path: Path) -> None:
    path, kept, answers = solution(tmp_path), tmp_path / "ada.receipt.json", tmp_path / "answers.md"
    answers.write_text(CLAIMING)
    first = submit(path, "--answers", answers, "--json", "-", "--lang", "en")
    assert graded(first) == {"support": "none", "state": "suspected"}
    written = from_json(kept.read_bytes())
    assert written is not None
    assert (written.evidence, written.device) == (Evidence.STATIC, None)
    assert graded(submit(path, "--answers", answers, "--json", "-")) == {"support": "no_gpu", "state": "suspected"}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["ada.cu", "ada.receipt.json", "answers.md"]


def test_a_receipt_of_a_stronger_run_is_kept_and_supports_the_claim(tmp_path: Path, full_receipt: bytes) -> None:
    path, kept, answers = solution(tmp_path), tmp_path / "ada.receipt.json", tmp_path / "answers.md"
    answers.write_text(CLAIMING)
    kept.write_bytes(full_receipt)
    ended = submit(path, "--answers", answers, "--json", "-", "--lang", "en")
    assert graded(ended) == {"support": "receipt", "state": "cleared"}
    assert "ada.receipt.json was kept" in ended.err
    assert kept.read_bytes() == full_receipt
    shown = submit(path, "--answers", answers, "--lang", "en").out
    assert CLAIM.rstrip("。") in shown
    assert "supported: it fits the student's own receipt" in shown

    solution(tmp_path, "x[col] * row_A[col]")
    other = submit(path, "--answers", answers, "--json", "-")
    assert graded(other) == {"support": "other_program", "state": "suspected"}
    assert other.err == ""
    assert kept.read_bytes() != full_receipt, "the receipt of another program makes way"


def test_a_receipt_can_be_named_and_is_then_only_read(tmp_path: Path, full_receipt: bytes) -> None:
    path, answers, named = solution(tmp_path), tmp_path / "answers.md", tmp_path / "handed-in.json"
    answers.write_text(CLAIMING)
    named.write_bytes(full_receipt)
    options = ("--answers", answers, "--json", "-", "--receipt")
    assert graded(submit(path, *options, named)) == {"support": "receipt", "state": "cleared"}
    named.write_text("{}")
    assert graded(submit(path, *options, named)) == {"support": "inconsistent", "state": "suspected"}
    assert named.read_text() == "{}"
    assert graded(submit(path, *options, "none")) == {"support": "none", "state": "suspected"}
    assert not (tmp_path / "ada.receipt.json").exists()
    for missing in (tmp_path / "absent.json", tmp_path, "/dev/zero"):
        ended = submit(path, *options, missing)
        assert ended.code == 2
        assert "--receipt" in ended.err


@pytest.mark.parametrize("content", ["mine", "{}", "", '{"receipt": 1}'])
def test_nothing_is_written_over_that_is_not_ours(tmp_path: Path, content: str) -> None:
    path, theirs = solution(tmp_path), tmp_path / "ada.receipt.json"
    theirs.write_text(content)
    ended = submit(path, "--lang", "en")
    assert ended.code == 0
    assert "none of ours" in ended.err
    assert theirs.read_text() == content


def test_links_and_special_files_in_its_place_are_left_alone(tmp_path: Path, full_receipt: bytes) -> None:
    path, place, target = solution(tmp_path), tmp_path / "ada.receipt.json", tmp_path / "target.json"
    target.write_bytes(full_receipt)
    for make in (partial(place.symlink_to, target), partial(os.mkfifo, place), place.mkdir):
        make()
        ended = submit(path, "--lang", "en")
        assert ended.code == 0
        assert "No receipt was written" in ended.err
        place.rmdir() if place.is_dir() else place.unlink()
    assert target.read_bytes() == full_receipt


def test_a_receipt_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    path = solution(tmp_path).rename(tmp_path / f"{'a' * 248}.cu")
    ended = submit(path, "--lang", "en")
    assert ended.code == 0
    assert "was not written" in ended.err
    assert list(tmp_path.iterdir()) == [path]


def test_the_json_may_not_take_the_receipts_place(tmp_path: Path, full_receipt: bytes) -> None:
    path, kept = solution(tmp_path), tmp_path / "ada.receipt.json"
    kept.write_bytes(full_receipt)
    assert submit(path, "--json", kept).code == 2
    assert kept.read_bytes() == full_receipt


def test_our_own_report_pasted_is_a_claim_only_if_it_tells_of_a_gpu(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    emulated = readme.partition("A wrong submission on a machine without a GPU")[2].split("```")[1]
    static = submit(solution(tmp_path), "--lang", "zh").out
    for pasted, measured in ((emulated, False), (static, False), ("All 24 cases passed on the GPU.", True)):
        assert pasted
        assert weighed(without_gpu(f"## Run output\n{pasted}\n")).claimed.measured is measured


@pytest.mark.gpu
@pytest.mark.nvcc
def test_a_run_on_a_gpu_leaves_a_receipt_that_supports_the_answers_elsewhere(tmp_path: Path) -> None:
    path, answers = solution(tmp_path), tmp_path / "answers.md"
    answers.write_text(CLAIMING.replace("RTX 4090", "这块 GPU"), encoding="utf-8")
    options = ("--answers", answers, "--json", "-")
    here = gemv_grade("submit", path, "--device", "gpu", *options, NVCC=os.environ.get("NVCC", ""))
    assert graded(here) == {"support": "this_run", "state": "cleared"}
    written = from_json((tmp_path / "ada.receipt.json").read_bytes())
    assert written is not None
    assert written.evidence is Evidence.GPU
    assert written.device == json.loads(here.out)["environment"]["name"]
    assert written.toolchain is not None
    assert all(case.milliseconds for case in written.cases)
    assert graded(submit(path, *options)) == {"support": "receipt", "state": "cleared"}
