"""Numbers on the command line: every option arrives as text."""

import re

from lyra.core.errors import InvalidInput


def whole_number(option: str, text: str, low: int, high: int) -> int:
    """Return the whole number that an option was given, or raise InvalidInput with what it takes."""
    if not re.fullmatch(r"\d{1,9}", text.strip(), re.ASCII) or not low <= int(text) <= high:
        raise InvalidInput("bad_number", option=option, value=text, low=low, high=high)
    return int(text)
