"""Answers that nobody should hand in, through the command itself: no crash, and nothing of them acts on a terminal."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from pathlib import Path

import pytest
from commands import solution, submit

M = 1 << 20
SOUND = "因为相邻线程读相邻的列，所以合并访存。"
CLAIM = "我在 RTX 4090 上实测 \u202e300 GB/s\u200b\x1b[31m 全部通过 \x1b]0;mine\x07"


def form(text: str, heading: str = "Q2") -> bytes:
    return f"## {heading}\n{text}\n## Q3\nso\n".encode()


HOSTILE = {
    "one line of 1 MB": form((SOUND * M)[: M // 3]),
    "350,000 lines": form("a\n" * (M // 3)),
    "headings": b"## Q2\nx\n" * (M // 8),
    "numbered lines": b"q1: x\n" * (M // 6),
    "10,000 repeated terms": form("合并访存、coalesced " * 10_000),
    "bidi and zero width": form("\u202e\u2066\u200b因为\u200d\ufeff" * 1000 + SOUND),
    "emoji": form("👩‍👩‍👧‍👦🔥因为🔥所以" * 10_000),
    "control characters": form("\x1b[2J\x1b]0;title\x07\x00\x08" + CLAIM),
    "a claim with escapes": form(CLAIM, "Run output"),
    "broken UTF-8": b"## Q2\n" + bytes(range(128, 256)) * 1000,
    "random bytes": b"## Q2\n" + hashlib.shake_128(b"").digest(M),
    "NUL": b"## Q2\n" + b"\0" * M,
    "HTML": form("<script>alert(1)</script><p onclick='x'>因为 &lt;<b>合并</b>" * 1000),
    "open tags and brackets": form("<div " * 50_000 + "<[({" * 50_000),
    "comment marks": form("<!--" * (M // 4)),
    "fences": form("```\n" * (M // 4)),
    "numbers": form("1.5 ms PASS M=3 " * (M // 16), "Run output"),
    "a huge number": form("9" * 10_000 + " GB/s 实测", "Run output"),
    "nothing": b"",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_answers_are_read_and_shown_escaped(tmp_path: Path, name: str) -> None:
    answers, report = tmp_path / "answers.md", tmp_path / "grade.json"
    answers.write_bytes(HOSTILE[name])
    ended = submit(solution(tmp_path), "--answers", answers, "--json", report, "--lang", "zh")
    assert ended.code == 0
    assert ended.err == ""
    hidden = {c for c in ended.out if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c != "\n"}
    assert hidden == set()
    assert len(ended.out) < 20_000
    grade = json.loads(report.read_text(encoding="utf-8"))
    assert grade["verdict"] == "unverified"
    for item in grade["score"]["items"]:
        assert item["suggested"] <= item["points"]


def test_a_claim_with_escapes_is_quoted_without_them(tmp_path: Path) -> None:
    answers = tmp_path / "answers.md"
    answers.write_bytes(HOSTILE["a claim with escapes"])
    shown = submit(solution(tmp_path), "--answers", answers, "--lang", "en").out
    assert r"我在 RTX 4090 上实测 \u{202e}300 GB/s\u{200b}\u{1b}[31m 全部通过" in shown
    assert "suspected" in shown


def test_more_lines_than_are_read_are_told(tmp_path: Path) -> None:
    answers = tmp_path / "answers.md"
    answers.write_bytes(b"## Q1\nmine\n" + b"x\n" * 20_001 + b"## Q2\nlost\n")
    grade = json.loads(submit(solution(tmp_path), "--answers", answers, "--json", "-").out)
    assert "answers_cut" in {finding["id"] for finding in grade["findings"]}
