"""Publication dates as documents write them, kept at the precision they have."""

import re
import unicodedata
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_MONTH = (
    "(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>[12]\d{3})"
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"{_YEAR}(?:[-/.](?P<month>\d{{1,2}})(?:[-/.](?P<day>\d{{1,2}}))?)?",
        rf"{_YEAR}[-/](?P<month>\d{{1,2}})[-/](?P<day>\d{{1,2}})[T ]\d{{2}}:?\d{{2}}.*",
        rf"(?:D:)?{_YEAR}(?P<month>\d{{2}})(?P<day>\d{{2}})(?:\d{{2,6}}.*)?",
        rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+)?(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"{_YEAR}\s+{_MONTH}(?:\s+(?P<day>\d{{1,2}}))?",
        rf"{_YEAR}\s*年(?:度)?(?:\s*(?P<month>\d{{1,2}})\s*月(?:\s*(?P<day>\d{{1,2}})\s*日)?)?",
        r"(?P<era>令和|平成|昭和|大正|明治)\s*(?P<era_year>元|\d{1,2})\s*年(?:\s*(?P<month>\d{1,2})\s*月(?:\s*(?P<day>\d{1,2})\s*日)?)?",
    )
)
# The same shapes inside running text, from month precision on; bare years stand there for many other things.
_NAMED_MONTH = _MONTH.replace("?P<name>", "?:")
_IN_TEXT = re.compile(
    rf"(?<![\w/.-])(?:(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?{_NAMED_MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?,?\s+[12]\d{{3}}"
    r"|[12]\d{3}[-/]\d{1,2}[-/]\d{1,2}"
    r"|(?:[12]\d{3}|(?:令和|平成|昭和|大正|明治)\s*(?:元|\d{1,2}))\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?)(?![\w/-]*\d)",
    re.IGNORECASE,
)


def parse_date(text: str) -> str | None:
    """Return `2021`, `2021-03` or `2021-03-05`, as precise as `text` says; None if it is no date, or not a unique one.

    English, ISO and Japanese forms with either calendar are read. `03/05/2021` is None: it means two days.
    """
    plain = unicodedata.normalize("NFKC", text).strip().rstrip(".")
    for shape in _SHAPES:
        if match := shape.fullmatch(plain):
            return _written(match.groupdict())
    return None


def _written(found: dict[str, str | None]) -> str | None:
    year = _year(found)
    name, month_text, day_text = found.get("name"), found.get("month"), found.get("day")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(month_text) if month_text else None
    try:
        date(year, month or 1, int(day_text) if day_text else 1)
    except ValueError:
        return None
    return "-".join([f"{year:04}"] + [f"{int(part):02}" for part in (month, day_text) if part is not None])


def _year(found: dict[str, str | None]) -> int:
    era, era_year = found.get("era"), found.get("era_year")
    if era and era_year:
        return _ERAS[era] + (1 if era_year == "元" else int(era_year))
    return int(found["year"] or 0)


def find_date(text: str) -> str | None:
    """Return the one date of at least month precision that stands in `text`; None if there is none, or more than one."""
    plain = unicodedata.normalize("NFKC", text)
    found = {parsed for match in _IN_TEXT.finditer(plain) if (parsed := parse_date(match.group()))}
    return found.pop() if len(found) == 1 else None
