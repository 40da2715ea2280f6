"""Taking out of a page what a reader of it would not see."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_HIDING_STYLE = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$|\}))",
    re.IGNORECASE,
)
_NEVER_SHOWN = ("script", "style", "noscript", "template", "svg", "object", "embed", "iframe", "canvas", "datalist", "head")
# The readings beside Japanese text (ruby), and the brackets for browsers that do not know them: read aloud, not part of the text.
_READINGS = ("rt", "rp", "rtc")
_ANNOTATED = ("ruby", "rb", "rbc")
_NESTED_RULES = re.compile(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE_SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])([A-Za-z_][\w-]*)")
_MAX_STYLE = 200_000


def drop_hidden(page: "HtmlElement") -> None:
    """Remove comments, scripts, readings and hidden elements from `page`, in place; the text after each of them stays.

    Hidden is what says so itself (`hidden`, `aria-hidden`, its style) or is hidden by a plain class or id rule of the
    page's own style sheets. Rules that hold for some media only are not followed, nor is a rule on the whole body.
    """
    hiding = _hiding_rules(page)
    doomed = [
        element
        for element in page.iter()
        if element is not page
        and (not isinstance(element.tag, str) or _is_hidden(element, hiding))
        and element.tag not in {"html", "body"}
    ]
    for element in doomed:
        if element.getparent() is not None:
            _drop(element)
    for element in list(page.iter(*_ANNOTATED)):
        element.drop_tag()


def _drop(element: "HtmlElement") -> None:
    parent, tail = element.getparent(), element.tail
    if tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    parent.remove(element)


def _is_hidden(element: "HtmlElement", hiding: frozenset[str]) -> bool:
    if (
        element.tag in _NEVER_SHOWN
        or element.tag in _READINGS
        or "hidden" in element.attrib
        or element.get("aria-hidden", "").strip().lower() == "true"
    ):
        return True
    if _HIDING_STYLE.search(element.get("style", "")):
        return True
    return not hiding.isdisjoint([f"#{element.get('id', '')}", *(f".{name}" for name in element.get("class", "").split())])


def _hiding_rules(page: "HtmlElement") -> frozenset[str]:
    sheets = "\n".join(element.text or "" for element in page.iter("style"))[:_MAX_STYLE]
    rules = _RULE.finditer(_NESTED_RULES.sub("", _COMMENT.sub("", sheets)))
    return frozenset(
        match[1] + match[2]
        for rule in rules
        if _HIDING_STYLE.search(rule[2])
        for selector in rule[1].split(",")
        if (match := _SIMPLE_SELECTOR.fullmatch(selector.strip()))
    )
