"""A submission: what a student handed in, read as text, or refused with a reason.

The text keeps the line numbers of the student's file: a notebook magic or a Markdown fence around the code is
blanked, not removed. Line ends become ``\\n``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gemv_grader.encoding import decode, encode_character
from gemv_grader.errors import UsageProblem
from gemv_grader.files import NotRegularError, read_at_most
from gemv_grader.words import Finding, Place, Severity, Text

MAX_BYTES = 1 << 20

# Encodings in which the second byte of a character can be 0x5C, the code of a backslash.
_BACKSLASH_ENCODINGS = frozenset({"gb18030", "big5", "shift_jis"})

_UNDECODED = re.compile(r"[\ufffd\x00-\x08\x0e-\x1f]")  # not decoded, or a control character
_LINE_END = re.compile(r"\r\n?")
_MAGIC = re.compile(r"%%\w.*")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*")
# Only the first kind matters; the others are matched so that a `//` inside them is not taken for one.
_LINE_COMMENT = re.compile(
    r"(?P<line>//[^\n]*)|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?", re.DOTALL
)


@dataclass(frozen=True)
class Submission:
    """One file of a student's. ``refusal`` says why it cannot be graded; its ``text`` is empty then.

    ``sha256`` is of the file's bytes, of a file over the size limit only of its beginning.
    """

    path: Path | None
    student: str
    sha256: str
    encoding: str
    text: str
    findings: tuple[Finding, ...] = ()
    refusal: Text | None = None

    @property
    def file_name(self) -> str:
        """What to call the file in a message: its name without the directories."""
        return self.path.name if self.path else self.student


def read_submission(path: Path, student: str | None = None) -> Submission:
    """Read the file at ``path``; ``student`` defaults to its name without the suffix.

    Raises UsageProblem if there is no readable file there. What a file holds never raises.
    """
    return from_bytes(read_bytes(path, MAX_BYTES), student or path.stem, path)


def read_bytes(path: Path, limit: int) -> bytes:
    """What the file at ``path`` holds, of a file over ``limit`` bytes the first ``limit + 1``.

    Raises UsageProblem if there is no readable file there.
    """
    try:
        return read_at_most(path, limit + 1)
    except IsADirectoryError:
        raise UsageProblem(_DIRECTORY.format(path=path)) from None
    except NotRegularError:
        raise UsageProblem(_SPECIAL.format(path=path)) from None
    except FileNotFoundError:
        raise UsageProblem((_DANGLING if path.is_symlink() else _MISSING).format(path=path)) from None
    except (OSError, ValueError) as error:
        raise UsageProblem(_UNREADABLE.format(path=path, reason=_reason(error))) from None


def from_bytes(data: bytes, name: str, path: Path | None = None) -> Submission:
    """The submission of the student ``name`` whose file holds ``data``. Never raises."""
    sha256 = hashlib.sha256(data).hexdigest()
    if refusal := _refusal_of_bytes(data):
        return Submission(path, name, sha256, "binary", "", refusal=refusal)
    decoded = decode(data)
    text = _LINE_END.sub("\n", decoded.text).removesuffix("\x1a")  # Ctrl-Z ends old DOS files
    findings = (*_swallowed_lines(text, decoded.encoding), *_stray_returns(decoded.text))
    text = _unwrapped(text)
    if refusal := _refusal_of_text(text):
        return Submission(path, name, sha256, decoded.encoding, "", refusal=refusal)
    return Submission(path, name, sha256, decoded.encoding, text, findings)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _refusal_of_bytes(data: bytes) -> Text | None:
    if not data:
        return EMPTY
    if len(data) > MAX_BYTES:
        return OVERSIZE
    kind = next((kind for magic, kind in _SIGNATURES if data.startswith(magic)), None)
    return FOREIGN.format(kind=kind) if kind else None


def _refusal_of_text(text: str) -> Text | None:
    if not text.strip():
        return EMPTY
    if "\0" in text:
        return NUL.format(line=text.count("\n", 0, text.index("\0")) + 1)
    if len(_UNDECODED.findall(text)) > len(text) * 0.05:
        return BINARY
    start = text.lstrip().lower()
    kind = next((kind for opening, kind in _FOREIGN_TEXTS if start.startswith(opening)), None)
    if kind is NOTEBOOK and '"cells"' not in text:
        kind = None
    return FOREIGN.format(kind=kind) if kind else None


def _unwrapped(text: str) -> str:
    """The text with a notebook magic and a Markdown fence around the code blanked."""
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for number in filled[:2]:  # a fence around a cell that begins with a magic, or the other way round
        line = lines[number].strip()
        if not (_MAGIC.fullmatch(line) or _FENCE.fullmatch(line)):
            break
        lines[number] = ""
    for number in filled[-1:]:
        if _FENCE.fullmatch(lines[number].strip()):
            lines[number] = ""
    return "\n".join(lines)


def _swallowed_lines(text: str, encoding: str) -> Iterator[Finding]:
    """A finding for each `//` comment whose last byte is a backslash's: compilers join the next line."""
    if encoding not in _BACKSLASH_ENCODINGS:
        return
    for match in _LINE_COMMENT.finditer(text):
        comment = (match["line"] or "").rstrip()
        if comment[-1:] > "\x7f" and encode_character(comment[-1], encoding).endswith(b"\\"):
            end = match.start() + len(comment) - 1
            message = BACKSLASH_COMMENT.format(character=comment[-1], encoding=encoding.upper())
            yield Finding("backslash_comment", Severity.WARNING, message, _place(text, end))


