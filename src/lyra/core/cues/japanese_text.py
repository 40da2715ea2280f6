"""A Japanese sentence cut into clauses and phrases by its script alone: kanji, katakana, hiragana, particles.

No dictionary is needed to see where a phrase ends, because particles are written in hiragana and what they mark mostly
is not. Words that are written in hiragana all the same (がん, けが) are first turned into katakana.
"""

import re
import unicodedata
from dataclasses import dataclass

from lyra.core.cues.japanese_words import pattern, synonyms
from lyra.core.lexicon import HAN, HIRAGANA, KATAKANA

_HIRAGANA_NOUNS = """子ども 子供たち こども けが がん ごみ いじめ かぜ たばこ ぜんそく うつ まひ めまい かゆみ やけど りんご
    みかん ねずみ うさぎ ねこ いぬ さかな おもちゃ はしご かご たこ いか うに かえる とんぼ はち あり くも ひまわり きのこ
    にんじん
    じゃがいも さつまいも だいず こめ そば うどん すし ごま みそ しょうゆ めがね はさみ いす つくえ かばん くつ ぼうし ひも わら
    はがき ろうそく せっけん やけど しびれ だるさ いびき よだれ ふくらはぎ つめ""".split()
_AS_KATAKANA = {chr(code): chr(code + 0x60) for code in range(ord("ぁ"), ord("ゖ") + 1)}
_PROTECTED = re.compile(
    rf"(?<![{HIRAGANA}{HAN}ー])(?:"
    + "|".join(sorted((noun for noun in _HIRAGANA_NOUNS if not noun.startswith("子")), key=len, reverse=True))
    + rf")(?=[のはがをにでとも、]|[{HAN}]|$)|(?<=の)(?:けが|がん|ごみ|かゆみ|いじめ)|子ども(?:たち)?|肺がん|胃がん|乳がん|腸がん"
)
_DROPPED = re.compile(r"[「」『』“”\"'()\[\]【】\s]")
_TOKEN = re.compile(
    rf"(?P<figure>\d[\d,.]*)|(?P<word>[{HAN}]+|[{KATAKANA}ー・]+|[a-z]+)|(?P<kana>[{HIRAGANA}]+)|(?P<mark>.)", re.DOTALL
)
_PARTICLES = sorted(
    """によって により による において における について についての に対して に対する にとって として という とは では には にも
    にかけて からは までに までの よりも より から まで だけ のみ しか さえ ほど など ごと ずつ こそ のうち は が を に で と も
    へ の や""".split(),
    key=len,
    reverse=True,
)
# What looks like a particle and is the ending of a verb: 上がる, 増やす, 落とす, 分からない.
_ENDING = re.compile("が[っらりるれろ]|や[さしすせ]|と[さしすせ]|から[なずれ]|に[なえ]う")
_JOINS = frozenset({"の", "と", "や"})
_TOPIC = frozenset({"は", "では", "には", "も", "にも", "とは"})
_FIGURE_END = re.compile(r"\d[\d,.]*[万億兆千割%分]?[^\d、]{0,3}$")
_FORMAL = frozenset(
    """者 人 方 中 際 時 場合 的 化 性 上 下 前 後 間 為 事 物 所 他 以上 以下 未満 約 同 各 一 二 三 両 全 第 年 月 日
    群""".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a particle marks: the words before it, and the particle. The predicate has none."""

    text: str
    particle: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its text, its phrases in order, and its predicate (the last word with what follows)."""

    text: str
    phrases: tuple[Phrase, ...]
    predicate: str

    def marked(self, *particles: str) -> str:
        """Return the words that these particles mark, joined."""
        return " ".join(phrase.text for phrase in self.phrases if phrase.particle in particles)

    @property
    def subject(self) -> str:
        """Return topic and subject."""
        return self.marked("は", "が", "も", "では", "には", "にも", "とは")


def folded(text: str) -> str:
    """Return a sentence in one width and case, without brackets, its hiragana nouns in katakana."""
    plain = _DROPPED.sub("", unicodedata.normalize("NFKC", text).lower()).replace("，", "、").rstrip("。.!?")
    plain = re.sub(r",(?!\d{3})", "、", plain)
    return _PROTECTED.sub(lambda match: "".join(_AS_KATAKANA.get(one, one) for one in match.group()), plain)


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a folded sentence in order; a clause without a topic has that of the clause before it."""
    found: list[Clause] = []
    topic: Phrase | None = None
    for part in _parts(text):
        phrases, predicate = _phrases(part)
        own = next((phrase for phrase in phrases if phrase.particle in _TOPIC), None)
        if own is None and topic is not None and not any(phrase.particle == "が" for phrase in phrases):
            phrases = (topic, *phrases)
        topic = own or topic
        found.append(Clause(part, phrases, predicate))
    return found


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    waiting = ""
    for piece in text.split("、"):
        if not piece:
            continue
        waiting = f"{waiting}、{piece}" if waiting else piece
        if pattern("clause_end").search(piece) or _FIGURE_END.search(piece):
            parts.append(waiting)
            waiting = ""
    return [*parts, waiting] if waiting else parts


def tokens(text: str) -> list[tuple[str, str]]:
    """Return (kind, text) in order; the kinds are figure, word, particle, tail (endings, kana words) and mark."""
    found: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        if kind != "kana":
            found.append((kind, match.group()))
            continue
        rest = match.group()
        while rest and (particle := _particle(rest, found[-1][0] if found else "mark")):
            found.append(("particle", particle))
            rest = rest[len(particle) :]
        if rest:
            found.append(("tail", rest))
    return found


def _particle(kana: str, before: str) -> str | None:
    if before not in {"word", "figure", "particle"} or _ENDING.match(kana):
        return None
    if before == "particle" and len(kana) > 1 and not kana.startswith(("は", "も", "の", "を", "が")):
        return None
    return next((particle for particle in _PARTICLES if kana.startswith(particle)), None)


def _phrases(text: str) -> tuple[tuple[Phrase, ...], str]:
    phrases: list[Phrase] = []
    words: list[str] = []
    last: list[str] = []
    for kind, token in tokens(text):
        if kind in {"word", "figure"}:
            words.append(token)
            last = [token]
            continue
        last.append(token)
        if kind == "particle" and token not in _JOINS and words:
            phrases.append(Phrase(" ".join(words), token))
            words = []
        elif kind == "mark" and token == "、" and words:
            phrases.append(Phrase(" ".join(words), "、"))
            words = []
    return tuple(phrases), "".join(last)


def content_words(text: str) -> list[str]:
    """Return the words of a folded text that carry meaning, in order, figures and formal nouns left out."""
    return [token for kind, token in tokens(text) if kind == "word" and token not in _FORMAL]


def found_in(word: str, text: str) -> float:
    """Return how far a word stands in a folded text, from 0 to 1: as it is, as a word of the same meaning, or in part."""
    if word in text:
        return 1.0
    if any(other in text for other in synonyms().get(word, ())):
        return 0.9
    if not re.fullmatch(f"[{HAN}]+", word):
        return 0.7 if len(word) > 3 and word[:3] in text else 0.0  # noqa: PLR2004 - タブレット and タブレ
    if len(word) == 1:
        return 0.0
    pieces = [word[at : at + 2] for at in range(len(word) - 1)]
    whole = sum(max(float(piece in text), 0.9 * any(o in text for o in synonyms().get(piece, ()))) for piece in pieces)
    single = sum(character in text for character in word) / len(word)
    return max(whole / len(pieces), 0.4 * single)


def share_found(wanted: str, text: str) -> float:
    """Return which share of the content words of one text the other has; 0.0 where there are none."""
    words = content_words(wanted)
    return sum(found_in(word, text) for word in words) / len(words) if words else 0.0
