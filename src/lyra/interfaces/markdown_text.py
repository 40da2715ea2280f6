"""Text that others wrote, put into Markdown so that it stays text: no markup, link, image, HTML or table cell of its own."""

import re
from urllib.parse import quote, urlsplit

from lyra.interfaces.untrusted import on_one_line

_SPECIAL = re.compile(r"([\\`*_\[\]|~$^])")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# What opens a list, heading, rule or underline when it stands first.
_LINE_START = re.compile(r"^(?:(?=[#+=:-])|(\d{1,9})(?=[.)]))")
# What some readers turn into a link without being asked.
_AUTOLINK = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=www)\.|@|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_LINKABLE = ("http", "https")


def escape(text: str) -> str:
    """Return one line of Markdown that shows exactly the visible characters of `text`."""
    escaped = _SPECIAL.sub(r"\\\1", on_one_line(text)).translate(_HTML)
    escaped = _AUTOLINK.sub(lambda match: f"&#{ord(match[0])};", escaped)
    return _LINE_START.sub(r"\1\\", escaped)


def strong(text: str, before: str, after: str) -> str:
    """Return `text` escaped and in bold, standing between `before` and `after`.

    Asterisks only open and close next to a space; in running Japanese the tag does it everywhere.
    """
    shown = escape(text)
    apart = (not before or before[-1].isspace()) and (not after or after[0].isspace())
    return f"**{shown}**" if apart else f"<strong>{shown}</strong>"


def quotation(quote_text: str, decisive: tuple[int, int] | None) -> str:
    """Return a quote as one block-quote line, its decisive sentence in bold."""
    start, end = decisive or (0, 0)
    if not on_one_line(quote_text[start:end]):
        return f"> {escape(quote_text)}".rstrip()
    before, inside, after = quote_text[:start], quote_text[start:end], quote_text[end:]
    # White space at the edges of the sentence belongs outside of the bold.
    lead, trail = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
    before, after = before + lead, trail + after
    parts = (
        escape(before) + (" " if _ends_apart(before) else ""),
        strong(inside.strip(), before, after),
        (" " if _starts_apart(after) else "") + escape(after),
    )
    return "> " + "".join(parts).strip()


def _ends_apart(text: str) -> bool:
    return bool(text.strip()) and text[-1].isspace()


def _starts_apart(text: str) -> bool:
    return bool(text.strip()) and text[0].isspace()


def link(label: str, address: str) -> str:
    """Return a link where the address is one of the web; else the label alone. The label is escaped."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return escape(label)
    if parts.scheme.lower() not in _LINKABLE or not parts.netloc:
        return escape(label)
    return f"[{escape(label)}](<{quote(address, safe=':/?#@!$&+,;=%~.-_')}>)"