def _stray_returns(text: str) -> Iterator[Finding]:
    """A finding if lines end in different ways, some in CR alone, which compilers do not see as an end."""
    if "\n" in text and (stray := re.search(r"\r(?![\r\n])", text)):
        line = len(re.findall(r"\r\n?|\n", text[: stray.start()])) + 1
        yield Finding("stray_carriage_return", Severity.WARNING, STRAY_RETURN, Place(line, 1))


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


EMPTY = Text(
    zh="文件是空的。请确认保存并交了写好的那个 .cu 文件。",
    en="The file is empty. Check that you saved your work and handed in the right .cu file.",
)
OVERSIZE = Text(
    zh="文件超过 1 MiB，不可能是这个练习的源代码。请只交 .cu 源文件。",
    en="The file is over 1 MiB, too large to be the source of this exercise. Hand in the .cu source alone.",
)
BINARY = Text(
    zh="文件不是文本（含大量无法识别的字节）。请交 .cu 源文件，最好存为 UTF-8。",
    en="The file is not text: many of its bytes are unreadable. Hand in the .cu source, best saved as UTF-8.",
)
NUL = Text(
    zh="第 {line} 行含 NUL 字节，文件可能已损坏。请用编辑器重新存为 UTF-8 再交。",
    en="Line {line} holds a NUL byte; the file may be damaged. Save it again as UTF-8 in your editor.",
)
FOREIGN = Text(
    zh="这是{kind}，不是 CUDA 源文件。请交其中的代码，存为 .cu 文本文件。",
    en="This is {kind}, not CUDA source. Hand in the code itself, saved as a .cu text file.",
)
BACKSLASH_COMMENT = Text(
    zh="这行 // 注释以“{character}”结尾；在 {encoding} 编码里它的最后一个字节是反斜杠 0x5C，"
    "编译器会把下一行也当成注释。评分不受影响；请把文件存为 UTF-8，或在行尾加一个句号。",
    en='This // comment ends in "{character}", whose last byte in {encoding} is 0x5C, a backslash: a '
    "compiler takes the next line for a part of the comment. Grading is not affected; save the file "
    "as UTF-8, or end the line with a full stop.",
)
STRAY_RETURN = Text(
    zh="这行只以回车 CR 结尾，而别的行以 LF 结尾；编译器不把单独的 CR 当换行，行尾注释会吞掉下一行。请统一换行符。",
    en="This line ends in a lone CR while others end in LF. Compilers do not see a lone CR as a line "
    "end, so a // comment there would swallow the next line. Use one kind of line end.",
)

NOTEBOOK = Text(zh="Jupyter 笔记本", en="a Jupyter notebook")
_ZIP = Text(zh="压缩包或 Word 文档", en="an archive or a Word document")
_COMPILED = Text(zh="编译好的程序", en="a compiled program")
_IMAGE = Text(zh="图片", en="a picture")
_SIGNATURES = (
    (b"PK\x03\x04", _ZIP),
    (b"\x1f\x8b", _ZIP),
    (b"7z\xbc\xaf", _ZIP),
    (b"Rar!", _ZIP),
    (b"\xd0\xcf\x11\xe0", _ZIP),
    (b"\x7fELF", _COMPILED),
    (b"MZ\x90", _COMPILED),
    (b"%PDF", Text(zh="PDF 文件", en="a PDF file")),
    (b"\x89PNG", _IMAGE),
    (b"\xff\xd8\xff", _IMAGE),
)
_FOREIGN_TEXTS = (
    ("{\\rtf", Text(zh="RTF 文档", en="an RTF document")),
    ("<!doctype html", Text(zh="网页", en="a web page")),
    ("<html", Text(zh="网页", en="a web page")),
    ("{", NOTEBOOK),
)

_MISSING = Text(
    zh="找不到文件 {path}。请检查路径和拼写。", en="There is no file {path}. Check the path and its spelling."
)
_DANGLING = Text(
    zh="{path} 是一个失效的链接，它指向的文件不存在。请给出真正的文件。",
    en="{path} is a dangling link: the file it points to does not exist. Name the file itself.",
)
_DIRECTORY = Text(
    zh="{path} 是一个文件夹。请给出其中的 .cu 文件，一次一个。",
    en="{path} is a folder. Name a .cu file in it, one at a time.",
)
_SPECIAL = Text(zh="{path} 不是普通文件。请给出一个 .cu 文件。", en="{path} is not a regular file. Name a .cu file.")
_UNREADABLE = Text(
    zh="无法读取 {path}（{reason}）。请检查文件权限。",
    en="{path} cannot be read ({reason}). Check its permissions.",
)
