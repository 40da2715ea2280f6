"""JSON as text: read without surprises, written in one way."""

import json
import math

from lyra.core.errors import InvalidInput

_BOM = "\ufeff"


class _Refused(ValueError):
    """Something that JSON allows and no reader should: a key twice, a number that is none."""


def parse_json(data: bytes, where: str) -> object:
    """Return the value in a file. Raises InvalidInput for anything but one valid JSON value in UTF-8.

    Keys that repeat and numbers without a value (NaN, infinity) are refused.
    """
    try:
        text = data.decode("utf-8").removeprefix(_BOM)
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_number)
    except UnicodeDecodeError as failure:
        raise InvalidInput("report_not_utf8", path=where, position=failure.start) from None
    except RecursionError:
        raise InvalidInput("broken_json", path=where, detail="…[[[[…") from None
    except ValueError as failure:
        raise InvalidInput("broken_json", path=where, detail=failure) from None


def write_json_text(value: object) -> str:
    """Return a value as JSON for a file: indented, keys in the order given, ending in a line break."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Refused(f"2 × {json.dumps(twice, ensure_ascii=False)}")
    return made


def _constant(name: str) -> float:
    raise _Refused(name)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _Refused(text)
    return value
