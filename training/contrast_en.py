"""Templated English pairs in which one word decides: numbers, time, roles, amounts, comparison, certainty, cause, group.

Own writing. A pair that differs from another in little gets another label, so that a model has to read the word that
matters. Nothing here repeats a sentence of `bench/judgement`.
"""

from __future__ import annotations

from random import Random

from training.lexicons import Lexicon
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

Row = tuple[str, str, int]

_LEXICON = Lexicon("contrasts_en.toml")
NOUNS = _LEXICON.words("nouns")
DEEDS = _LEXICON.together("deeds")
SIDES = _LEXICON.together("sides")
VERBS = _LEXICON.together("verbs")
ADJECTIVES = _LEXICON.together("adjectives")
THINGS = _LEXICON.together("things")
QUANTITIES = _LEXICON.together("quantities")
EVENTS = _LEXICON.words("events")
STATES = _LEXICON.together("states")
FACTS = _LEXICON.together("facts")
LINKS = _LEXICON.together("links")
GROUPS = _LEXICON.together("groups")
EFFECTS = _LEXICON.together("effects")
OUTCOMES = _LEXICON.together("outcomes")
CAUSES = _LEXICON.words("causes")

_ONES = "zero one two three four five six seven eight nine ten eleven twelve".split()


def _said(rng: Random, number: int) -> str:
    return _ONES[number] if number < len(_ONES) and rng.random() < 0.5 else f"{number:,}"


def _start(text: str) -> str:
    return text[0].upper() + text[1:]


def shares(rng: Random) -> list[Row]:
    """Some of a whole: more or less than half, how many are left, per cent."""
    noun, (deed, not_deed) = rng.choice(NOUNS), rng.choice(DEEDS)
    total = rng.choice([8, 10, 12, 16, 20, 25, 40, 50, 60, 80, 120, 200])
    part = rng.randrange(1, total)
    if 2 * part == total:
        part += 1
    evidence = rng.choice(
        [
            f"{_start(_said(rng, part))} of the {total} {noun} {deed}.",
            f"Of {total} {noun}, {_said(rng, part)} {deed}.",
            f"In all, {_said(rng, part)} out of {total} {noun} {deed}.",
        ]
    )
    most = 2 * part > total
    wrong = rng.choice([n for n in range(1, total) if n not in (part, total - part)] or [total])
    rows = [
        (f"More than half of the {noun} {deed}.", SUPPORTS if most else REFUTES),
        (f"Most of the {noun} {not_deed}.", REFUTES if most else SUPPORTS),
        (f"Fewer than half of the {noun} {deed}.", REFUTES if most else SUPPORTS),
        (f"{_start(_said(rng, total - part))} {noun} {not_deed}.", SUPPORTS),
        (f"{_start(_said(rng, wrong))} {noun} {deed}.", REFUTES),
        (f"All of the {noun} {deed}.", REFUTES),
        (f"About {round(100 * part / total)} % of the {noun} {deed}.", SUPPORTS),
        (
            f"About {round(100 * wrong / total)} % of the {noun} {deed}.",
            REFUTES if abs(wrong - part) / total > 0.08 else SUPPORTS,
        ),
    ]
    return [(evidence, claim, label) for claim, label in rows]


def amounts(rng: Random) -> list[Row]:
    """One quantity against bounds, multiples and other values."""
    subject, verb, unit = rng.choice(QUANTITIES)
    value = rng.choice([rng.randrange(11, 99), rng.randrange(100, 999), 10 * rng.randrange(100, 990)])
    evidence = f"{subject} {verb} {value:,} {unit}."
    low, high = max(1, int(value * rng.uniform(0.4, 0.9))), int(value * rng.uniform(1.15, 3))
    rows = [
        (f"{subject} {verb} more than {low:,} {unit}.", SUPPORTS),
        (f"{subject} {verb} more than {high:,} {unit}.", REFUTES),
        (f"{subject} {verb} less than {high:,} {unit}.", SUPPORTS),
        (f"{subject} {verb} less than {low:,} {unit}.", REFUTES),
        (f"{subject} {verb} at least {value:,} {unit}.", SUPPORTS),
        (f"{subject} {verb} {high:,} {unit}.", REFUTES),
        (f"{subject} {verb} at most {low:,} {unit}.", REFUTES),
    ]
    other = rng.choice([item for item in QUANTITIES if item[0] != subject])
    rows.append((f"{other[0]} {other[1]} {value:,} {other[2]}.", NEUTRAL))
    return [(evidence, claim, label) for claim, label in rows]


