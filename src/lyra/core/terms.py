"""Words for the full-text index, which does not segment Japanese: CJK runs become overlapping character pairs.

Both sides go through the same cutter, so whatever was indexed is found. The index itself is an SQLite FTS5 table
with `tokenize='porter unicode61'`, which stems English and leaves the pairs alone. Everything that helps Japanese
beyond that is done to the query alone, so the index never has to be built anew.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from lyra.core.lexicon import CJK, HAN, HIRAGANA, KATAKANA, words

MAX_TERMS = 64

# Ranks of terms: 0 tells much, 1 less, and this one next to nothing.
_FILLER = 2

_RUN = re.compile(rf"(?P<cjk>[{CJK}]+)|[^\W_{CJK}]+")
# Of ASCII the words are its letters and digits: the same as below, ten times as fast.
_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_HIRAGANA_CHAR = re.compile(f"[{HIRAGANA}]")
_HIRAGANA_ONLY = re.compile(f"[{HIRAGANA}ー]+")
# A figure: digits, or a kanji numeral before something that can be counted.
_MAY_HOLD_FIGURES = re.compile("[0-9〇一二三四五六七八九十百千]")
# A particle and what stands beside it belong to two words.
_ACROSS_WORDS = re.compile(f"[はがのにとでもへや][^{HIRAGANA}]|[^{HIRAGANA}][のにとへはでがも]|を.|.を")
# A word of one kanji, between particles: its pairs are all across words. Behind a digit it is a counter.
_LONE_KANJI = re.compile(rf"(?<![0-9{KATAKANA}{HAN}])[{HAN}](?=[をのはがにとでもへや])")
_SMALLEST_KATAKANA, _TO_KATAKANA = "ァ", ord("ァ") - ord("ぁ")
_KANA_PAIR = re.compile("[ぁ-ゖ]{2}|[ァ-ヶ]{2}")
_STOP_WORDS = words(
    """a about above after again all also am an and any are as at be because been before being below between both but by can
    could did do does doing don down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so
    some such t than that the their them then there these they this those through to too under until up very was we were what
    when where which while who whom why will with would you your"""
)
# Particles, endings and words of form: what Japanese sentences have in common. Their pairs tell nothing.
_FUNCTION_WORDS = """である であり であった でした です ます ました ません ない なかった なく という といった とする として
    としての について において における によって による により にとって ために ための ことが ことは ことを ことに ことも
    ものの ものは ものが ものを のではないか のでは のは のが のを のに への での との からの からは までの までに よりも
    ほどの だけで だけの しかし また または そして それぞれ それは それを これは これを この その あの どの ここ そこ どこ
    どう どうか どうして どうやって どのように どのような どれくらい どれほど いつ なぜ なに なんの いる いない いた います
    いました いて いると ある あった あり あると する して した します しました したら したとき すると されて された される
    させる させて できる できない できた なる なって なった なり ならない よって よると ような ように ようだ らしい そうだ
    ながら とき ときに ときの ても でも では には にも とも とは かも かどうか れる られる られて られた せる ため ので
    のだ んだ んで から まで など ほか ほう べき たい たら たり だけ だった だが だと だろう くらい ぐらい ころ たち れば
    なら なくなる になる にする があ がい てくる ていく てしまう ていない ことができ かかわらず もっとも"""


def index_terms(text: str) -> str:
    """Return what to index for `text`: lower-case words and CJK character pairs, separated by spaces. Never raises."""
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_WORDS).split())
    return " ".join(term for run in _runs(text) for term in _terms(run))


def match_query(text: str) -> str | None:
    """Return an FTS5 MATCH expression that finds texts sharing any term with `text`; None if it has no term.

    Every term is quoted, so nothing in `text` is read as query syntax. English stop words, pairs of Japanese
    particles and endings, and pairs across a particle are left out unless nothing else is there. Figures are also
    searched for as others write them (2024年 as 令和6年), and kana in the other script. At most MAX_TERMS terms:
    words, figures and pairs of kanji or katakana come before pairs with hiragana in them.
    """
    ranked: dict[str, int] = {}
    for run in _runs(text):
        for term in _terms(run):
            ranked.setdefault(_quoted(term, run), _rank(term))
    normalised = _normalised(text)
    for phrase in (*_lone_kanji(normalised), *_figure_phrases(normalised)):
        ranked.setdefault(phrase, 0)
    telling = [term for term, rank in ranked.items() if rank < _FILLER]
    others = [other for term in telling if (other := _other_script(term)) and other not in ranked]
    chosen = sorted(telling or ranked, key=ranked.__getitem__) + others
    return " OR ".join(chosen[:MAX_TERMS]) if chosen else None


def _rank(term: str) -> int:
    if term in _STOP_WORDS or _ACROSS_WORDS.fullmatch(term):
        return _FILLER
    if _HIRAGANA_ONLY.fullmatch(term):
        return _FILLER if len(term) == 1 or term in _function_pairs() else 1
    return 1 if _HIRAGANA_CHAR.search(term) else 0


@cache
def _function_pairs() -> frozenset[str]:
    return frozenset(word[at : at + 2] for word in _FUNCTION_WORDS.split() for at in range(len(word) - 1))


def _runs(text: str) -> Iterator[re.Match[str]]:
    return _RUN.finditer(_normalised(text))


def _normalised(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _terms(run: re.Match[str]) -> Iterator[str]:
    found = run.group()
    if run["cjk"] is None or len(found) == 1:
        yield found
        return
    for start in range(len(found) - 1):
        yield found[start : start + 2]


def _quoted(term: str, run: re.Match[str]) -> str:
    # A single kanji is indexed alone only where it stands alone; as a prefix it also finds the pairs it begins.
    return f'"{term}"*' if run["cjk"] and len(term) == 1 else f'"{term}"'


def _lone_kanji(text: str) -> Iterator[str]:
    return (f'"{kanji.group()}"*' for kanji in _LONE_KANJI.finditer(text))


def _figure_phrases(text: str) -> Iterator[str]:
    """Yield the spellings of the figures in a text, each as a phrase of index terms."""
    if not _MAY_HOLD_FIGURES.search(text):
        return
    from lyra.core.japanese_numbers import read_figures, spellings  # noqa: PLC0415 - few texts need it

    for figure in read_figures(text):
        if figure.counter or figure.kind != "amount":
            for spelling in spellings(figure):
                yield _phrase(spelling)


def _phrase(spelling: str) -> str:
    """Return a phrase that finds a spelling also where the text goes on without a break."""
    terms = index_terms(spelling).split()
    open_ended = len(terms[-1]) == 1 and not terms[-1].isascii()
    return f'"{" ".join(terms)}"' + ("*" if open_ended else "")


def _other_script(quoted: str) -> str | None:
    """Return a pair of kana in the other of the two scripts; None for other terms, and where that would be a particle."""
    pair = quoted.strip('"')
    if not _KANA_PAIR.fullmatch(pair):
        return None
    step = -_TO_KATAKANA if pair[0] >= _SMALLEST_KATAKANA else _TO_KATAKANA
    other = "".join(chr(ord(character) + step) for character in pair)
    return None if other in _function_pairs() else f'"{other}"'
