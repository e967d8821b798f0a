"""Text from a student's bytes, whatever editor wrote them: UTF-8, UTF-16, UTF-32, GB18030, Big5 or Shift-JIS.

Programs are mostly ASCII with a few comments, too little for general detectors, so the legacy encodings are
told apart by whether the characters they give are ones that people write: a wrong guess gives rare ones.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

# Longer marks first: the mark of UTF-16-LE begins that of UTF-32-LE.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# The Python codec that reads each encoding. cp932 and cp950 are what Windows editors write under these names.
_LEGACY = {"gb18030": "gb18030", "big5": "cp950", "shift_jis": "cp932", "windows-1252": "cp1252"}

_COMMON = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方"
    "后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它"
    "合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条"
    "只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资"
    "边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北"
    "造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车"
    "例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫"
    "且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克"
    "何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调"
    "满县局照参红细引听该铁价严龙行列乘矩阵块线程存储访问共享归约循环偏移指针变量函数参数返回负责索引越界核启动合并"
    "編輯這個個們為時會來對說過還沒與關線數據處問題開發應該將從長門間實現結點電機學習單變動進運張號維規約樣幾塊記憶"
    "體執緒併讀寫區輸陣負責連續選擇標準轉換條級較後無於當並總經國東車義務點讓誰給錯誤測試檔碼註解檢查確認邊緣減層"
    "処理計算値配列変数関数行読込書並列総和共有回毎要素番号各始終戻結果加共用的単純確認高速化検索実行対応図説明"
)

_KANA = ("\u3040", "\u30ff")
_PUNCTUATION = (("\u3000", "\u303f"), ("\uff01", "\uff5e"))  # of CJK texts, and full-width ASCII
_BROKEN = (("\ufffd", "\ufffd"), ("\ue000", "\uf8ff"), ("\x80", "\x9f"))  # unreadable, private use, control

# Rare characters say little about a text with few of them, wrong guesses give them in numbers.
_COMMON_WORTH, _LETTER_WORTH, _RARE_WORTH, _ODD_WORTH, _BROKEN_WORTH = 1.0, 0.2, 0.0, -1.0, -3.0


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_BEYOND_ASCII_BYTE = re.compile(rb"[\x80-\xff]")
_SAMPLE, _ENOUGH = 1 << 16, 5_000  # bytes, and characters beyond ASCII among them, tell encodings apart


@dataclass(frozen=True)
class Decoded:
    """Text without its byte order mark, and the name of the encoding it came from."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Decode bytes that should be text. Never raises: what cannot be read becomes U+FFFD."""
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(name, errors="replace"), name)
    if wide := _utf16_without_mark(data):
        return Decoded(data.decode(wide, errors="replace"), wide)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _most_plausible(data)


def encode_character(character: str, encoding: str) -> bytes:
    """The bytes of one character in an encoding that `decode` named; empty if it has none."""
    return character.encode(codec(encoding), errors="ignore")


def codec(encoding: str) -> str:
    """Python's codec for an encoding that `decode` named."""
    return _LEGACY.get(encoding, encoding)


def _utf16_without_mark(data: bytes) -> str | None:
    """ASCII text in UTF-16 has NUL in every other byte: in the odd places if the low byte comes first."""
    first, second = data[0::2].count(0), data[1::2].count(0)
    if max(first, second) < len(data) * 0.1 or min(first, second) > max(first, second) * 0.25:
        return None  # too few for ASCII text, or on both sides; some are there by chance, as in U+4E00
    return "utf-16-le" if second > first else "utf-16-be"


def _most_plausible(data: bytes) -> Decoded:
    first = _BEYOND_ASCII_BYTE.search(data)
    sample = data[first.start() :][:_SAMPLE] if first else b""
    best = max(("utf-8", *_LEGACY), key=lambda name: plausibility(sample.decode(codec(name), errors="replace")))
    return Decoded(data.decode(codec(best), errors="replace"), best)


def plausibility(text: str) -> float:
    """Mean worth of the characters beyond ASCII: high for a text that people would write."""
    beyond = _BEYOND_ASCII.findall(text)[:_ENOUGH]
    return sum(map(_worth, beyond)) / len(beyond) if beyond else 0.0


@lru_cache(maxsize=4096)
def _worth(character: str) -> float:
    if character in _COMMON or _KANA[0] <= character <= _KANA[1]:
        return _COMMON_WORTH
    if any(first <= character <= last for first, last in _PUNCTUATION):
        return _COMMON_WORTH / 2
    if any(first <= character <= last for first, last in _BROKEN):
        return _BROKEN_WORTH
    if "\u4e00" <= character <= "\u9fff":
        return _RARE_WORTH
    return _LETTER_WORTH if "\xc0" <= character <= "\xff" else _ODD_WORTH
