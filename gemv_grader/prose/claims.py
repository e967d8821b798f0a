"""Finds claims of a run: a pasted log, a speed that was reached, the words "I ran it on ...".

What is said to be expected, looked up or not run is no claim. Whether a claim is true is for the receipt to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gemv_grader.prose.normal import Normal, normalise

Kind = Literal["statement", "log"]

_DEVICE = re.compile(
    r"\b(?:nvidia )?(?:geforce )?(?:rtx|gtx)\s?(?:a|pro )?\d{3,4}(?:\s?(?:ti|super|laptop gpu|laptop))*"
    r"|\btesla\s?[a-z]?\d+|\bjetson\s?\w+|\btitan\s?\w+|\bmi\d{3}x?\b|\bg[bh]200\b"
    r"|\b(?:a(?:10g?|16|30|40|100|800|[2456]000)|[hb][1238]00|h20|v100s?|l20|l40s?|[tlp]4|p40|p100|k80|m60)\b"
    r"(?:[ -]?(?:sxm\d?|pcie|\d{2,3}gb))?|\b[2345]0[5-9]0(?:\s?(?:ti|super))?\b"
)
_NUMBER = r"(?<![\d.])\d{1,9}(?:\.\d{1,9})?\s{0,3}"
_SPEED = re.compile(_NUMBER + r"(?:gb/s|gib/s|tb/s|gbps|gflops?(?:/s)?|tflops?(?:/s)?|ms\b|us\b|µs|μs|毫秒|微秒)")
_RAN = re.compile(
    r"实测|跑了|跑过|跑通|跑下来|跑出|跑完(?:测试|用例|的结果|之?后输出)|跑的结果|能跑到[^\n。,]{0,10}\d|运行了|运行过|运行得到|运行后|我测|测了|测过"
    r"|测得|测下来|测试通过|全部通过|都通过了|实际运行|实验(?:结果|表明|显示)|编译并运行"
    r"|在[^\n。,]{0,16}(?:上|卡)(?:实际)?(?:跑|测|运行)"
    r"|测试(?:都|全|全都)过了|我[^\n。,]{0,16}试了(?:一下|一次|几次|试)|(?:nsight|ncu|nvprof)[^\n。,]{0,20}(?:显示|报告|给出|测出)"
    r"|\b(?:i|we)(?:'ve| have)? (?:ran|tested|measured|benchmarked|timed|profiled|tried)\b|\bbenchmarked\b"
    r"|\b(?:i|we)(?:'ve| have) run\b|\b(?:i|we) run (?:it|this|my|the (?:kernel|program|code|binary))\b"
    r"|\b(?:nsight(?: compute)?|ncu|nvprof) (?:reports?|shows?|says?|gave|measured)\b"
    r"|\b(?:it|this|which|kernel) took (?:about |around |only )?\d"
    r"|\b(?:i|we) (?:have )?(?:try|run|test|measure)\b[^\n.]{0,30}\bon (?:a |an |the |my )?(?:rtx|gtx|tesla|[ahvtl]\d)"
    r"|\bprofiler (?:says?|shows?|tells?|reports?|gave|said)\b"
    r"|\bran (?:it|this|the|on|fine|ok)\b|\btested on\b|\bmeasured (?:on|with|at|\d)|\boutput on my\b"
    r"|\b(?:it|which|kernel) (?:reached|reaches|achieved|got|hits)\b|\ball (?:\d+ )?(?:cases|tests) pass(?:ed)?\b"
    r"|\bon my (?:gpu|card|machine|laptop|rtx|gtx|pc|box)"
)
_LOG = (
    re.compile(r"\b[mn]\s*=\s*\d+|\b\d{2,5}\s?x\s?\d{2,5}\b|\bshape\b"),
    re.compile(
        r"\b(?:(?:max_?(?:abs_?)?(?:err|diff)\w*|max (?:err|diff|error)\w*|err(?:or)?|diff)\b|max ?\|(?:err|diff)\w*\|)"
        r"\s*[=:]?\s*\d"
    ),
    re.compile(r"\b(?:pass(?:ed)?|ok|fail(?:ed)?|success)\b"),
    re.compile(_NUMBER + r"(?:gb/s|tb/s|ms\b|us\b)"),
    re.compile(r"\b(?:device|gpu ?\d*|driver|cuda)\s*[:\]]?\s*(?:\d+\s*:)?\s*(?:nvidia|tesla|geforce|rtx|\d+\.\d+)"),
)
_LOG_ALONE = re.compile(
    r"error summary: \d|^\s*(?:\(\w+\) )?(?:ps [a-z]:\\|\$ |>>> |\./\w)\S|\[gpu\d\]|nvidia-smi|==\d+==|========= "
)
_NOT_RUN = re.compile(
    r"(?:不是|并非|非)[^\n。,]{0,4}(?:实测|跑出来)"
    r"|(?:没|没有|未|无法|不能|没法|从未|尚未)[^\n。,]{0,6}(?:跑|运行|实测|测|编译)(?!时|错误|出错|异常)|待(?:验证|实测|测)"
    r"|(?:应|应该|应当|最好|需要|建议|可以|再)[^\n。,]{0,4}(?:实测|测|跑)"
    r"|实测[^\n。,]{0,2}(?:应|该|会)|(?:要|得|待|需)在[^\n。,]{0,16}(?:测|跑|运行)"
    r"|(?:\bnot|n't|\bnever|\bwithout|\bunable to)\b[^\n.]{0,20}\b(?:run|ran|tested|measured|compiled|profil\w*)"
    r"|\b(?:should|would|could|might|expect\w*|estimate\w*|theoretical\w*|predict\w*|to be measured|by profiling)\b"
    r"|理论|预计|估计|估算|标称|峰值|如果|假如|假设|若|要是|课上|课件|讲义|教材|论文|博客|资料|官方|规格|按[^\n。]{0,20}算|会(?:是|报|达)|大概能"
)
# A run on the CPU that is told as one is passed off as nothing else.
_ON_A_CPU = re.compile(r"模拟|仿真|cpu ?上|emulat|simulat|\b(?:on|by) (?:the |my |a )?cpu\b|--device cpu")
_STATIC_ONLY = re.compile(
    r"静态(?:审查|检查|分析)|没有?(?:实际)?(?:运行|跑)(?!时|错误|出错|异常|问题|满|完|出)|未(?:实际)?运行"
    r"|static(?:ally)? (?:review|analysis|check)"
    r"|(?:not|n't|never) (?:been )?(?:actually )?(?:run|executed|compiled or run)\b"
    r"|(?:no|without a) (?:nvidia |cuda )?gpu"
)
# What a line below the heading "run output" shows as output, however it is worded.
_FIGURE = re.compile(r"\b(?:tested|works|all correct)\b|\d\.\d|[=:]\s{0,3}[-+]?\d|\d\s{0,3}/\s{0,3}\d|✓|✗")
_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"(?:[^\n。!?！？;；.]|\.(?!\s|$))+")
# Below this many signs of a log a line is prose that happens to mention a size or an error.
_SIGNS = 2


@dataclass(frozen=True)
class Claim:
    """The student's characters [start, end) that say or show that something was run."""

    kind: Kind
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Claims:
    """What a text claims of runs. ``static_only``: it says that nothing was run, and so claims nothing."""

    found: tuple[Claim, ...]
    devices: tuple[str, ...]
    speeds: tuple[str, ...]
    static_only: bool

    @property
    def measured(self) -> bool:
        """Whether the text passes something off as run; a log contradicts the remark that nothing was."""
        logs = any(claim.kind == "log" for claim in self.found)
        return logs or (bool(self.found) and not self.static_only)


