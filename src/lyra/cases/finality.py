"""Whether a result is final: what the text of a case and the sentences of its sources say about it."""

import re

# An open period at the end of a name: （2024年〜）, (2024-), since 2024.
_OPEN_PERIOD = re.compile(
    r"\d{4}\s*年?\s*(?:度)?\s*(?:[〜～~]|[-–—](?=\s*[)）\]」』]|\s*$)|から現在|以降現在)\s*(?!\s*\d)|[(（]\s*since\s+\d{4}\s*[)）]",
    re.IGNORECASE,
)
_UNDER_WAY_JA = (
    "進行中",
    "継続中",
    "途上",
    "道半ば",
    "続いている",
    "続けている",
    "進めている",
    "取り組んでいる",
    "結果は出ていない",
    "結論は出ていない",
    "未確定",
    "見通し",
    "見込み",
    "現在も",
)
_UNDER_WAY_EN = re.compile(
    r"\b(?:ongoing|on-going|in progress|under ?way|still (?:being|in|under|at|on|unclear|open|pending)|not yet"
    r"|remains? to be seen|has yet to|have yet to|too early to (?:say|tell)|is expected to|are expected to"
    r"|continues? to|pending)\b",
    re.IGNORECASE,
)


def is_open_ended(case_text: str) -> bool:
    """Return whether a case names a period that has not ended."""
    return _OPEN_PERIOD.search(case_text) is not None or says_not_final(case_text)


def says_not_final(sentence: str) -> bool:
    """Return whether a sentence speaks of something that is still going on."""
    return any(word in sentence for word in _UNDER_WAY_JA) or _UNDER_WAY_EN.search(sentence) is not None
