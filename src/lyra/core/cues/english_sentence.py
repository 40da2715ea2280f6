"""One English sentence prepared for the cues: content words, what is denied, what goes up or down."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lyra.core.cues.english_lexicon import Lexicon, lexicon
from lyra.core.cues.english_words import Word, is_number_word, words_of

# How many words behind a negation it still speaks of; a clause ends it earlier.
_SCOPE = 9
_SCOPE_WITHOUT = 3
_BACKWARD = frozenset(("absent", "lack"))
_ARTICLES = frozenset(("the", "a", "an", "by", "in", "because", "from"))
_INSTEAD = frozenset(("rather", "instead"))
# "less" and "more" turn round or keep the word they stand before.
_LESS, _MORE = frozenset(("less", "least", "fewer")), frozenset(("more", "most"))


_MOVING = frozenset(("go", "goe", "come", "mov", "driv", "push", "bring", "edg", "creep", "stay"))
_COUNTS = frozenset("half a one two three four five six seven eight nine ten twenty thirty forty fifty hundred".split())
# Deny only before certain words: "failed to arrive" is a denial, "the bank failed" is not.
_ONLY_BEFORE = {
    "fail": ("to",), "refus": ("to",), "declin": ("to",), "unabl": ("to",), "unwill": ("to",), "free": ("of", "from"),
    "fre": ("of", "from"), "spar": ("from",), "rul": ("out",), "absenc": ("of",), "rather": ("than",), "instead": ("of",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence with what the cues read off each.

    `denied` tells, word by word, whether an odd number of negations speaks of it; `signs` is +1 for a word of increase,
    -1 for one of decrease, 0 for any other; `content` lists the places of words that carry the topic.
    """

    words: Sequence[Word]
    text: str
    content: Sequence[int]
    denied: Sequence[bool]
    negators: Sequence[int]
    signs: Sequence[int]

    def stems(self) -> list[str]:
        """Return the stems of the content words, in order."""
        return [self.words[place].stem for place in self.content]


@lru_cache(maxsize=512)
def read_sentence(text: str) -> Sentence:
    """Return a sentence as the cues need it; kept, because a claim is judged against many."""
    known = lexicon()
    words = words_of(text)
    negators = [place for place, word in enumerate(words) if _denies(words, place, word, known)]
    if any(word.text == "neither" for word in words):  # "neither … nor" denies once
        negators = [place for place in negators if words[place].text != "nor"]
    signs = _signs(words, known)
    return Sentence(
        words=words,
        text=" " + " ".join(word.text for word in words) + " ",
        content=[place for place, word in enumerate(words) if _is_content(word, known) and not signs[place]],
        denied=_denied(words, negators),
        negators=negators,
        signs=signs,
    )


def _is_content(word: Word, known: Lexicon) -> bool:
    text = word.text
    return (
        text not in known.stop
        and text not in known.negators
        and text not in known.hedges
        and text not in known.shares
        and not text[0].isdigit()
        and len(text) > 1
        and not is_number_word(text)
    )


def _denies(words: Sequence[Word], place: int, word: Word, known: Lexicon) -> bool:
    after = words[place + 1].text if place + 1 < len(words) else ""
    if word.text in known.negators:
        return after not in ("only", "doubt", "just", "merely")
    if word.stem in _ONLY_BEFORE:
        return after in _ONLY_BEFORE[word.stem]
    return word.stem in known.denying


def _denied(words: Sequence[Word], negators: Sequence[int]) -> list[bool]:
    denied = [False] * len(words)
    for place in negators:
        word = words[place]
        after = words[place + 1].text if place + 1 < len(words) else ""
        # "the firm, not the driver, is liable" denies the driver alone
        short = word.text in ("without", "nor") or (word.text == "not" and after in _ARTICLES) or word.text in _INSTEAD
        reach = _SCOPE_WITHOUT if short else _SCOPE
        for other in range(place + 1, min(len(words), place + 1 + reach)):
            if words[other].clause != word.clause:
                break
            denied[other] = not denied[other]
        if word.stem in _BACKWARD or word.text in ("none", "nobody", "nothing"):
            for other in range(max(0, place - 4), place):
                denied[other] = denied[other] ^ (words[other].clause == word.clause)
    return denied


def _signs(words: Sequence[Word], known: Lexicon) -> list[int]:
    signs = [_sign(word, known) for word in words]
    for place, word in enumerate(words[:-1]):
        after = words[place + 1]
        if word.text in _LESS and signs[place + 1]:  # "less damaged" is one word of direction
            signs[place], signs[place + 1] = -signs[place + 1], 0
        elif _says_nothing(words, place, signs[place + 1]):
            signs[place] = 0
        elif word.text in ("twice", "times") and after.text == "as":
            signs[place] = 1
    for place, word in enumerate(words):
        if word.text in ("up", "down") and place and words[place - 1].stem in _MOVING:
            signs[place] = 1 if word.text == "up" else -1
    return signs


def _says_nothing(words: Sequence[Word], place: int, next_sign: int) -> bool:
    """Return whether a word of more or less stands for no direction: in "more slowly", "more than five", "most people"."""
    text = words[place].text
    if text == "most" or (text in _MORE and next_sign < 0):
        return True
    return (text in _MORE or text in _LESS) and words[place + 1].text == "than" and _counted(words, place + 2)


def _sign(word: Word, known: Lexicon) -> int:
    return (word.stem in known.up or word.text in known.up) - (word.stem in known.down or word.text in known.down)


def _counted(words: Sequence[Word], place: int) -> bool:
    return place < len(words) and (words[place].text[0].isdigit() or words[place].text in _COUNTS)
