"""How far a claim and the quote that refutes it are apart: one year or one digit is a minor error, the rest a person weighs."""

import re
import unicodedata

from lyra.cases.model import ErrorType

_YEAR = re.compile(r"(?<![\d.,])(1[89]\d{2}|20\d{2})(?=\s*年|\b)")
_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_TEN = 10


def error_type(claim: str, quote: str) -> ErrorType | None:
    """Return minor_error where years differ by one, or one number by one digit, and all else agrees; else None."""
    claimed, quoted = _plain(claim), _plain(quote)
    years, found_years = _years(claimed), _years(quoted)
    numbers, found_numbers = _numbers(claimed), _numbers(quoted)
    missing = numbers - found_numbers
    if years - found_years and not missing:
        off = all(any(abs(year - other) == 1 for other in found_years) for year in years - found_years)
        return ErrorType.MINOR if off else None
    if len(missing) == 1 and not years - found_years:
        (number,) = missing
        off = any(_one_digit_apart(number, other) for other in found_numbers)
        return ErrorType.MINOR if off else None
    return None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _years(text: str) -> set[int]:
    return {int(match) for match in _YEAR.findall(text)}


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text that are no years, without separators."""
    years = {str(year) for year in _years(text)}
    return {number.replace(",", "") for number in _NUMBER.findall(text)} - years


def _one_digit_apart(first: str, second: str) -> bool:
    """Return whether one number has a digit more or less, or one digit is another."""
    if float(first) * _TEN == float(second) or float(second) * _TEN == float(first):
        return True
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1
