"""HTML from a learning platform as plain text of the same length, so that every offset stays what it was."""

from __future__ import annotations

import html
import re

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>h[1-6]|strong|b|p|div|br|li|ul|ol|tr|table|tbody|thead|td|th|hr|section|article|blockquote|pre|code"
    r"|span|em|i|u|s|sub|sup|font|a|img|html|body|head|meta|link|title|center|small|mark|figure|details|summary)\b[^<>]{0,2000}/?>",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"<(script|style)\b[^<>]{0,2000}>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10});")
_LOOKS_LIKE_HTML = re.compile(r"<(?:p|div|br|span|strong|h[1-6]|li|body|html|b|table)\b[^<>]{0,2000}>", re.IGNORECASE)
_BLOCKS = frozenset(
    {"p", "div", "br", "li", "ul", "ol", "tr", "table", "tbody", "thead", "hr", "pre", "body", "html"}
    | {"section", "article", "blockquote"}
)


def without_html(text: str) -> str:
    """``text`` with tags blanked and entities decoded; headings and bold become Markdown. Length is kept."""
    if not _LOOKS_LIKE_HTML.search(text):
        return text
    text = _HIDDEN.sub(lambda match: " " * len(match[0]), text)
    text = _TAG.sub(_plain, text)
    return _ENTITY.sub(lambda match: _padded(html.unescape(match[0]).replace("\xa0", " "), match[0]), text)


def _plain(match: re.Match[str]) -> str:
    name, closes = match["name"].lower(), bool(match["close"])
    if name[0] == "h" and name[1:].isdigit():
        return _padded("\n" if closes else "\n#", match[0])
    if name in ("strong", "b"):
        return _padded("**", match[0])
    return _padded("\n" if name in _BLOCKS else "", match[0])


def _padded(text: str, instead_of: str) -> str:
    """``text`` at the length of what it replaces; where it would be longer, blanks."""
    return text + " " * (len(instead_of) - len(text)) if len(text) <= len(instead_of) else " " * len(instead_of)
