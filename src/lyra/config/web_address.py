"""Addresses and host names as settings give them."""

import re

from lyra.config.kinds import read_names, read_text
from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_host
from lyra.core.web_url import parse_web_url

_NONE = "none"
_QUERY = "{query}"


def read_address(raw: object) -> str:
    """Return an http(s) address without a slash at its end, or `none`; raises ValueError."""
    text = read_text(raw)
    if text == _NONE:
        return text
    try:
        return str(parse_web_url(text)).rstrip("/")
    except InvalidInput as refused:
        raise ValueError(raw) from refused


def read_search_address(raw: object) -> str:
    """Return an http(s) address that holds `{query}` once, or `none`; raises ValueError."""
    text = read_text(raw)
    if text != _NONE:
        if text.count(_QUERY) != 1:
            raise ValueError(raw)
        read_address(text.replace(_QUERY, "words"))
    return text


def read_hosts(raw: object) -> str:
    """Return host names, each with or without a port, joined by commas, or `none`; raises ValueError."""
    names = read_names(raw, r"[^\s,/@\\]+")
    if names == _NONE:
        return names
    return ",".join(_host(name) for name in names.split(","))


def _host(name: str) -> str:
    match = re.fullmatch(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^:]+)(?::(?P<port>\d{1,5}))?", name)
    if match is None:
        raise ValueError(name)
    host = normalise_host(match["host"].strip("[]"))
    return f"{host}:{match['port']}" if match["port"] else host
