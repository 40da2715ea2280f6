"""The nearest legal word for one that is not legal: full-width forms, case, spelling, and the words of the definitions."""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

_SHOWN_CHARS = 60
_CUTOFF = 0.6
_SEPARATORS = str.maketrans("- .　", "____")
# How the label definitions call the values in Japanese, and what people write for them.
_WORDS = {
    "成功": "Success",
    "失敗": "Failure",
    "混合": "Mixed",
    "部分的成功": "PartialSuccess",
    "部分成功": "PartialSuccess",
    "不明": "Unknown",
    "判定不能": "unknown",
    "検証済み・正しい": "verified_correct",
    "検証済み・誤り": "verified_incorrect",
    "未検証": "unverified",
    "高": "high",
    "中": "medium",
    "低": "low",
    "高確信度": "high",
    "中確信度": "medium",
    "低確信度": "low",
    "確認不能": "none",
    "なし": "none",
    "進行中": "ongoing",
    "曖昧": "ambiguous",
    "軽微な誤り": "minor_error",
    "重大な誤り": "major_error",
    "致命的な誤り": "critical_error",
    "一次情報源": "primary_source",
    "二次情報源": "secondary_source",
    "ポインタのみ": "pointer_only",
    "文脈情報のみ": "context_only",
    "使用不可": "rejected",
    "自己報告": "self",
    "関連組織": "affiliated",
    "事実主張": "factual",
    "評価主張": "evaluative",
    "比較主張": "comparative",
    "correct": "verified_correct",
    "incorrect": "verified_incorrect",
    "primary": "primary_source",
    "secondary": "secondary_source",
    "pointer": "pointer_only",
    "context": "context_only",
    "minor": "minor_error",
    "major": "major_error",
    "critical": "critical_error",
    "fact": "factual",
    "opinion": "evaluative",
    "not_found": "404",
    "404_not_found": "404",
}


def nearest(written: str, legal: Iterable[str]) -> str | None:
    """Return the legal word that was most likely meant, or None where none is near."""
    return _nearest(written[: _SHOWN_CHARS * 4], tuple(legal))


@lru_cache(maxsize=4096)  # a file that says one wrong word says it in every row
def _nearest(written: str, legal: tuple[str, ...]) -> str | None:
    plain = _plain(written)
    by_form = {_plain(word): word for word in legal}
    if plain in by_form:
        return by_form[plain]
    said = _WORDS.get(plain)
    if said is not None and _plain(said) in by_form:
        return by_form[_plain(said)]
    close = get_close_matches(plain[:_SHOWN_CHARS], list(by_form), n=1, cutoff=_CUTOFF)
    return by_form[close[0]] if close else None


def shown(value: object) -> str:
    """Return a value of a file short enough for a sentence."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word).strip().casefold().translate(_SEPARATORS)
