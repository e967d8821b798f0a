"""`submit` on whatever people hand it, on machines that fail it: a clear message, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import ROOT, SUBMIT, copy_of_installation, environment, fake_nvcc, gemv_grade, solution, submit
from trails import EXERCISE, RIGHT

SCAFFOLD = EXERCISE.scaffold
FILLED = SCAFFOLD.replace("______", RIGHT)
BIG5 = "".join(c for c in FILLED if c.isascii()).replace("#include", "// 第一個練習\n#include", 1)

# Content, exit code, verdict, and words of the English report.
FILES = {
    "empty": (b"", 3, "rejected", "The file is empty"),
    "blanks": (b" \n\n\t", 3, "rejected", "The file is empty"),
    "binary": (bytes(range(256)) * 40, 3, "rejected", "NUL byte"),
    "compiled": (b"\x7fELF\x02" + bytes(500), 3, "rejected", "a compiled program"),
    "truncated": (FILLED[: len(FILLED) // 2].encode(), 3, "rejected", "The file ends at line"),
    "50_megabytes": (b"// x\n" * 10_000_000, 3, "rejected", "over 1 MiB"),
    "nul": (FILLED.replace("int row", "int\0row").encode(), 3, "rejected", "NUL byte"),
    "two_programs": (FILLED.encode() * 2, 3, "rejected", "holds the program twice"),
    "wrong_exercise": (b'#include <cstdio>\nint main() { puts("hello"); }\n' * 9, 3, "rejected", "another program"),
    "20000_brackets": (
        SCAFFOLD.replace("______", "(" * 20_000 + "x[col]" + ")" * 20_000).encode(),
        3,
        "rejected",
        "20",
    ),
    "not_filled": (SCAFFOLD.encode(), 1, "not_attempted", "not filled in"),
    "utf16": (FILLED.encode("utf-16"), 0, "unverified", RIGHT),
    "gbk": (FILLED.encode("gbk"), 0, "unverified", RIGHT),
    "big5": (BIG5.encode("big5"), 0, "unverified", RIGHT),
    "cr_only": (FILLED.replace("\n", "\r").encode(), 0, "unverified", RIGHT),
    "magic": (f"%%writefile gemv.cu\n{FILLED}".encode(), 0, "unverified", RIGHT),
    "fence": (f"```cuda\n{FILLED}```\n".encode(), 0, "unverified", RIGHT),
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_every_kind(tmp_path: Path, name: str) -> None:
    content, code, verdict, said = FILES[name]
    path = tmp_path / f"{name}.cu"
    path.write_bytes(content)
    ended = submit(path, "--json", tmp_path / "grade.json")
    assert ended.code == code
    assert said in ended.out
    assert ended.err == ""
    assert json.loads((tmp_path / "grade.json").read_text())["verdict"] == verdict
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "zh", "en"),
    [
        ("absent.cu", "找不到文件", "There is no file"),
        ("folder", "是一个文件夹。请给出其中的 .cu 文件，一次一个", "is a folder. Name a .cu file in it"),
        ("dangling.cu", "失效的链接", "is a dangling link"),
        ("loop.cu", "无法读取", "cannot be read"),
        ("pipe", "不是普通文件", "is not a regular file"),
        ("/dev/zero", "不是普通文件", "is not a regular file"),
        ("/proc/self/mem", "无法读取", "cannot be read"),  # even root cannot read its first byte
        ("x" * 300, "无法读取", "cannot be read"),
    ],
)
def test_what_is_no_readable_file(tmp_path: Path, name: str, zh: str, en: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling.cu").symlink_to("gone")
    (tmp_path / "loop.cu").symlink_to("loop.cu")
    os.mkfifo(tmp_path / "pipe")
    for lang, said in (("zh", zh), ("en", en)):
        ended = submit(tmp_path / name, "--lang", lang)
        assert ended.code == 2
        assert ended.out == ""
        assert said in ended.err


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = solution(tmp_path)
    path.chmod(0)
    # Root reads everything, unless it gives up the capabilities for that.
    prefix = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    ended = submit(path, prefix=prefix)
    assert ended.code == 2
    assert "Permission denied" in ended.err


def test_a_strange_name_is_shown_harmlessly(tmp_path: Path) -> None:
    strange = tmp_path / "\x1b[31m\u202e\udcff.cu"
    shutil.move(solution(tmp_path), strange)
    ended = submit(strange)
    assert ended.code == 0
    assert r"\u{1b}[31m\u{202e}\u{dcff}.cu" in ended.out


def test_a_name_forges_no_line_of_the_report(tmp_path: Path) -> None:
    strange = tmp_path / "a\n✓ correct\n.cu"
    shutil.move(solution(tmp_path), strange)
    ended = submit(strange)
    assert ended.code == 0
    assert "✓ correct" in ended.out.splitlines()[0]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (None, 2, "Cannot read the answers file"),
        (b"", 0, "has no headings"),
        ("我都会，不写了。".encode(), 0, "has no headings"),
        (bytes(range(256)), 0, "has no headings"),
        (b"# x\n" * 2_000_000, 2, "over 4 MB"),
        (EXERCISE.answers_form.encode(), 0, "not answered"),
    ],
)
def test_answers_of_every_kind(tmp_path: Path, content: bytes | None, code: int, said: str) -> None:
    answers = tmp_path / "answers.md"
    if content is not None:
        answers.write_bytes(content)
    ended = submit(solution(tmp_path), "--answers", answers)
    assert ended.code == code
    assert said in ended.said


@pytest.mark.parametrize("option", ["--answers", "--rubric"])
@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_answers_and_rubrics_are_regular_files(tmp_path: Path, option: str, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    ended = submit(solution(tmp_path), option, tmp_path / name)
    assert ended.code == 2
    assert "not a regular file" in ended.err


def test_a_rubric_with_a_typo_is_refused_with_its_line(tmp_path: Path) -> None:
    text = (ROOT / "rubrics" / "03_gemv.yaml").read_text()
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text(text.replace("passes_at:", "passes_att:"))
    line = text.splitlines().index("passes_at: 8") + 1
    for lang in ("zh", "en"):
        ended = submit(solution(tmp_path), "--rubric", rubric, "--lang", lang)
        assert ended.code == 2
        assert ended.out == ""
        assert f"{rubric}:{line}: " in ended.err
        assert "passes_at" in ended.err


def test_an_unknown_exercise(tmp_path: Path) -> None:
    ended = submit(solution(tmp_path), "--exercise", "99_none")
    assert ended.code == 2
    assert "03_gemv" in ended.err, "what there is, is named"


def test_no_gpu_where_one_is_asked_for(tmp_path: Path) -> None:
    ended = gemv_grade("submit", solution(tmp_path), "--device", "gpu", CUDA_VISIBLE_DEVICES="")
    assert ended.code in (2, 5)
    assert "GPU" in ended.said


@pytest.mark.parametrize(
    ("script", "version", "code", "verdict", "said"),
    [
        ("", None, 0, "unverified", "which is not there"),
        ("exit 1", "11.2", 0, "unverified", "too old"),
        ("sleep 60", "13.0", 5, "grader_fault", "hangs"),
        ("kill -SEGV $$", "13.0", 5, "grader_fault", "pristine scaffold"),
        ("head -c 100000000 /dev/zero; exit 1", "13.0", 5, "grader_fault", "pristine scaffold"),
        ("echo 'fatal error: No space left on device'; exit 1", "13.0", 5, "grader_fault", "disk space"),
        ("echo \"nvcc error : 'cicc' died due to signal 9\"; exit 1", "13.0", 5, "grader_fault", "memory"),
        ("echo 'nvcc fatal   : Cannot find compiler'; exit 1", "13.0", 5, "grader_fault", "g++"),
    ],
)
def test_compilers_of_every_kind(
    tmp_path: Path, *, script: str, version: str | None, code: int, verdict: str, said: str
) -> None:
    nvcc = fake_nvcc(tmp_path, script, version) if version else str(tmp_path / "absent")
    options = ("--json", tmp_path / "grade.json")
    ended = submit(solution(tmp_path), *options, NVCC=nvcc, GEMV_GRADE_COMPILE_SECONDS="0.5")
    assert ended.code == code
    assert said in ended.out
    grade = json.loads((tmp_path / "grade.json").read_text())
    assert grade["verdict"] == verdict
    assert grade["score"]["pending"] == 3, "never a zero"


def test_an_nvcc_that_hangs_before_it_compiles(tmp_path: Path) -> None:
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("#!/bin/sh\nsleep 60\n")
    nvcc.chmod(0o755)
    ended = submit(solution(tmp_path), NVCC=str(nvcc), GEMV_GRADE_COMPILE_SECONDS="0.5")
    assert ended.code == 5
    assert "did not answer --version within 0.5 seconds" in ended.out


def test_no_room_for_files(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    done = subprocess.run(
        (*SUBMIT, str(solution(tmp_path))),
        env=environment(NVCC=fake_nvcc(tmp_path, "exit 1"), GEMV_GRADE_CACHE=str(tmp_path / "cache")),
        preexec_fn=limit,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 5
    assert "There is no disk space left" in done.stdout
    assert done.stderr == ""


def _tiny_disk(directory: Path, size: str) -> tuple[str, ...]:
    """What to put before a command so that ``directory`` is a disk of that size for it alone."""
    mount = f'mount -t tmpfs -o size={size} none "{directory}" && exec "$@"'
    return ("unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c", mount, "sh")


@pytest.mark.nvcc
@pytest.mark.parametrize("size", ["8k", "64k"])
def test_a_full_disk_under_a_real_nvcc(tmp_path: Path, size: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    prefix = _tiny_disk(disk, size)
    if subprocess.run((*prefix, "true"), capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    options = ("--device", "none")
    ended = gemv_grade(
        "submit", solution(tmp_path), *options, prefix=prefix, TMPDIR=str(disk), NVCC=os.environ.get("NVCC", "")
    )
    assert ended.code == 5
    assert "There is no disk space left" in ended.out


@pytest.mark.parametrize("lost", ["exercises", "rubrics"])
def test_an_incomplete_installation(tmp_path: Path, lost: str) -> None:
    copy_of_installation(tmp_path)
    shutil.rmtree(tmp_path / lost)
    ended = gemv_grade("list", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert ended.code == 5
    assert "Incomplete installation" in ended.err
