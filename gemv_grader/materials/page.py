"""The text of a small web page: what a platform's editor makes of an answer typed into it.

The standard library's HTML parser takes minutes for a file of unfinished tags; this one is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

# The lookahead keeps a name whole: given up letter by letter, an unfinished tag would be tried in every length.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>", re.IGNORECASE)
_BLOCKS = frozenset({
    "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "header", "hr", "main", "ol",
    "p", "pre", "section", "table", "td", "th", "tr", "ul",
})  # fmt: skip
_UNSEEN = frozenset({"script", "style", "head", "title", "template"})
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}


def page_text(html: str) -> str:
    """The page's text, a line for each block; headings and list items get their Markdown marks."""
    text = "\n".join(line.strip() for line in "".join(_parts(_without_comments(html))).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _without_comments(html: str) -> str:
    parts = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        parts.append(html[at:start])
        end = html.find("-->", start)
        if end < 0:
            return "".join(parts)
        at = end + len("-->")
    return "".join([*parts, html[at:]])


def _parts(html: str) -> Iterator[str]:
    at, unseen, preformatted = 0, 0, 0
    for tag in _TAG.finditer(html):
        if not unseen:
            yield _words(html[at : tag.start()], preformatted > 0)
            yield _break(tag["name"].lower(), bool(tag["end"]))
        at = tag.end()
        step = -1 if tag["end"] else 1
        unseen = max(0, unseen + step * (tag["name"].lower() in _UNSEEN))
        preformatted = max(0, preformatted + step * (tag["name"].lower() == "pre"))
    if not unseen:
        yield _words(html[at:], preformatted > 0)


def _words(data: str, preformatted: bool) -> str:
    text = unescape(data)
    return text if preformatted else re.sub(r"[\s\xa0]+", " ", text)


def _break(tag: str, is_end: bool) -> str:
    """What a tag puts between the words around it."""
    if tag in _HEADINGS:
        return "\n" if is_end else f"\n\n{_HEADINGS[tag]} "
    if tag == "li":
        return "" if is_end else "\n- "
    return "\n" if tag in _BLOCKS else ""
