"""A person's evaluation from a file: Markdown as people write it, or the JSON that `feedback` makes of a filled-in report."""

import re

from lyra.core.errors import InvalidInput
from lyra.reports.human import HumanEvaluation, HumanScore
from lyra.reports.human_markdown import read_human_markdown
from lyra.reports.json_text import parse_json
from lyra.reports.validation import validate

_NAMED = re.compile(r"_([A-Za-z0-9.^-]+)_phase2\.md$", re.IGNORECASE)
_SCHEMA = "human-evaluation"


def read_human(data: bytes, where: str, ticker: str) -> HumanEvaluation:
    """Return the scores in a file. Raises InvalidInput for one without scores, of another ticker, or not to be read."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as failure:
        raise InvalidInput("report_not_utf8", path=where, position=failure.start) from None
    if text.lstrip().startswith("{"):
        return _from_json(data, where, ticker)
    named = _NAMED.search(where)
    if named and named[1].upper() != ticker.upper():
        raise InvalidInput("human_other_ticker", path=where, found=named[1], ticker=ticker)
    return read_human_markdown(text, where)


def is_evaluation_of(name: str, ticker: str) -> bool:
    """Return whether a file name is that of a person's evaluation of a ticker: `*_{TICKER}_phase2.md`."""
    return name.lower().endswith(f"_{ticker}_phase2.md".lower())


def _from_json(data: bytes, where: str, ticker: str) -> HumanEvaluation:
    value = parse_json(data, where)
    validate(value, _SCHEMA, where)
    if not isinstance(value, dict):
        raise TypeError(where)
    own = str(value.get("ticker", ""))
    if own and own.upper() != ticker.upper():
        raise InvalidInput("human_other_ticker", path=where, found=own, ticker=ticker)
    found = HumanEvaluation(_scores(value.get("advantages")), _scores(value.get("connections")))
    if not found.advantages and not found.connections:
        raise InvalidInput("human_no_scores", path=where)
    return found


def _scores(listed: object) -> tuple[HumanScore, ...]:
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return tuple(
        HumanScore(str(one["text"]), one["score"], one["line"], one["number"], str(one["answer"]))
        for one in entries
        if one["score"] is not None
    )
