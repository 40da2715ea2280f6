"""What a Japanese clause denies, how sure it is, and of how many it speaks."""

import re
from dataclasses import dataclass
from enum import IntEnum

from lyra.core.cues.japanese_words import pattern, poles

_ONLY = re.compile("しか(?=[^、。]*(?:ない|なかった|ず|ません))")


class Share(IntEnum):
    """Of how many a sentence speaks."""

    NONE = 0
    FEW = 1
    SOME = 2
    PLAIN = 3
    MOST = 4
    ALL = 5


# In the order in which they are looked for: すべて before 多く.
_SPOKEN = (Share.ALL, Share.MOST, Share.FEW, Share.SOME)


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a text says of its predicate: of how many, and whether it holds of them."""

    share: Share
    holds: bool
    denials: int
    double: bool
    hedged: bool
    unknown: bool
    null: bool


def denials(text: str) -> int:
    """Return how many denials a folded text holds; what only looks like one does not count."""
    plain = _ONLY.sub("", pattern("no_denial").sub("", text)) if not _ONLY.search(text) else _drop_only(text)
    return len(pattern("denial").findall(plain)) + len(pattern("denying_prefix").findall(plain))


def _drop_only(text: str) -> str:
    # しか…ない is "only", no denial: the first denial behind しか belongs to it.
    plain = pattern("no_denial").sub("", text)
    place = plain.find("しか")
    return plain if place < 0 else plain[:place] + pattern("denial").sub("", plain[place:], count=1)


def polarity(text: str) -> Polarity:
    """Return the polarity of a folded clause or sentence."""
    count = denials(text)
    double = pattern("double").search(text) is not None
    not_sure = not double and pattern("not_sure").search(text) is not None
    share = next((share for share in _SPOKEN if pattern(f"share_{share.name.lower()}").search(text)), Share.PLAIN)
    holds = count % 2 == 0
    relative = pattern("relative").search(text) is not None
    without = pattern("no_denial").sub("", text)
    if double:
        share, holds = (Share.SOME, True)
    elif not_sure:
        share, holds = Share.SOME, count >= 2  # noqa: PLR2004 - 全員がしたわけではない: some did not
    elif relative and pattern("no_member").search(without):
        inner = count - 1
        few = re.search("ほとんど|めったに", text) is not None
        share, holds = (Share.MOST if few else Share.ALL), inner % 2 == 1
    elif relative and share is Share.FEW:
        inner = count - (1 if re.search("ほとんど[^、]*(?:な[いか])", text) else 0)
        share, holds = Share.MOST, inner % 2 == 1
    elif share is Share.FEW and re.search("ほとんど|あまり|めったに", text):
        share, holds = Share.MOST, False
    return Polarity(
        share,
        holds,
        count,
        double,
        pattern("hedge").search(text) is not None or not_sure,
        pattern("unknown").search(text) is not None,
        pattern("null").search(text) is not None,
    )


def is_certain(text: str) -> bool:
    """Return whether a text says that something is proved, or always so."""
    return pattern("certain").search(text) is not None


def leanings(text: str) -> dict[str, float]:
    """Return for each scale that a folded text speaks of where it leans: 1.0 up, -1.0 down.

    The last word of a scale counts, turned round by every denial behind it (遅れていない所は少ない is twice denied).
    """
    found: dict[str, float] = {}
    wrapped = _FEW_OF_THEM.search(text)
    read = _HOW_MANY.sub("", text[: wrapped.start(1)] if wrapped else text)
    for scale, patterns in poles().items():
        matches = [(match, sign) for pattern, sign in zip(patterns, (1.0, -1.0), strict=True) for match in pattern.finditer(read)]
        if matches:
            # Of two that end together the longer is meant: 不可能, not 可能.
            match, sign = max(matches, key=lambda one: (one[0].end(), len(one[0].group())))
            found[scale] = sign * _turned(read, _behind(match)) * (-1.0 if wrapped else 1.0)
    return found


_FEW_OF_THEM = re.compile("[たいるう][一-龥ァ-ヶー]{1,8}(?:は|が)((?:ごく)?(?:少な|少数|まれ|稀|わずか|ほとんどな|ほとんどいな))")
_HOW_MANY = re.compile("多くの|の多く(?=[はがに])|多くは|多くが|(?<=[たるい])[一-龥ァ-ヶー]{1,8}[がは]多(?:い|かった)$")


def _behind(match: re.Match[str]) -> int:
    """Return from where denials of a word of a scale count: a denial that is part of the word (届かない) does not."""
    word = match.group()
    if word[0] in "不無未非":
        return match.end()
    return match.end() + 1 if word[-1] in "なず" and not word.startswith("少") else match.start()


def _turned(text: str, start: int) -> float:
    behind = text[start:]
    if pattern("double").search(behind):
        return 1.0
    return -1.0 if denials(behind) % 2 else 1.0
