"""Turns a YAML document into a frozen pydantic model, and says what does not fit in the words of the file."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from typing import Annotated, TypeVar

# Pydantic would look for plugins in the metadata of every installed package: a tenth of a second for nothing.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from gemv_grader.words import Text
from gemv_grader.yamlfile import Document, Location, Problem


class Model(BaseModel):
    """Base of what is read from YAML: frozen, no coercion (``"3"`` is not 3), unknown keys refused.

    Validators are built on first use: most models are only ever validated as a part of another.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


M = TypeVar("M", bound=Model)


def parse(document: Document, model: type[M]) -> M:
    """The document as a ``model``; raises DataProblem that lists every mistake with its line and mend."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise document.problem(_problems_of(error, document, model)) from None


def _bilingual(value: object) -> Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, Mapping) and set(value) == {"zh", "en"}:
        zh, en = value["zh"], value["en"]
        if isinstance(zh, str) and isinstance(en, str) and zh.strip() and en.strip():
            return Text(zh=zh.strip(), en=en.strip())
    raise PydanticCustomError("bilingual", "not a text in two languages")


BilingualText = Annotated[Text, BeforeValidator(_bilingual)]
"""A field written as ``{zh: ..., en: ...}``; neither language may be missing or empty."""

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$")]
"""An identifier that is safe in file names, JSON, HTML and on the command line."""


def _problems_of(error: ValidationError, document: Document, model: type[BaseModel]) -> Iterator[Problem]:
    details = error.errors(include_url=False)
    for detail in details:
        location: Location = detail["loc"]
        if any(location == other["loc"][: len(location)] and location != other["loc"] for other in details):
            continue  # a list counts only its sound entries: what is wrong with the others says it better
        if detail["type"] == "missing":
            yield Problem(location, _MISSING.format(key=location[-1]), _ADD_IT)
        elif detail["type"] == "extra_forbidden":
            key = str(location[-1])
            yield Problem(location, _UNKNOWN.format(key=key), _mend_unknown(key, model))
        else:
            yield Problem(location, *_wrong_value(_key_at(location, document), detail))


def _key_at(location: Location, document: Document) -> str:
    """The last key of the file on the way to ``location``, which may end in pydantic's own names."""
    while location and not (location in document.lines and isinstance(location[-1], str)):
        location = location[:-1]
    return str(location[-1]) if location else "?"


def _mend_unknown(key: str, model: type[BaseModel]) -> Text:
    near = difflib.get_close_matches(key, _known_keys(model), n=1, cutoff=0.6)
    return _DID_YOU_MEAN.format(near=near[0]) if near else _REMOVE_IT


def _known_keys(model: type[BaseModel]) -> list[str]:
    schema = model.model_json_schema()
    shapes = [schema, *schema.get("$defs", {}).values()]
    return sorted({key for shape in shapes for key in shape.get("properties", {})})


def _wrong_value(key: str, detail: ErrorDetails) -> tuple[Text, Text]:
    context = detail.get("ctx", {})
    wanted = _WANTED.get(detail["type"])
    if wanted is None:
        message = detail["msg"]
        return _REFUSED.format(key=key, message=message), _CORRECT_IT
    limits = {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in context.items()}
    if "expected" in limits:
        limits["expected"] = limits["expected"].replace(" or ", ", ")
    return _WRONG.format(key=key, value=_shown(detail["input"])), wanted.format(**limits)


def _shown(value: object) -> str:
    """The offending value, cut to what fits in a line."""
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 40 else text[:37] + "..."


_MISSING = Text(zh="缺少键“{key}”", en='the key "{key}" is missing')
_ADD_IT = Text(zh="请补上", en="add it")
_UNKNOWN = Text(zh="未知的键“{key}”", en='unknown key "{key}"')
_DID_YOU_MEAN = Text(zh="是否想写“{near}”？", en='did you mean "{near}"?')
_REMOVE_IT = Text(zh="请删除或改正", en="remove it or correct its spelling")
_WRONG = Text(zh="“{key}”的值 {value} 不合适", en='{value} does not fit "{key}"')
_REFUSED = Text(zh="“{key}”的值不合适（{message}）", en='the value of "{key}" does not fit ({message})')
_CORRECT_IT = Text(zh="请改正", en="correct it")

_WHOLE = Text(zh="请写一个整数", en="write a whole number")
_NUMBER = Text(zh="请写一个数", en="write a number")
_STRING = Text(zh="请写一段文字（看起来像数的要加引号）", en="write text (quoted if it looks like a number)")
_LIST = Text(zh="请写一个列表", en="write a list")
_MAPPING = Text(zh="请写“键: 值”", en="write `key: value` pairs")
_ONE_OF = Text(zh="请从这些里选：{expected}", en="choose one of {expected}")
_LENGTH = Text(zh="请检查条目的个数", en="check the number of entries")

_WANTED = {
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "bool_type": Text(zh="请写 true 或 false", en="write true or false"),
    "string_type": _STRING,
    "string_too_short": Text(zh="请填写，不要留空", en="fill it in"),
    "string_pattern_mismatch": Text(
        zh="标识只用小写字母、数字和下划线", en="use only lower-case letters, digits and underscores"
    ),
    "tuple_type": _LIST,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "literal_error": _ONE_OF,
    "enum": _ONE_OF,
    "too_short": _LENGTH,
    "too_long": _LENGTH,
    "greater_than": Text(zh="请写大于 {gt} 的数", en="write a number above {gt}"),
    "greater_than_equal": Text(zh="请写不小于 {ge} 的数", en="write a number of at least {ge}"),
    "less_than_equal": Text(zh="请写不大于 {le} 的数", en="write a number of at most {le}"),
    "bilingual": Text(
        zh='请写成 {{zh: "中文", en: "English"}}，两种语言都不能空',
        en='write {{zh: "中文", en: "English"}} with both languages filled in',
    ),
}
