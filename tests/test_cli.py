"""Every command as a process of its own: what it prints, in both languages, and how it ends."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from commands import NO_NVCC, ROOT, SUBMIT, environment, fake_nvcc, gemv_grade, solution, submit
from trails import ANSWERS, RIGHT

from gemv_grader.cli import COMMANDS

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help_in_both_languages(command: str) -> None:
    ended = gemv_grade(*command.split(), "-h")
    assert ended.code == 0
    assert CHINESE.search(ended.out)
    assert gemv_grade().out == gemv_grade("-h").out


def test_the_version_is_told() -> None:
    assert re.fullmatch(r"gemv-grade, version \d+\.\d+\.\d+\S*\n", gemv_grade("--version").out)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_from_start_to_submit(tmp_path: Path, lang: str) -> None:
    started = gemv_grade("start", "03_gemv", "work", "--lang", lang, cwd=tmp_path)
    assert started.code == 0
    scaffold, answers = tmp_path / "work" / "03_gemv.cu", tmp_path / "work" / "answers.md"
    (command,) = re.findall(r"gemv-grade (submit .*)", started.out)
    command += f" --device none --lang {lang}"

    untouched = gemv_grade(*command.split(), cwd=tmp_path)
    assert untouched.code == 1
    assert ("未作答" if lang == "zh" else "not attempted") in untouched.out

    scaffold.write_text(scaffold.read_text().replace("______", RIGHT))
    answers.write_text(ANSWERS)
    filled = gemv_grade(*command.split(), cwd=tmp_path)
    assert filled.code == 0
    assert "static review only / 仅静态审查" in filled.out.splitlines()[1]
    assert ("3 分待定" if lang == "zh" else "3 pending") in filled.out
    assert ("待人确认" if lang == "zh" else "waits for a person to confirm") in filled.out
    assert bool(CHINESE.search(filled.out.replace("仅静态审查", ""))) == (lang == "zh")


def test_start_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "answers.md").write_text("mine")
    ended = gemv_grade("start", "03_gemv", tmp_path)
    assert ended.code == 2
    assert "exists" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["answers.md"]
    assert (tmp_path / "answers.md").read_text() == "mine"


def test_hints_give_away_more_and_more() -> None:
    hints = [gemv_grade("hint", "03_gemv", "--level", str(level)) for level in (1, 2, 3, 4)]
    assert [hint.code for hint in hints] == [0] * 4
    assert [RIGHT in hint.out for hint in hints] == [False, False, False, True]
    assert "提示 2/4" in gemv_grade("hint", "03_gemv", "--level", "2", "--lang", "zh").out


def test_list_names_the_exercises() -> None:
    assert "03_gemv" in gemv_grade("list").out
    assert "行级并行" in gemv_grade("list", LC_ALL="zh_CN.UTF-8").out, "the language comes from the locale"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_doctor_names_what_is_missing_and_the_mend(lang: str) -> None:
    ended = gemv_grade("doctor", "--lang", lang)
    assert ended.code == 0, "a static review is possible"
    assert "✓ Python" in ended.out
    assert "○ nvcc" in ended.out
    assert NO_NVCC in ended.out
    assert ("锁定和静态审查" if lang == "zh" else "the static review") in ended.out.splitlines()[-1]


@pytest.mark.nvcc
def test_doctor_tries_the_compiler() -> None:
    assert re.search(r"✓ nvcc's trial +sm_\d+", gemv_grade("doctor", NVCC=os.environ.get("NVCC", "")).out)


def test_check_tries_every_fill_against_the_lock() -> None:
    ended = gemv_grade("check", "03_gemv", "--device", "none")
    assert ended.code == 0
    assert ended.out.count("✓") >= 35
    assert "not proved" in ended.out.splitlines()[-1]


def test_try_shows_what_is_expected(tmp_path: Path) -> None:
    path = solution(tmp_path)
    ended = gemv_grade("try", path, "--shape", "3x1024", "--data", "ramp", "--bias", "none")
    assert ended.code == 0
    assert "y[2]" in ended.out
    assert "Nothing was run" in ended.out or "nvcc" in ended.out
    for shape, said in [("3by4", "5x77"), ("3", "MxN"), ("3x4x5", "MxN"), ("0x4", "at least one")]:
        refused = gemv_grade("try", path, "--shape", shape)
        assert refused.code == 2
        assert said in refused.err


@pytest.mark.parametrize(
    ("fill", "code", "verdict"),
    [
        (RIGHT, 0, "unverified"),
        ("______", 1, "not_attempted"),
        ("row_A［col］ * x[col]", 1, "compile_error"),
        ("x[col]++", 3, "rejected"),
    ],
)
def test_the_json_and_the_exit_code(tmp_path: Path, fill: str, code: int, verdict: str) -> None:
    path, report = solution(tmp_path, fill), tmp_path / "grade.json"
    ended = submit(path, "--json", report, "--seed", "7", "--lang", "en")
    assert ended.code == code
    grade = json.loads(report.read_text())
    assert (grade["schema"], grade["verdict"], grade["exercise"]) == (1, verdict, "03_gemv")
    assert grade["submission"]["path"] == str(path)
    assert grade["static_review_only"]
    assert grade["seed"] == ("7" if code == 0 else None)

    alone = submit(path, "--json", "-", "--seed", "7", "--lang", "en")
    assert alone.code == code
    assert alone.err == ""
    for document in (grade, printed := json.loads(alone.out)):
        del document["started_at"], document["seconds"]
    assert printed == grade


def test_the_json_speaks_the_language_of_the_run(tmp_path: Path) -> None:
    grade = json.loads(submit(solution(tmp_path, ""), "--json", "-", "--lang", "zh").out)
    assert "空还没有填" in grade["reasons"][0]


def test_the_json_is_utf_8_whatever_the_terminal_and_the_name(tmp_path: Path) -> None:
    strange, report = tmp_path / "阿达\udcff.cu", tmp_path / "grade.json"
    solution(tmp_path).rename(strange)
    assert submit(strange, "--json", report).code == 0
    alone = submit(strange, "--json", "-", "--lang", "zh", PYTHONIOENCODING="ascii")
    assert alone.code == 0
    for document in (report.read_text(encoding="utf-8"), alone.out):
        assert json.loads(document)["submission"]["path"] == str(strange)
        assert "阿达" in document


def test_no_stale_json_survives_a_failure(tmp_path: Path) -> None:
    report, link = tmp_path / "grade.json", tmp_path / "link.json"
    link.symlink_to(report)
    for target in (report, link):
        report.write_text("old")
        assert submit(tmp_path / "absent.cu", "--json", target).code == 2
        assert not report.exists()
    path = solution(tmp_path)
    assert submit(path, "--json", link, "--receipt", "none").code == 0
    assert json.loads(report.read_text())["verdict"] == "unverified"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["ada.cu", "grade.json", "link.json"]


def test_the_json_goes_through_the_name_of_stdout(tmp_path: Path) -> None:
    command = (*SUBMIT, str(solution(tmp_path)), "--json", "/dev/stdout")
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(command, env=environment(), stdout=out, check=True)
    assert "unverified" in (tmp_path / "out").read_text()


def test_the_json_replaces_no_file_to_be_graded(tmp_path: Path) -> None:
    path = solution(tmp_path)
    before = path.read_text()
    ended = submit(path, "--json", path)
    assert ended.code == 2
    assert "would overwrite" in ended.err
    assert path.read_text() == before


@pytest.mark.parametrize("target", ["absent/grade.json", ".", "/dev/full"])
def test_an_unwritable_json_path_loses_no_report(tmp_path: Path, target: str) -> None:
    ended = submit(solution(tmp_path), "--json", tmp_path / target)
    assert ended.code == 2
    assert "… unverified" in ended.out
    assert f"{tmp_path / target} cannot be written" in ended.err


@pytest.mark.parametrize(
    ("arguments", "zh", "en"),
    [
        (["frobnicate"], "命令写得不对", "No such command"),
        (["submit"], "缺少参数", "Missing argument"),
        (["submit", "--frobnicate"], "没有选项 --frobnicate", "No such option"),
        (["submit", "x.cu", "--device", "moon"], "参数 '--device' 的值不对", "'moon' is not one of"),
        (["submit", "x.cu", "--seed", "-1"], "参数 '--seed' 的值不对", "-1 is not in the range"),
        (["hint", "03_gemv", "--level", "5"], "参数 '--level' 的值不对", "5 is not in the range"),
        (["hint", "99_none"], "99_none", "99_none"),
    ],
)
def test_misuse_is_explained(arguments: list[str], zh: str, en: str) -> None:
    for lang, said in (("zh", zh), ("en", en)):
        ended = gemv_grade("--lang", lang, *arguments, "--lang", lang)
        assert ended.code == 2
        assert ended.out == ""
        assert said in ended.err


def on_a_terminal(path: Path, columns: int, **env: str) -> str:
    """What `submit` shows on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen((*SUBMIT, str(path)), env=environment(TERM="xterm", **env), stdout=theirs) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the other end is closed
            os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_a_terminal_gets_colour_and_a_pipe_plain_lines(tmp_path: Path) -> None:
    path = solution(tmp_path)
    assert COLOUR.search(on_a_terminal(path, 80))
    assert not COLOUR.search(on_a_terminal(path, 80, NO_COLOR="1"))
    piped = submit(path)
    assert "\x1b" not in piped.out
    assert all(line == line.rstrip() for line in piped.out.splitlines())


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_terminal_is_never_too_narrow(tmp_path: Path, columns: int) -> None:
    shown = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(solution(tmp_path), columns))
    assert max(map(len, shown.splitlines())) <= columns


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1"])
def test_any_encoding_of_the_terminal_will_do(tmp_path: Path, encoding: str) -> None:
    command = (*SUBMIT, str(solution(tmp_path)), "--lang", "zh")
    done = subprocess.run(command, env=environment(PYTHONIOENCODING=encoding), capture_output=True, check=False)
    assert done.returncode == 0
    assert b"static review only" in done.stdout
    assert done.stderr == b""


