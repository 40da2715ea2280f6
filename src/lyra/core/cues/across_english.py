"""Forms of English words: past tense, participle, comparative; numbers as English text writes them."""

from fractions import Fraction
from functools import cache

_IRREGULAR = """be:was:been begin:began:begun become:became:become break:broke:broken bring:brought:brought build:built:built
    buy:bought:bought catch:caught:caught choose:chose:chosen come:came:come cut:cut:cut do:did:done drink:drank:drunk
    drive:drove:driven eat:ate:eaten fall:fell:fallen feel:felt:felt fight:fought:fought find:found:found fly:flew:flown
    forget:forgot:forgotten freeze:froze:frozen get:got:got give:gave:given go:went:gone grow:grew:grown have:had:had
    hear:heard:heard hit:hit:hit hold:held:held keep:kept:kept know:knew:known lead:led:led leave:left:left lend:lent:lent
    lose:lost:lost make:made:made pay:paid:paid put:put:put read:read:read ride:rode:ridden rise:rose:risen run:ran:run
    say:said:said see:saw:seen sell:sold:sold send:sent:sent shake:shook:shaken show:showed:shown shrink:shrank:shrunk
    sing:sang:sung sink:sank:sunk sleep:slept:slept speak:spoke:spoken spend:spent:spent spread:spread:spread stand:stood:stood
    steal:stole:stolen swim:swam:swum take:took:taken teach:taught:taught tell:told:told think:thought:thought
    throw:threw:thrown understand:understood:understood win:won:won write:wrote:written rebuild:rebuilt:rebuilt
    breed:bred:bred drop:dropped:dropped stop:stopped:stopped ban:banned:banned permit:permitted:permitted
    prefer:preferred:preferred occur:occurred:occurred can:could:could quit:quit:quit wake:woke:woken commit:committed:committed
    cost:cost:cost bear:bore:born recur:recurred:recurred"""
_COMPARED = {
    "many": "more", "few": "fewer", "good": "better", "bad": "worse", "easy": "easier", "early": "earlier", "heavy": "heavier",
    "healthy": "healthier", "happy": "happier", "hot": "hotter", "thin": "thinner", "far": "farther", "busy": "busier",
    "lonely": "lonelier", "large": "larger", "wide": "wider", "close": "closer", "dense": "denser", "safe": "safer",
    "severe": "more severe", "rare": "rarer", "tasty": "tastier", "scary": "scarier", "sleepy": "sleepier",
}  # fmt: skip
_SHORT = 6
_FRACTIONS = {(1, 2): "half", (1, 3): "one third", (2, 3): "two thirds", (1, 4): "a quarter", (3, 4): "three quarters"}
_VOWELS = "aeiou"


@cache
def _irregular() -> dict[str, tuple[str, str]]:
    return {base: (past, done) for base, past, done in (entry.split(":") for entry in _IRREGULAR.split())}


def _regular(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in _VOWELS else verb + "ed"


def past(verb: str) -> str:
    """Return the past tense of a verb that may have words behind it."""
    first, _, rest = verb.partition(" ")
    form = _irregular()[first][0] if first in _irregular() else _regular(first)
    return f"{form} {rest}".strip()


def participle(verb: str) -> str:
    """Return the past participle of a verb that may have words behind it."""
    first, _, rest = verb.partition(" ")
    form = _irregular()[first][1] if first in _irregular() else _regular(first)
    return f"{form} {rest}".strip()


def present(verb: str) -> str:
    """Return the third person of a verb that may have words behind it."""
    first, _, rest = verb.partition(" ")
    if first == "be":
        form = "is"
    elif first == "have":
        form = "has"
    elif first == "can":
        form = "can"
    elif first.endswith(("s", "sh", "ch", "x", "o")):
        form = first + "es"
    else:
        form = first[:-1] + "ies" if first.endswith("y") and first[-2:-1] not in _VOWELS else first + "s"
    return f"{form} {rest}".strip()


def denied(verb: str, *, before: bool) -> str:
    """Return a verb denied, in the past or not."""
    first, _, rest = verb.partition(" ")
    if first == "be":
        return f"{'was' if before else 'is'} not {rest}".strip()
    if first == "can":
        return f"{'could' if before else 'can'} not {rest}".strip()
    return f"{'did' if before else 'does'} not {verb}"


def compared(adjective: str) -> str:
    """Return the comparative of an adjective."""
    if adjective in _COMPARED:
        return _COMPARED[adjective]
    return f"{adjective}er" if len(adjective) <= _SHORT and " " not in adjective and adjective.isalpha() else f"more {adjective}"


def number(value: Fraction) -> str:
    """Return a number as English text writes it: 3 million, 1.5, 26,000."""
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if value >= size and (value / size * 10).denominator == 1:
            return f"{float(value / size):g} {name}"
    return f"{int(value):,}" if value.denominator == 1 and value >= 10**4 else f"{float(value):g}"


def share(value: Fraction) -> str:
    """Return a share in per cent: a fraction that has a name by it."""
    part = Fraction(value, 100)
    return _FRACTIONS.get((part.numerator, part.denominator)) or f"{number(value)} %"
