"""What an HTML page says beside its text: in comments, attributes, metadata, and in the characters of its entities."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lyra.core.page_safety import ATTRIBUTE, COMMENT, METADATA, Unseen
from lyra.providers.unseen import invisible_messages, unseen_texts

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_SPOKEN = ("alt", "title", "aria-label", "aria-description", "aria-roledescription", "placeholder", "summary", "label", "content")
# Attributes of machines: addresses, sizes, names. A text in them has blanks or is not ASCII.
_WORDS = re.compile(r"\S\s+\S+\s+\S|[^\x00-\x7f]{6}")
_MAX_ATTRIBUTE_LENGTH = 20_000
_STRING_IN_JSON = re.compile(r'"((?:[^"\\]|\\.){12,})"')


def comments(source: str) -> list[Unseen]:
    """Return the comments of a page's source."""
    return unseen_texts(COMMENT, (match[1] for match in _COMMENT.finditer(source)))


def unseen_values(page: "HtmlElement") -> list[Unseen]:
    """Return what attributes, metadata and invisible characters of a page say. The page must still be whole."""
    return [
        *unseen_texts(ATTRIBUTE, _attributes(page)),
        *unseen_texts(METADATA, _metadata(page)),
        *invisible_messages(page.text_content()),
    ]


def _attributes(page: "HtmlElement") -> Iterator[str]:
    for element in page.iter():
        if not isinstance(element.tag, str) or element.tag == "meta":
            continue
        for name, value in element.attrib.items():
            if (name in _SPOKEN or name.startswith("data-") or (name == "value" and element.get("type") == "hidden")) and (
                _WORDS.search(value[:_MAX_ATTRIBUTE_LENGTH])
            ):
                yield value[:_MAX_ATTRIBUTE_LENGTH]


def _metadata(page: "HtmlElement") -> Iterator[str]:
    for element in page.iter("meta"):
        yield element.get("content") or ""
    for script in page.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            yield from (_unescaped(match[1]) for match in _STRING_IN_JSON.finditer(script.text or ""))


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text).replace('\\"', '"').replace("\\n", " ")
