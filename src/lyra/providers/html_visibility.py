"""Taking out of a page what a reader of it would not see, and handing it over for the scan."""

from typing import TYPE_CHECKING

from lyra.core.page_safety import HIDDEN, Unseen
from lyra.providers.css import Hiding, hides, hiding_rules
from lyra.providers.unseen import unseen_texts

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_NEVER_SHOWN = ("script", "style", "noscript", "template", "svg", "object", "embed", "iframe", "canvas", "datalist", "head")
# Not shown, and not written for readers either: programs and drawings.
_NOT_TEXT = frozenset({"script", "style", "svg", "canvas", "head"})
# The readings beside Japanese text (ruby), and the brackets for browsers that do not know them: read aloud, not part of the text.
_READINGS = frozenset({"rt", "rp", "rtc"})
_ANNOTATED = ("ruby", "rb", "rbc")


def drop_hidden(page: "HtmlElement") -> list[Unseen]:
    """Remove comments, scripts, readings and hidden elements from `page`, in place, and return their text; what follows stays.

    Hidden is what says so itself (`hidden`, `aria-hidden`, its style) or is hidden by a plain class or id rule of the
    page's own style sheets: not displayed, transparent, of no size, outside the screen, or in the colour of its ground.
    Rules that hold for some media only are not followed, nor is a rule on the whole body. Text in white on a ground that
    is not known stays, and is returned as well.
    """
    hiding = hiding_rules("\n".join(element.text or "" for element in page.iter("style")))
    doomed = [
        element
        for element in page.iter()
        if element is not page
        and (not isinstance(element.tag, str) or _is_hidden(element, hiding))
        and element.tag not in {"html", "body"}
    ]
    unseen: list[str] = []
    for element in doomed:
        if element.getparent() is not None:
            if isinstance(element.tag, str) and element.tag not in _NOT_TEXT | _READINGS:
                unseen.append(_text_in(element))
            _drop(element)
    for element in list(page.iter(*_ANNOTATED)):
        element.drop_tag()
    unseen += [_text_in(element) for element in page.iter() if isinstance(element.tag, str) and _is_pale(element, hiding)]
    return unseen_texts(HIDDEN, unseen)


def _text_in(element: "HtmlElement") -> str:
    """Return the text below an element; what stands in `noscript` and `template` is markup that was not parsed."""
    return " ".join(text for text in element.itertext() if isinstance(text, str))


def _drop(element: "HtmlElement") -> None:
    parent, tail = element.getparent(), element.tail
    if tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    parent.remove(element)


def _is_hidden(element: "HtmlElement", hiding: Hiding) -> bool:
    if (
        element.tag in _NEVER_SHOWN
        or element.tag in _READINGS
        or "hidden" in element.attrib
        or element.get("aria-hidden", "").strip().lower() == "true"
    ):
        return True
    return hides(element.get("style", "")) or not hiding.hidden.isdisjoint(_names(element))


def _is_pale(element: "HtmlElement", hiding: Hiding) -> bool:
    """Return whether an element's own style makes its text white, with no ground of its own or around it that is not."""
    if not (hiding.is_white(element.get("style", "")) or not hiding.pale.isdisjoint(_names(element))):
        return False
    around = [element, *element.iterancestors()]
    return not any(hiding.has_ground(one.get("style", "")) or not hiding.grounded.isdisjoint(_names(one)) for one in around)


def _names(element: "HtmlElement") -> list[str]:
    return [f"#{element.get('id', '')}", *(f".{name}" for name in element.get("class", "").split())]
