"""Templated English pairs in which one word decides: numbers, time, roles, amounts, comparison, certainty, cause, group.

Own writing. A pair that differs from another in little gets another label, so that a model has to read the word that
matters. Nothing here repeats a sentence of `bench/judgement`.
"""

from __future__ import annotations

from random import Random

from training.contrast_meaning_en import causes, certainty, denials, directions, groups
from training.contrast_words import DEEDS, LEXICON, NOUNS, Row, start
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

SIDES = LEXICON.together("sides")
VERBS = LEXICON.together("verbs")
ADJECTIVES = LEXICON.together("adjectives")
THINGS = LEXICON.together("things")
QUANTITIES = LEXICON.together("quantities")
EVENTS = LEXICON.words("events")
STATES = LEXICON.together("states")

_ONES = "zero one two three four five six seven eight nine ten eleven twelve".split()


def _said(rng: Random, number: int) -> str:
    return _ONES[number] if number < len(_ONES) and rng.random() < 0.5 else f"{number:,}"


def shares(rng: Random) -> list[Row]:
    """Some of a whole: more or less than half, how many are left, per cent."""
    noun, (deed, not_deed) = rng.choice(NOUNS), rng.choice(DEEDS)
    total = rng.choice([8, 10, 12, 16, 20, 25, 40, 50, 60, 80, 120, 200])
    part = rng.randrange(1, total)
    if 2 * part == total:
        part += 1
    evidence = rng.choice(
        [
            f"{start(_said(rng, part))} of the {total} {noun} {deed}.",
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
        (f"{start(_said(rng, total - part))} {noun} {not_deed}.", SUPPORTS),
        (f"{start(_said(rng, wrong))} {noun} {deed}.", REFUTES),
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
    evidence = rng.choice([f"In {year} {event}.", f"{start(event)} in {year}.", f"It was in {year} that {event}."])
    far = rng.choice(
        [y for y in (year - 210, year - 100, year + 100, year - 40, year + 40, year + 12, year - 12) if 1600 < y < 2080]
    )
    other = rng.choice([name for key, name in century.items() if key != year // 100])
    subject, habit = rng.choice(STATES)
    first, second = rng.sample(EVENTS, 2)
    days = 7 * rng.randrange(2, 9)
    rows = [
        (evidence, f"{start(event)} in the {century[year // 100]} century.", SUPPORTS),
        (evidence, f"{start(event)} in the {other} century.", REFUTES),
        (evidence, f"{start(event)} in {far}.", REFUTES),
        (evidence, f"{start(event)} before {year + rng.randrange(5, 60)}.", SUPPORTS),
        (evidence, f"{start(event)} after {year + rng.randrange(5, 60)}.", REFUTES),
        (evidence, f"{start(rng.choice([e for e in EVENTS if e != event]))} in {year}.", NEUTRAL),
        (f"{start(first)} before {second}.", f"{start(second)} after {first}.", SUPPORTS),
        (f"{start(first)} before {second}.", f"{start(second)} before {first}.", REFUTES),
        (f"{start(first)} after {second}.", f"{start(second)} first, and then {first}.", SUPPORTS),
        (f"{start(first)} after {second}.", f"{start(first)} first, and then {second}.", REFUTES),
        (f"Formerly it was so: {subject.lower()} {habit}. This ended long ago.", f"{subject} no longer {habit}.", SUPPORTS),
        (f"Formerly it was so: {subject.lower()} {habit}. This ended long ago.", f"{subject} still {habit}.", REFUTES),
        (f"The repairs took {days} days.", f"The repairs took {_said(rng, days // 7)} weeks.", SUPPORTS),
        (f"The repairs took {days} days.", f"The repairs took {_said(rng, days // 7 + rng.randrange(2, 9))} weeks.", REFUTES),
        (
            f"It is planned that {event.replace('was', 'will be').replace('were', 'will be')} next year.",
            f"{start(event)} already.",
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
    evidence = start(f"{a} {active} {b}{context}.")
    rows = [(start(f"{b} {active} {a}."), REFUTES)]
    if passive != "-":
        rows += [(start(f"{b} was {passive} {a}."), SUPPORTS), (start(f"{a} was {passive} {b}."), REFUTES)]
        if rng.random() < 0.5:
            evidence = start(f"{b} was {passive} {a}{context}.")
            rows.append((start(f"{a} {active} {b}."), SUPPORTS))
    if converse != "-":
        rows += [(start(f"{b} {converse} {a}."), SUPPORTS), (start(f"{a} {converse} {b}."), REFUTES)]
    third = rng.choice([side for line in SIDES for side in line if side not in pair])
    rows.append((start(f"{third} {active} {b}."), NEUTRAL))
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
        evidence = rng.choice([f"{start(a)} is as {plain} as {b}.", f"There is no difference: {a} and {b} are equally {plain}."])
        claims = [
            (f"{start(a)} is {more} than {b}.", REFUTES),
            (f"{start(b)} is {less} than {a}.", REFUTES),
            (f"Neither of the two, {a} or {b}, is {more} than the other.", SUPPORTS),
        ]
    else:
        evidence = rng.choice(
            [f"{start(a)} is {more} than {b}.", f"Compared with {b}, {a} is {more}."]
            if kind == "more"
            else [f"{start(b)} is not as {plain} as {a}.", f"{start(b)} is less {plain} than {a}."]
        )
        claims = [
            (f"{start(b)} is {less} than {a}.", SUPPORTS),
            (f"{start(b)} is {more} than {a}.", REFUTES),
            (f"{start(a)} is {less} than {b}.", REFUTES),
            (f"Of the two, {a} is the {more} one.", SUPPORTS),
            (f"Of the two, {b} is the {more} one.", REFUTES),
            (f"{start(a)} and {b} are equally {plain}.", REFUTES),
        ]
    other = rng.choice([item for item in ADJECTIVES if item[0] != more])
    claims.append((f"{start(a)} is {other[0]} than {b}.", NEUTRAL))
    return [(evidence, claim, label) for claim, label in claims]


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
