"""The templates, ready to render: everything is escaped, and a name that a template misspells is an error."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gemv_grader.report.pages import words
from gemv_grader.report.plain import printable
from gemv_grader.words import Lang, Text

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = "style.css"


def render(template: str, view: object, lang: Lang) -> bytes:
    """A whole page, as UTF-8. ``view`` is what the template calls ``v``. Raises what a template gone wrong raises."""
    page = _environment().get_template(template)
    return page.render(v=view, t=_said(lang), lang="zh-CN" if lang == "zh" else "en").encode("utf-8", "replace")


def address(key: str) -> str:
    """A student's key as a part of a relative address."""
    return quote(key, safe="", errors="surrogatepass")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    """One for the process: a template is compiled once, and kept."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    style = (_TEMPLATES / _STYLE).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment.globals["style"] = Markup(style)  # noqa: S704 - a file of the package
    environment.globals["policy"] = f"default-src 'none'; style-src 'sha256-{digest}'"
    environment.filters["address"] = address
    environment.filters["points"] = points
    return environment


def points(value: float) -> str:
    """Points without zeros that say nothing."""
    return f"{value:g}"


def _shown(value: Any) -> Any:
    """Every value on its way into a page: control, bidi and invisible characters are spelt out."""
    if type(value) is str:
        return value if value.isascii() and value.isprintable() else printable(value)
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@lru_cache(maxsize=2)
def _said(lang: Lang) -> SimpleNamespace:
    """The pages' fixed words in one language, by name; groups of them by key."""

    def said(value: object) -> object:
        if isinstance(value, Text):
            return value.say(lang)
        return {key: said(each) for key, each in value.items()} if isinstance(value, dict) else value

    return SimpleNamespace(**{name.lower(): said(value) for name, value in vars(words).items() if name.isupper()})