def test_a_reader_that_leaves_early_and_a_full_disk_are_no_verdict(tmp_path: Path) -> None:
    path = solution(tmp_path)
    for options in ([], ["--json", "-"]):
        reading, writing = os.pipe()
        os.close(reading)
        with subprocess.Popen(
            (*SUBMIT, str(path), *options), env=environment(), stdout=writing, stderr=subprocess.PIPE
        ) as process:
            os.close(writing)
            assert process.communicate()[1] == b""
        assert process.returncode == 141
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                (*SUBMIT, str(path), *options), env=environment(), stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 5
        assert b"No space left" in done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("sent", "code", "words"),
    [
        (signal.SIGINT, 130, ["已中断", "/", "Interrupted."]),
        (signal.SIGTERM, 143, []),
        (signal.SIGHUP, 129, []),
    ],
)
def test_an_interrupt_ends_the_compiler_at_once(
    tmp_path: Path, sent: signal.Signals, code: int, words: list[str]
) -> None:
    (tmp_path / "temporary").mkdir()
    pid_file = tmp_path / "pid"
    nvcc = fake_nvcc(tmp_path, f"echo $$ >{pid_file}.new; mv {pid_file}.new {pid_file}; sleep 60")
    command = (*SUBMIT, str(solution(tmp_path)))
    env = environment(NVCC=nvcc, TMPDIR=str(tmp_path / "temporary"))
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE) as process:
        while not pid_file.exists():
            time.sleep(0.01)
        time.sleep(0.5)  # from starting the compiler to waiting for it
        process.send_signal(sent)
        said = process.communicate(timeout=30)[1]
    assert process.returncode == code
    assert said.decode().split() == words
    assert not Path(f"/proc/{pid_file.read_text().strip()}").exists()
    assert not list((tmp_path / "temporary").iterdir())


