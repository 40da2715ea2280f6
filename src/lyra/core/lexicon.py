"""Character classes of the Japanese script, and word lists, for the modules that read text."""

HIRAGANA = r"\u3041-\u309f"
KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# For use inside a regular expression's brackets.
CJK = HIRAGANA + KATAKANA + HAN


def words(listed: str) -> frozenset[str]:
    """Return the words of a list written as running text."""
    return frozenset(listed.split())
