"""Other spellings of ids, rules, patterns and values in files that other programs wrote."""

import re
import unicodedata

_NUMBER_AT_END = re.compile(r"(\d{1,9})\s*$")
_RULE = re.compile(r"^(?:rule|ルール)?[\s_-]*0*(1[0-2]|[1-9])(?:_[a-z]\w*)?$", re.IGNORECASE)
_PATTERN = re.compile(r"^(?:(?:高評価|却下)?\s*(?:pattern|パターン)[\s_:]*)?([A-Za-z]+)(?=$|[\s_:(（])", re.IGNORECASE)
_VERDICT = re.compile(r"^\s*([^（(:：\s]+)\s*[（(:：]?\s*(.*?)\s*[）)]?\s*$", re.DOTALL)
_WORDS = {
    "①": "initial",
    "期初": "initial",
    "②": "quarterly",
    "四半期": "quarterly",
    "confirmed": "verified",
    "refuted": "contradicted",
    "unverified": "unverifiable",
    "pending": "not_checked",
    "unchecked": "not_checked",
}
_TYPES = {
    "ca": "competitive_advantage",
    "advantage": "competitive_advantage",
    "cagr": "cagr_connection",
    "connection": "cagr_connection",
    "fact": "factual_claim",
    "factual": "factual_claim",
}
# Ways to say that a judgement was not made.
NO_JUDGEMENT = frozenset(["", "n/a", "na", "none", "null", "skip", "skipped", "not_evaluated", "not_applicable", "unknown", "-"])


def plain(text: str) -> str:
    """Return a text as it is compared: one form of each character, lower case, no space around."""
    return unicodedata.normalize("NFKC", text).strip().lower()


def id_of(value: object) -> object:
    """Return the number that an id stands for: `"#3"`, `"C3"` and `"X-CAGR-003"` are 3; anything else as it is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and (found := _NUMBER_AT_END.search(unicodedata.normalize("NFKC", value))):
        return int(found[1])
    return value


def rule_of(value: object) -> object:
    """Return a rule as `rule_N`; anything that names no rule as it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"rule_{value}"
    if isinstance(value, str) and (found := _RULE.match(plain(value).replace(" ", "_"))):
        return f"rule_{int(found[1])}"
    return value


def pattern_of(value: object) -> object:
    """Return the letters of a pattern: `"パターンA: …"` is `A`, `"pattern_IV"` and `"Ⅳ"` are `IV`; other names as they are."""
    if isinstance(value, dict):
        named = [value[key] for key in ("pattern", "id", "pattern_id", "name") if key in value]
        return pattern_of(named[0]) if named else value
    if isinstance(value, str) and (found := _PATTERN.match(unicodedata.normalize("NFKC", value).strip())):
        return found[1].upper()
    return value


def value_of(value: object) -> object:
    """Return a word of a closed list in its usual spelling; anything but a text as it is."""
    if not isinstance(value, str):
        return value
    word = plain(value).replace(" ", "_").replace("-", "_")
    return _WORDS.get(word, word)


def type_of(value: object) -> object:
    """Return the type of a claim in its usual spelling; anything but a text as it is."""
    word = value_of(value)
    return _TYPES.get(word, word) if isinstance(word, str) else word


def verdict_of(text: str) -> tuple[str, str]:
    """Return verdict and reasoning of a text such as `PASS（…）`."""
    found = _VERDICT.match(text)
    return (found[1], found[2]) if found else (text, "")
