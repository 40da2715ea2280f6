"""English text as words with stems, in clauses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# Long enough for any sentence; a page pasted as one must not cost seconds.
MAX_WORDS = 240

_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[A-Za-z\u00c0-\u024f]+(?:['’][a-z]+)?(?:-[A-Za-z]+)*|[%€$£]|[.,;:?!()]")
_CONTRACTION = re.compile(r"n['’]t$")
_POSSESSIVE = re.compile(r"['’]s?$")
_BREAKS = frozenset(".;:?!()")
_TURNS = frozenset(("but", "while", "whereas", "although", "though", "yet", "however"))

_IRREGULAR = dict(
    pair.split("=")
    for pair in """
rose=rise risen=rise fell=fall fallen=fall grew=grow grown=grow shrank=shrink shrunk=shrink sank=sink sunk=sink lost=lose
won=win beaten=beat sold=sell bought=buy lent=lend taught=teach learnt=learn gave=give given=give took=take taken=take ran=run
wrote=write written=write built=build found=find left=leave led=lead made=make paid=pay said=say saw=see seen=see sent=send
shot=shoot slept=sleep spoke=speak spoken=speak spent=spend
stood=stand stole=steal stolen=steal swam=swim told=tell thought=think
wore=wear worn=wear broke=break broken=break brought=bring caught=catch chose=choose chosen=choose drew=draw drawn=draw
drank=drink drunk=drink drove=drive driven=drive ate=eat eaten=eat
felt=feel fought=fight flew=fly flown=fly forgot=forget forgotten=forget
froze=freeze frozen=freeze held=hold hid=hide hidden=hide kept=keep knew=know known=know laid=lay meant=mean met=meet rode=ride
rang=ring sat=sit shook=shake sang=sing sung=sing began=begin
begun=begin became=become came=come went=go gone=go did=do had=have
men=man women=woman children=child mice=mouse feet=foot teeth=tooth geese=goose lives=life wives=wife leaves=leaf wolves=wolf
calves=calf halves=half knives=knife loaves=loaf oxen=ox bacteria=bacterium analyses=analysis people=person worse=bad worst=bad
better=good best=good further=far older=old elder=old dying=die died=die dies=die lying=lie tied=tie hungry=hunger hit=hit
sped=speed bled=bleed bred=breed fed=feed dug=dig hung=hang swept=sweep
wept=weep crept=creep bent=bend bound=bind wound=wound struck=strike swore=swear
tore=tear torn=tear threw=throw thrown=throw woke=wake overtook=overtake overtaken=overtake withdrew=withdraw withdrawn=withdraw
betrayed=betray owed=owe lain=lie arose=arise arisen=arise outgrew=outgrow underwent=undergo understood=understand proven=prove
agreed=agree freed=free guaranteed=guarantee decreed=decree speeding=speed feeding=feed
""".split()
)
_VOWELS = frozenset("aeiouy")
_MIN = 3


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as written in lower case, its stem, its place, its clause, and whether it begins with a capital."""

    text: str
    stem: str
    place: int
    clause: int
    capital: bool


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what the forms of a word share: "reduces", "reduced" and "reducing" give the same."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= _MIN:
        return word
    word = _without_plural(word)
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= _MIN and _VOWELS & set(base):
            word = _single(base)
            break
    word = _without_adverb(word)
    if word.endswith("y") and len(word) > _MIN:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > _MIN else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > _MIN + 1:
        return word[:-3] + "y"
    if word.endswith("ied") and len(word) > _MIN + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _single(base: str) -> str:
    if len(base) > _MIN and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    if base.endswith("ll") and len(base) > _MIN + 1:
        return base[:-1]
    return base


def _without_adverb(word: str) -> str:
    if word.endswith("ly") and len(word) > _MIN + 2:
        return word[:-2]
    return word


def words_of(text: str) -> list[Word]:
    """Return the words of a text; "doesn't" becomes "does" and "not", the possessive is left off."""
    found: list[Word] = []
    clause = 0
    for token, capital in _tokens(text):
        if token in _BREAKS:
            clause += 1
        elif token == ",":
            continue
        else:
            clause += token in _TURNS
            found.append(Word(token, stem(token), len(found), clause, capital))
        if len(found) >= MAX_WORDS:
            break
    return found


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    for match in _TOKEN.finditer(text):
        written = match.group()
        lower = written.lower()
        if lower in ("cannot", "can't", "can’t"):
            yield "can", False
            yield "not", False
        elif _CONTRACTION.search(lower):
            if len(lower) > len("n't"):  # cut-up text has the "n't" alone
                yield {"won": "will", "shan": "shall"}.get(lower[:-3], lower[:-3]), False
            yield "not", False
        else:
            yield _POSSESSIVE.sub("", lower) or lower, written[0].isupper()


def is_number_word(text: str) -> bool:
    """Return whether a word is a number written out, or a part such as a third."""
    return all(part in NUMBERS or part in _PARTS for part in text.split("-"))


NUMBERS = {
    **dict(
        zip(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen".split(),
            range(20),
            strict=True,
        )
    ),
    **dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True)),
}
_PARTS = frozenset(
    "half thirds third quarter quarters fifth fifths sixth seventh eighth tenth tenths hundred thousand million billion".split()
)


def kin(left: str, right: str) -> bool:
    """Return whether two stems are so alike that one is derived from the other: "suppress" and "suppression"."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(short) < 4 or short[0] != long[0]:  # noqa: PLR2004 - "car" and "care" are not related
        return False
    shared = 0
    for one, other in zip(short, long, strict=False):
        if one != other:
            break
        shared += 1
    rest = long[shared:]
    return (shared >= len(short) - 1 and shared >= 5 and len(rest) <= 5) or (shared == len(short) and rest in _ENDINGS)  # noqa: PLR2004


_ENDINGS = frozenset(
    "er or ion ation ment ness al ic ity ist ous ful able ive ant ent ance ence est age ier iest i th ship hood ian ese".split()
)
