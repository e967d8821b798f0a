"""What every command needs to know about the person at the terminal."""

from __future__ import annotations

import locale
import os
from dataclasses import dataclass

import click

from gemv_grader.words import Lang


@dataclass(frozen=True)
class Session:
    """Settings shared by all commands of one call."""

    lang: Lang


def default_lang() -> Lang:
    """Chinese where the locale says so, English elsewhere (environment first, as gettext does)."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


def _set_lang(ctx: click.Context, _parameter: click.Parameter, lang: Lang | None) -> None:
    if lang is not None:
        ctx.obj = Session(lang=lang)


lang_option = click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    default=None,
    expose_value=False,
    callback=_set_lang,
    help="语言 / Language (default: from the locale).",
)
"""``--lang`` after the command's name, where people expect it; also allowed before it."""
