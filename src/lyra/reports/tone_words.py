"""The word list of the tone analyser, and the words of one clause with what turns them round."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

VERDICT = 3.0
OBSERVATION = 1.0
TOPIC = 0.5
# How many characters after a mere noun a negation still means it.
REACH = 8
_ATTRIBUTE = re.compile(
    r"(?:な|の|い|る|た|した|らしい|ある|となる|ような|な主張|のある|ない|する|すべき|に見る|と示す|(?:いる)?(?:とする|という|といった))?"
)
_ADJECTIVE = re.compile(r"な|の|い")
_CONTINUES = ("なく", "ず", "ず、", "であって")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word list, made ready for looking up: one pattern per use, longest entry first."""

    kinds: dict[str, str]
    tokens: re.Pattern[str]
    turns: re.Pattern[str]
    adversative: re.Pattern[str]
    mixed: re.Pattern[str]
    neutral: re.Pattern[str]
    irony: re.Pattern[str]
    condition: re.Pattern[str]
    request: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the clause means it: its text up to what turns it round, its sign and its weight."""

    text: str
    sign: int
    weight: float
    is_verdict: bool


@cache
def lexicon() -> Lexicon:
    """Return the shipped word list. Read once; the file is part of the package."""
    source = (resources.files("lyra.reports") / "tone_lexicon.toml").read_text(encoding="utf-8")
    table = {
        section: {name: words.split() for name, words in entries.items()} for section, entries in tomllib.loads(source).items()
    }
    shift = table["shift"]
    uses = [
        ("asset", table["asset"]["words"]),
        ("stance", table["stance"]["words"]),
        ("topic", table["topic"]["words"]),
        ("praise", table["praise"]["words"]),
        ("low", shift["low"]),
        ("high", shift["high"]),
        ("observed+", table["observation"]["positive"]),
        ("observed-", table["observation"]["negative"]),
        ("verdict+", table["verdict"]["positive"]),
        ("verdict-", table["verdict"]["negative"]),
        ("lack", shift["lack"]),
        ("negation", shift["negation"]),
        ("open", shift["open"]),
        ("transparent", shift["transparent"]),
    ]
    kinds = {word: kind for kind, words in uses for word in words}
    return Lexicon(
        kinds=kinds,
        tokens=_any_of(kinds),
        turns=_any_of(table["turn"]["within"]),
        adversative=_any_of(table["turn"]["before_sentence"]),
        mixed=_any_of(table["whole"]["mixed"]),
        neutral=_any_of(table["whole"]["neutral"]),
        irony=_any_of(table["whole"]["irony"]),
        condition=_any_of(table["aside"]["condition"]),
        request=_any_of(table["aside"]["request"]),
    )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))))


@dataclass(slots=True)
class _Open:
    """A word whose clause is still being read; `sign` 0 is a thing of which nothing has been said yet."""

    start: int
    end: int
    sign: int
    weight: float
    is_verdict: bool
    weak: bool = False


def words_of(clause: str) -> Iterator[Word]:
    """Yield the words of one clause with the sign that negations leave them."""
    current: _Open | None = None
    for match in lexicon().tokens.finditer(clause):
        kind = lexicon().kinds[match[0]]
        fresh = _opened(kind, match)
        if fresh is None:
            _apply(kind, match.start(), match.end(), current)
        elif current is not None and _belongs(clause, current, fresh, kind):
            current.end = fresh.end
        else:
            yield from _closed(clause, current)
            current = fresh
    yield from _closed(clause, current)


def _opened(kind: str, match: re.Match[str]) -> _Open | None:
    """A new word, or None for what only acts on the word before."""
    if kind == "asset":
        return _Open(match.start(), match.end(), 0, OBSERVATION, False, weak=True)
    if kind == "stance":
        return _Open(match.start(), match.end(), 0, VERDICT, True, weak=True)
    if kind in ("topic", "praise"):
        return _Open(match.start(), match.end(), 1, TOPIC, False, weak=True)
    if kind in ("observed+", "observed-", "verdict+", "verdict-"):
        is_verdict = kind.startswith("verdict")
        return _Open(
            match.start(), match.end(), 1 if kind.endswith("+") else -1, VERDICT if is_verdict else OBSERVATION, is_verdict
        )
    if kind == "lack":
        return _Open(match.start(), match.end(), -1, OBSERVATION, False)
    return None


def _belongs(clause: str, current: _Open, fresh: _Open, kind: str) -> bool:
    """Whether a new word only goes on with the one before: "a reliable source", "lacks force"."""
    if kind == "lack":
        _turn(current)
        return True
    if current.weak and current.weight == TOPIC and kind.startswith(("observed", "verdict")):
        # What is said of the subject decides, not that it was named.
        current.sign, current.weight, current.is_verdict, current.weak = fresh.sign, fresh.weight, fresh.is_verdict, False
        return True
    if kind == "observed-" and current.sign > 0 and _ADJECTIVE.fullmatch(clause[current.end : fresh.start]):
        current.sign, current.weight = fresh.sign, fresh.weight
        return True
    if kind not in ("asset", "topic") or not current.sign or clause[: current.end].endswith(_CONTINUES):
        return False
    return _ATTRIBUTE.fullmatch(clause[current.end : fresh.start]) is not None


def _apply(kind: str, start: int, end: int, current: _Open | None) -> None:
    if current is None or (current.weak and start - current.end > REACH):
        return
    if kind in ("negation", "low"):
        _turn(current)
    elif kind == "high":
        current.sign, current.weight = current.sign or 1, max(current.weight, OBSERVATION)
    elif kind == "open":
        current.sign, current.weight = 0, 0.0
    else:
        return
    current.end = end


def _turn(current: _Open) -> None:
    current.sign, current.weight = (-1 if current.sign >= 0 else 1), max(current.weight, OBSERVATION)
    current.weak = False


def _closed(clause: str, current: _Open | None) -> Iterator[Word]:
    if current is not None and current.sign:
        yield Word(clause[current.start : current.end], current.sign, current.weight, current.is_verdict)