def changes(rng: Random) -> list[Row]:
    """From one value to another: difference, doubling, halving, direction."""
    noun = rng.choice(NOUNS)
    before = 10 * rng.randrange(2, 40)
    factor = rng.choice([0.25, 0.5, 0.5, 0.8, 1.1, 1.5, 2, 2, 3, 4])
    after = int(before * factor)
    way, other = ("rose", "fell") if after > before else ("fell", "rose")
    evidence = rng.choice(
        [
            f"The number of {noun} {way} from {before} to {after}.",
            f"There were {before} {noun} at first and {after} in the end.",
            f"Starting at {before}, the count of {noun} came to {after}.",
        ]
    )
    gap = abs(after - before)
    wrong = gap + rng.choice([10, 20, 30, 50])
    rows = [
        (f"The number of {noun} {way}.", SUPPORTS),
        (f"The number of {noun} {other}.", REFUTES),
        (f"The number of {noun} {way} by {gap}.", SUPPORTS),
        (f"The number of {noun} {way} by {wrong}.", REFUTES),
        (f"The number of {noun} doubled.", SUPPORTS if factor == 2 else REFUTES),
        (f"The number of {noun} was halved.", SUPPORTS if factor == 0.5 else REFUTES),
        (f"The number of {noun} did not change.", REFUTES),
    ]
    return [(evidence, claim, label) for claim, label in rows]