def claims(text: str, *, is_output: bool = False) -> Claims:
    """The claims of a run in ``text``; linear time. ``is_output``: it stands where run output was asked for."""
    normal = normalise(text)
    found = tuple(_found(text, normal, is_output=is_output))
    said = " ".join(_of_runs(normal)) if found else ""
    return Claims(
        found=found,
        devices=tuple(dict.fromkeys(match[0] for match in _DEVICE.finditer(said))),
        speeds=tuple(dict.fromkeys(match[0] for match in _SPEED.finditer(said))),
        static_only=_says_static_only(normal.text),
    )


def _says_static_only(text: str) -> bool:
    """Whether some sentence says so that does not itself tell of a run, as "beside the static review I ran it" does."""
    if _STATIC_ONLY.search(text) is None:
        return False
    return any(_STATIC_ONLY.search(said[0]) and not _is_claim(said[0]) for said in _SENTENCE.finditer(text))


def _of_runs(normal: Normal) -> Iterator[str]:
    """The sentences and lines that can speak of a run: claims, and what stands around them in a log."""
    for line in normal.text.split("\n"):
        if not _is_speech(line):
            if _NOT_RUN.search(line) is None:
                yield line
        else:
            yield from (sentence[0] for sentence in _SENTENCE.finditer(line) if _is_claim(sentence[0]))


def _found(text: str, normal: Normal, *, is_output: bool) -> Iterator[Claim]:
    for line in _LINE.finditer(normal.text):
        if _is_log(line[0]):
            yield _claim("log", text, normal, line.start(), line.end())
            continue
        if is_output and _shows_output(line[0]):
            yield _claim("statement", text, normal, line.start(), line.end())
            continue
        for sentence in _SENTENCE.finditer(line[0]):
            if _is_claim(sentence[0]):
                yield _claim("statement", text, normal, line.start() + sentence.start(), line.start() + sentence.end())


def _is_log(line: str) -> bool:
    signs = sum(sign.search(line) is not None for sign in _LOG)
    return (signs >= _SIGNS and _NOT_RUN.search(line) is None and not _is_speech(line)) or bool(_LOG_ALONE.search(line))


def _is_speech(line: str) -> bool:
    return len(line) > 160 or sum("\u4e00" <= character <= "\u9fff" for character in line) > 12


def _is_claim(sentence: str) -> bool:
    if _NOT_RUN.search(sentence) or _RAN.search(sentence) is None:
        return False
    return _ON_A_CPU.search(sentence) is None or _DEVICE.search(sentence) is not None


def _shows_output(line: str) -> bool:
    if _NOT_RUN.search(line) or _STATIC_ONLY.search(line) or _ON_A_CPU.search(line):
        return False
    shown = (*_LOG, _SPEED, _DEVICE, _FIGURE)
    return any(sign.search(line) for sign in shown)


def _claim(kind: Kind, text: str, normal: Normal, start: int, end: int) -> Claim:
    first, last = normal.span(start, end)
    return Claim(kind, first, last, text[first:last])
