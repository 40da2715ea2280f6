"""Which language a text is in, as far as the rest needs to know: Japanese, English, or neither."""

import re
import string
from itertools import repeat

from lyra.core.lexicon import HAN, HIRAGANA, KATAKANA, words

_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]")
_KEPT = f"{string.ascii_letters}'"
_WORD = re.compile(r"[a-z\u00df-\u024f']+")

# One CJK character says about as much as two to three Latin letters, so it weighs more than one.
_CJK_WEIGHT = 2
_JAPANESE_SHARE = 0.3
# Natural Japanese of this length always holds kana; without any it is Chinese. Shorter runs are titles and names.
_KANA_FREE_MAX = 24
# Characters of everyday words that are written so only in China, and only in Japan.
_SIMPLIFIED = frozenset(
    "这们说对时发现让请谁为难进还过经给开关书买卖长门问闻马鱼鸟龙东车轻载运达选应际种类显"
    "优质标动业务员组织结维纤药疗预减岁么样见认识证济农产钱银铁红绿鲜饭饮馆语话课读电脑线"
    "视觉观规须顾风飞华历压严极杀权杂术欢总续战县检验剂劳实头则财贝负贵费资险阳阴隐"
)
_JAPANESE_ONLY = frozenset(
    "働込峠畑匂枠発対売広図円応価払関経済検駅圧剤労県徴収権総続戦沢渋"
    "焼獣畳稲穏縄繊覚観訳読説転軽辺遅鉄鉱銭録陥険隠雑霊頼顕験鶏黒齢"
)
_SAMPLE = 20_000
# Seventy words or so hold some twenty function words: more of them would say no more.
_WORDS_SAMPLE = 400
_OTHER_MIN = 3

_ENGLISH = words(
    "the of and in to is that for with was were are by on as at from this which not be or an it we has have than between"
)
_OTHER_LATIN = words(
    """der die und das von mit den des ist eine nicht für auf dem im zu le la les et des une dans est pour que sur par du au
    el los las y del una por con para se il di e che è della per un non da het een van en zijn met o os em não uma
    och att som på är det av til og ikke"""
)

# The same for ASCII alone, as bytes: letters in lower case and apostrophes stay, everything else parts words.
_ASCII_WORDS = bytes(ord(chr(code).lower()) if chr(code) in _KEPT else ord(" ") for code in range(256))
# Both kinds of function words are counted in one sum: English ones in its lower half, the others in its upper half.
_UPPER = 1 << 20
_COUNTED = {
    word.encode(): (word in _ENGLISH) + _UPPER * (word in _OTHER_LATIN) for word in _ENGLISH | _OTHER_LATIN if word.isascii()
}


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
    if (kana or _without_kana(sample, han)) and cjk >= _JAPANESE_SHARE * (cjk + letters - kana - han):
        return "ja"
    if 2 * latin < letters:
        return "und"
    return "und" if _reads_as_another_language(sample) else "en"


def _language_of_ascii(sample: str) -> str:
    words = sample[:_WORDS_SAMPLE].encode().translate(_ASCII_WORDS).split()
    if not any(word.strip(b"'") for word in words) and not any(map(str.isalpha, sample)):
        return "und"
    other, english = divmod(sum(map(_COUNTED.get, words, repeat(0))), _UPPER)
    return "und" if other >= _OTHER_MIN and other > english else "en"


def _without_kana(sample: str, han: int) -> bool:
    """Return whether Chinese characters alone are a Japanese title or name: by their forms, else by how few they are."""
    characters = set(sample)
    if characters & _SIMPLIFIED:
        return False
    return han <= _KANA_FREE_MAX or bool(characters & _JAPANESE_ONLY)


def _reads_as_another_language(sample: str) -> bool:
    words = _WORD.findall(sample[:_WORDS_SAMPLE].lower())
    other = sum(map(_OTHER_LATIN.__contains__, words))
    return other >= _OTHER_MIN and other > sum(map(_ENGLISH.__contains__, words))