def times(rng: Random) -> list[Row]:
    """Years, order, what used to be and what will be."""
    event = rng.choice(EVENTS)
    year = rng.randrange(1620, 2024)
    century = {16: "seventeenth", 17: "eighteenth", 18: "nineteenth", 19: "twentieth", 20: "twenty-first"}
    evidence = rng.choice([f"In {year} {event}.", f"{_start(event)} in {year}.", f"It was in {year} that {event}."])
    far = rng.choice(
        [y for y in (year - 210, year - 100, year + 100, year - 40, year + 40, year + 12, year - 12) if 1600 < y < 2080]
    )
    other = rng.choice([name for key, name in century.items() if key != year // 100])
    subject, habit = rng.choice(STATES)
    first, second = rng.sample(EVENTS, 2)
    days = 7 * rng.randrange(2, 9)
    rows = [
        (evidence, f"{_start(event)} in the {century[year // 100]} century.", SUPPORTS),
        (evidence, f"{_start(event)} in the {other} century.", REFUTES),
        (evidence, f"{_start(event)} in {far}.", REFUTES),
        (evidence, f"{_start(event)} before {year + rng.randrange(5, 60)}.", SUPPORTS),
        (evidence, f"{_start(event)} after {year + rng.randrange(5, 60)}.", REFUTES),
        (evidence, f"{_start(rng.choice([e for e in EVENTS if e != event]))} in {year}.", NEUTRAL),
        (f"{_start(first)} before {second}.", f"{_start(second)} after {first}.", SUPPORTS),
        (f"{_start(first)} before {second}.", f"{_start(second)} before {first}.", REFUTES),
        (f"{_start(first)} after {second}.", f"{_start(second)} first, and then {first}.", SUPPORTS),
        (f"{_start(first)} after {second}.", f"{_start(first)} first, and then {second}.", REFUTES),
        (f"Formerly it was so: {subject.lower()} {habit}. This ended long ago.", f"{subject} no longer {habit}.", SUPPORTS),
        (f"Formerly it was so: {subject.lower()} {habit}. This ended long ago.", f"{subject} still {habit}.", REFUTES),
        (f"The repairs took {days} days.", f"The repairs took {_said(rng, days // 7)} weeks.", SUPPORTS),
        (f"The repairs took {days} days.", f"The repairs took {_said(rng, days // 7 + rng.randrange(2, 9))} weeks.", REFUTES),
        (
            f"It is planned that {event.replace('was', 'will be').replace('were', 'will be')} next year.",
            f"{_start(event)} already.",
            REFUTES,
        ),
    ]
    return rng.sample(rows, 8)


def roles(rng: Random) -> list[Row]:
    """Who did it to whom."""
    pair = rng.choice(SIDES)
    a, b = pair if rng.random() < 0.5 else pair[::-1]
    active, passive, converse = rng.choice(VERBS)
    context = rng.choice(["", "", " last spring", " in the end", " for the first time", " without warning"])
    evidence = _start(f"{a} {active} {b}{context}.")
    rows = [(_start(f"{b} {active} {a}."), REFUTES)]
    if passive != "-":
        rows += [(_start(f"{b} was {passive} {a}."), SUPPORTS), (_start(f"{a} was {passive} {b}."), REFUTES)]
        if rng.random() < 0.5:
            evidence = _start(f"{b} was {passive} {a}{context}.")
            rows.append((_start(f"{a} {active} {b}."), SUPPORTS))
    if converse != "-":
        rows += [(_start(f"{b} {converse} {a}."), SUPPORTS), (_start(f"{a} {converse} {b}."), REFUTES)]
    third = rng.choice([side for line in SIDES for side in line if side not in pair])
    rows.append((_start(f"{third} {active} {b}."), NEUTRAL))
    return [(evidence, claim, label) for claim, label in rows]


def amount_words(rng: Random) -> list[Row]:
    """All, most, some, few, none."""
    noun, (deed, not_deed) = rng.choice(NOUNS), rng.choice(DEEDS)
    facts = {
        "all": [f"All of the {noun} {deed}.", f"Every single one of the {noun} {deed}.", f"Without exception the {noun} {deed}."],
        "most": [f"Most of the {noun} {deed}.", f"The majority of the {noun} {deed}.", f"A large part of the {noun} {deed}."],
        "some": [f"Some of the {noun} {deed}.", f"Several {noun} {deed}.", f"At least a few {noun} {deed}."],
        "few": [f"Few of the {noun} {deed}.", f"Hardly any {noun} {deed}.", f"Only a handful of the {noun} {deed}."],
        "none": [f"None of the {noun} {deed}.", f"Not a single one of the {noun} {deed}.", f"No {noun} {deed}."],
        "not_all": [f"Not all of the {noun} {deed}.", f"Not every one of the {noun} {deed}."],
    }
    s, r, n = SUPPORTS, REFUTES, NEUTRAL
    table = {
        "all": {"all": s, "most": s, "some": s, "few": r, "none": r, "not_all": r, "left": r},
        "most": {"all": n, "most": s, "some": s, "few": r, "none": r, "left": n},
        "some": {"all": n, "most": n, "some": s, "none": r, "left": n},
        "few": {"all": r, "most": r, "some": s, "few": s, "none": n, "not_all": s, "left": s},
        "none": {"all": r, "most": r, "some": r, "few": s, "none": s, "left": s},
        "not_all": {"all": r, "not_all": s, "left": s, "none": n},
    }
    kind = rng.choice(list(facts))
    evidence = rng.choice(facts[kind])
    facts["left"] = [f"Some of the {noun} {not_deed}.", f"There were {noun} that {not_deed}."]
    rows = []
    for name, label in table[kind].items():
        claim = rng.choice(facts[name])
        if claim != evidence:
            rows.append((evidence, claim, label))
    return rows


def comparisons(rng: Random) -> list[Row]:
    """More, less, equal, most."""
    a, b = rng.choice(THINGS)
    if rng.random() < 0.5:
        a, b = b, a
    more, less, plain = rng.choice(ADJECTIVES)
    kind = rng.choice(["more", "more", "not_as", "equal"])
    if kind == "equal":
        evidence = rng.choice([f"{_start(a)} is as {plain} as {b}.", f"There is no difference: {a} and {b} are equally {plain}."])
        claims = [
            (f"{_start(a)} is {more} than {b}.", REFUTES),
            (f"{_start(b)} is {less} than {a}.", REFUTES),
            (f"Neither of the two, {a} or {b}, is {more} than the other.", SUPPORTS),
        ]
    else:
        evidence = rng.choice(
            [f"{_start(a)} is {more} than {b}.", f"Compared with {b}, {a} is {more}."]
            if kind == "more"
            else [f"{_start(b)} is not as {plain} as {a}.", f"{_start(b)} is less {plain} than {a}."]
        )
        claims = [
            (f"{_start(b)} is {less} than {a}.", SUPPORTS),
            (f"{_start(b)} is {more} than {a}.", REFUTES),
            (f"{_start(a)} is {less} than {b}.", REFUTES),
            (f"Of the two, {a} is the {more} one.", SUPPORTS),
            (f"Of the two, {b} is the {more} one.", REFUTES),
            (f"{_start(a)} and {b} are equally {plain}.", REFUTES),
        ]
    other = rng.choice([item for item in ADJECTIVES if item[0] != more])
    claims.append((f"{_start(a)} is {other[0]} than {b}.", NEUTRAL))
    return [(evidence, claim, label) for claim, label in claims]


def certainty(rng: Random) -> list[Row]:
    """Possible, claimed, proven, open."""
    subject, predicate = rng.choice(FACTS)
    fact = f"{subject} {predicate}"
    weak = rng.choice(
        [
            f"It is possible that {fact}.",
            f"There are first hints that {fact}.",
            f"Some suspect that {fact}.",
            f"It may be that {fact}, but data are few.",
            f"The makers assert that {fact}.",
            f"It is widely assumed that {fact}.",
            f"The findings suggest that {fact}.",
        ]
    )
    strong = rng.choice(
        [
            f"Controlled tests have proved that {fact}.",
            f"It is beyond doubt that {fact}.",
            f"Two laboratories confirmed that {fact}.",
        ]
    )
    unknown = rng.choice(
        [f"Nobody knows whether {fact}.", f"It remains an open question whether {fact}.", f"Whether {fact} could not be settled."]
    )
    sure = rng.choice(
        [f"It has been proven that {fact}.", f"It is certain that {fact}.", f"It is an established fact that {fact}."]
    )
    maybe = rng.choice([f"Perhaps {fact}.", f"It cannot be excluded that {fact}.", f"It is conceivable that {fact}."])
    doubt = rng.choice([f"It is unclear whether {fact}.", f"There is no proof that {fact}."])
    return [
        (weak, sure, NEUTRAL),
        (weak, maybe, SUPPORTS),
        (strong, sure, SUPPORTS),
        (strong, doubt, REFUTES),
        (strong, f"{_start(fact)}.", SUPPORTS),
        (unknown, sure, REFUTES),
        (unknown, doubt, SUPPORTS),
    ]


def causes(rng: Random) -> list[Row]:
    """Seen together, or shown to bring about."""
    cause, outcome = rng.choice(LINKS)
    seen = rng.choice(
        [
            f"In the survey, {cause} went together with {outcome}.",
            f"Across regions, {cause} and {outcome} were correlated.",
            f"The cohort study found an association between {cause} and {outcome}.",
            f"Where {cause} was common, so was {outcome}; incomes differed, too.",
        ]
    )
    shown = rng.choice(
        [
            f"In a trial with random assignment, {cause} led to {outcome}.",
            f"The experiment showed that {cause} brings about {outcome}.",
        ]
    )
    rows = [
        (seen, f"{_start(cause)} is linked to {outcome}.", SUPPORTS),
        (seen, f"{_start(cause)} causes {outcome}.", NEUTRAL),
        (seen, f"{_start(cause)} is the reason for {outcome}.", NEUTRAL),
        (seen, f"There is no association between {cause} and {outcome}.", REFUTES),
        (shown, f"{_start(cause)} causes {outcome}.", SUPPORTS),
        (shown, f"{_start(cause)} has nothing to do with {outcome}.", REFUTES),
    ]
    first, second = rng.sample([item[0] for item in LINKS], 2)
    evidence = rng.choice(
        [f"The change was due to {first}, not to {second}.", f"It was {first} rather than {second} that caused the change."]
    )
    rows += [
        (evidence, f"{_start(first)} caused the change.", SUPPORTS),
        (evidence, f"{_start(second)} caused the change.", REFUTES),
    ]
    return rng.sample(rows, 6)


def groups(rng: Random) -> list[Row]:
    """The right effect in another group says nothing, unless both are named."""
    pair = rng.choice(GROUPS)
    a, b = pair if rng.random() < 0.5 else pair[::-1]
    factor, effect = rng.choice(EFFECTS)
    alone = rng.choice(
        [
            f"Among {a}, {factor} {effect}.",
            f"{_start(factor)} {effect} in {a}.",
            f"In the group of {a} it was found that {factor} {effect}.",
        ]
    )
    both = rng.choice(
        [f"{_start(factor)} {effect} in {a} but not in {b}.", f"Among {a} {factor} {effect}, whereas {b} did not benefit."]
    )
    return [
        (alone, f"{_start(factor)} {effect} among {a}.", SUPPORTS),
        (alone, f"{_start(factor)} {effect} among {b}.", NEUTRAL),
        (both, f"{_start(factor)} {effect} among {a}.", SUPPORTS),
        (both, f"{_start(factor)} {effect} among {b}.", REFUTES),
        (alone, f"{_start(rng.choice([e for e in EFFECTS if e[0] != factor])[0])} {effect} among {a}.", NEUTRAL),
    ]


def directions(rng: Random) -> list[Row]:
    """The same change in other words, and its opposite."""
    subject, up, down = rng.choice(OUTCOMES)
    ways = [up.split(", "), down.split(", ")]
    rng.shuffle(ways)
    cause = rng.choice(CAUSES)
    said = rng.choice(ways[0])
    evidence = rng.choice([f"{cause} {subject} {said}.", f"{_start(subject)} {said} {cause[0].lower()}{cause[1:]}."])
    same, opposite = rng.choice([w for w in ways[0] if w != said] or ways[0]), rng.choice(ways[1])
    other = rng.choice([item for item in OUTCOMES if item[0] != subject])
    return [
        (evidence, f"{_start(subject)} {same} {cause[0].lower()}{cause[1:]}.", SUPPORTS),
        (evidence, f"{_start(subject)} {opposite} {cause[0].lower()}{cause[1:]}.", REFUTES),
        (evidence, f"{_start(subject)} stayed the same {cause[0].lower()}{cause[1:]}.", REFUTES),
        (evidence, f"{_start(other[0])} {rng.choice(other[1].split(', '))} {cause[0].lower()}{cause[1:]}.", NEUTRAL),
    ]


def denials(rng: Random) -> list[Row]:
    """Plain, denied and doubly denied."""
    noun, (deed, not_deed) = rng.choice(NOUNS), rng.choice(DEEDS)
    evidence = rng.choice(
        [
            f"The {noun} {not_deed}.",
            f"It is not true that the {noun} {deed}.",
            f"Contrary to what was said, the {noun} {not_deed}.",
        ]
    )
    double = rng.choice([f"It is not true that the {noun} {not_deed}.", f"There were no {noun} that {not_deed}."])
    return [
        (evidence, f"The {noun} {deed}.", REFUTES),
        (evidence, f"It is false that the {noun} {deed}.", SUPPORTS),
        (double, f"The {noun} {deed}.", SUPPORTS),
        (double, f"The {noun} {not_deed}.", REFUTES),
    ]


KINDS = (shares, amounts, changes, times, roles, amount_words, comparisons, certainty, causes, groups, directions, denials)


def generate(count: int, seed: int) -> list[Pair]:
    """Return about `count` pairs, every kind in turn, two of each scene."""
    rng = Random(seed)
    found: list[Pair] = []
    while len(found) < count:
        for kind in KINDS:
            rows = kind(rng)
            chosen = rng.sample(rows, min(3, len(rows)))
            found += [Pair(evidence, claim, label, "contrast-en") for evidence, claim, label in chosen]
    return found[:count]
