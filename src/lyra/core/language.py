"""Which language a text is in, as far as the rest needs to know: Japanese, English, or neither."""

import re

from lyra.core.lexicon import HAN, HIRAGANA, KATAKANA, words

_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]")
_ASCII_WORDS = "".join(chr(code) if chr(code).isalpha() or chr(code) == "'" else " " for code in range(128))
_WORD = re.compile(r"[a-z\u00df-\u024f']+")

# One CJK character says about as much as two to three Latin letters, so it weighs more than one.
_CJK_WEIGHT = 2
_JAPANESE_SHARE = 0.3
# Natural Japanese of this length always holds kana; without any it is Chinese. Shorter runs are titles and names.
_KANA_FREE_MAX = 24
_SAMPLE = 20_000
_OTHER_MIN = 3

_ENGLISH = words(
    "the of and in to is that for with was were are by on as at from this which not be or an it we has have than between"
)
_OTHER_LATIN = words(
    """der die und das von mit den des ist eine nicht für auf dem im zu le la les et des une dans est pour que sur par du au
    el los las y del una por con para se il di e che è della per un non da het een van en zijn met o os em não uma
    och att som på är det av til og ikke"""
)


def detect_language(text: str) -> str:
    """Return `ja`, `en` or `und`, from the scripts of the first 20 000 characters. Deterministic.

    Text in Latin script counts as English unless the function words of other European languages outnumber the
    English ones: nothing here reads those languages, so telling them apart would change nothing.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return _language_of_ascii(sample)
    kana, han, latin = (len(pattern.findall(sample)) for pattern in (_KANA, _HAN, _LATIN))
    letters = sum(map(str.isalpha, sample))
    if not letters:
        return "und"
    cjk = _CJK_WEIGHT * (kana + han)
    if (kana or han <= _KANA_FREE_MAX) and cjk >= _JAPANESE_SHARE * (cjk + letters - kana - han):
        return "ja"
    if 2 * latin < letters:
        return "und"
    return "und" if _reads_as_another_language(sample) else "en"


def _language_of_ascii(sample: str) -> str:
    words = sample.lower().translate(_ASCII_WORDS).split()
    if not any(word.strip("'") for word in words):
        return "und"
    return "und" if _are_of_another_language(words) else "en"


def _reads_as_another_language(sample: str) -> bool:
    return _are_of_another_language(_WORD.findall(sample.lower()))


def _are_of_another_language(words: list[str]) -> bool:
    if _OTHER_LATIN.isdisjoint(words):
        return False
    other = sum(map(_OTHER_LATIN.__contains__, words))
    return other >= _OTHER_MIN and other > sum(map(_ENGLISH.__contains__, words))
