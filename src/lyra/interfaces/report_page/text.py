"""Markdown of a report as HTML in which every character of the text is text.

Only the tags that the template itself uses (`<u>`, `<br>`, `<details>`, `<summary>`, without attributes) have a meaning, and only
in pairs; any other HTML is shown as written. Links and pictures are shown as their text: the page loads and leads to nothing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

Aside = Callable[[int], str]

_TAGS = {"u", "details", "summary"}
_TAG = re.compile(r"<(/?)([a-z]+)\s*/?>", re.IGNORECASE)
_CLAIM = re.compile(r"^[#＃]\s*(\d{1,9})\s*[:：]")
_PLAIN = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "strong": "strong",
    "em": "em",
    "s": "s",
}
# Headings of the report stand below the page's own.
_DEEPEST = 6


class _Writer:
    """Writes tokens one after the other; knows which of the allowed tags are open."""

    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._parts: list[str] = []
        self._open: list[str] = []
        self._floor = 0

    def html(self, tokens: Sequence[Any]) -> str:
        for at, token in enumerate(tokens):
            self._block(token, tokens[at + 1] if at + 1 < len(tokens) else None)
        self._parts += [f"</{tag}>" for tag in reversed(self._open)]
        return "".join(self._parts)

    def _block(self, token: Any, following: Any) -> None:
        kind, _, side = token.type.rpartition("_")
        if token.type == "inline":
            self._paragraph(token)
        elif kind == "heading":
            self._heading(token, side, following)
        elif kind in _PLAIN and side in ("open", "close"):
            if not token.hidden:
                self._parts.append(f"<{'/' if side == 'close' else ''}{_PLAIN[kind]}>")
        elif token.type in ("fence", "code_block"):
            self._parts.append(f"<pre><code>{escape(token.content)}</code></pre>")
        elif token.type == "hr":
            self._parts.append("<hr>")
        elif token.type == "html_block":
            self._own_tags(token.content)

    def _paragraph(self, token: Any) -> None:
        """Write a run of text; a tag that it opens ends with it at the latest, and it ends none that was open before."""
        outside, self._floor = self._floor, len(self._open)
        for child in token.children or ():
            self._inline(child)
        while len(self._open) > self._floor:
            self._parts.append(f"</{self._open.pop()}>")
        self._floor = outside

    def _heading(self, token: Any, side: str, following: Any) -> None:
        tag = f"h{min(_DEEPEST, int(token.tag[1]) + 1)}"
        if side == "close":
            self._parts.append(f"</{tag}>")
            return
        claim = _CLAIM.match(following.content) if following is not None else None
        self._parts.append(f'<{tag} id="claim-{int(claim[1])}">{self._aside(int(claim[1]))}' if claim else f"<{tag}>")

    def _inline(self, token: Any) -> None:
        kind, _, side = token.type.rpartition("_")
        if token.type in ("text", "text_special"):
            self._parts.append(escape(token.content))
        elif token.type == "code_inline":
            self._parts.append(f"<code>{escape(token.content)}</code>")
        elif token.type == "softbreak":
            self._parts.append("\n")
        elif token.type == "hardbreak":
            self._parts.append("<br>")
        elif token.type == "html_inline":
            self._own_tags(token.content)
        elif token.type == "image":
            self._parts.append(escape(token.content))
        elif kind in _PLAIN:
            self._parts.append(f"<{'/' if side == 'close' else ''}{_PLAIN[kind]}>")

    def _own_tags(self, content: str) -> None:
        """Write HTML of the source: the allowed tags as tags while they pair up, everything else as text."""
        done = 0
        for match in _TAG.finditer(content):
            self._parts.append(escape(content[done : match.start()]))
            self._parts.append(self._tag(match))
            done = match.end()
        self._parts.append(escape(content[done:]))

    def _tag(self, match: re.Match[str]) -> str:
        closes, name = match[1] == "/", match[2].lower()
        if name == "br" and not closes:
            return "<br>"
        if name in _TAGS and not closes:
            self._open.append(name)
            return f"<{name}>"
        if closes and len(self._open) > self._floor and self._open[-1] == name:
            self._open.pop()
            return f"</{name}>"
        return escape(match[0])


def report_html(source: str, badges: Mapping[int, str]) -> str:
    """Return the report's HTML. `badges` gives HTML to put before the title of a claim's section, by claim id."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - costs start-up time that only pages may pay

    text = source.removeprefix("\ufeff").replace("\r\n", "\n")
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return _Writer(lambda claim: badges.get(claim, "")).html(tokens)