def test_an_interrupt_while_modules_are_imported_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    ended = gemv_grade("list", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert ended.code == 130
    assert ended.err.split() == ["已中断", "/", "Interrupted."]


def test_the_module_is_the_command(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("gemv-grade")
    done = subprocess.run((script, "list"), env=environment(), capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == gemv_grade("list").out


@pytest.mark.gpu
@pytest.mark.nvcc
@pytest.mark.parametrize(
    ("fill", "code", "verdict"),
    [
        (RIGHT, 0, "correct"),
        ("row_A[tid] * x[tid]", 1, "wrong"),
        ("row_A[col] * x[col] + 0.0f * bias[row]", 1, "crashed"),
        ("row_a[col] * x[col]", 1, "compile_error"),
    ],
)
def test_verdicts_of_a_gpu(tmp_path: Path, fill: str, code: int, verdict: str) -> None:
    path = solution(tmp_path, fill)
    ended = gemv_grade("submit", path, "--device", "gpu", "--json", "-", NVCC="")
    assert ended.code == code
    grade = json.loads(ended.out)
    assert grade["verdict"] == verdict
    assert not grade["static_review_only"]
    assert grade["evidence"] == ("compiled" if verdict == "compile_error" else "gpu")


@pytest.mark.gpu
@pytest.mark.nvcc
def test_try_on_a_gpu_shows_computed_beside_expected(tmp_path: Path) -> None:
    ended = gemv_grade("try", solution(tmp_path), "--shape", "5x77", "--bias", "none", NVCC="")
    assert ended.code == 0
    assert len(re.findall(r"y\[\d\] .* ✓", ended.out)) == 5
