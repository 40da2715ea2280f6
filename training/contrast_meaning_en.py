"""The part of the templated English pairs that is about meaning: certainty, cause, group, direction, denial. Own writing."""

from __future__ import annotations

from random import Random

from training.contrast_words import DEEDS, LEXICON, NOUNS, Row, start
from training.records import NEUTRAL, REFUTES, SUPPORTS

FACTS = LEXICON.together("facts")
LINKS = LEXICON.together("links")
GROUPS = LEXICON.together("groups")
EFFECTS = LEXICON.together("effects")
OUTCOMES = LEXICON.together("outcomes")
CAUSES = LEXICON.words("causes")


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
        (strong, f"{start(fact)}.", SUPPORTS),
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
        (seen, f"{start(cause)} is linked to {outcome}.", SUPPORTS),
        (seen, f"{start(cause)} causes {outcome}.", NEUTRAL),
        (seen, f"{start(cause)} is the reason for {outcome}.", NEUTRAL),
        (seen, f"There is no association between {cause} and {outcome}.", REFUTES),
        (shown, f"{start(cause)} causes {outcome}.", SUPPORTS),
        (shown, f"{start(cause)} has nothing to do with {outcome}.", REFUTES),
    ]
    first, second = rng.sample([item[0] for item in LINKS], 2)
    evidence = rng.choice(
        [f"The change was due to {first}, not to {second}.", f"It was {first} rather than {second} that caused the change."]
    )
    rows += [
        (evidence, f"{start(first)} caused the change.", SUPPORTS),
        (evidence, f"{start(second)} caused the change.", REFUTES),
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
            f"{start(factor)} {effect} in {a}.",
            f"In the group of {a} it was found that {factor} {effect}.",
        ]
    )
    both = rng.choice(
        [f"{start(factor)} {effect} in {a} but not in {b}.", f"Among {a} {factor} {effect}, whereas {b} did not benefit."]
    )
    return [
        (alone, f"{start(factor)} {effect} among {a}.", SUPPORTS),
        (alone, f"{start(factor)} {effect} among {b}.", NEUTRAL),
        (both, f"{start(factor)} {effect} among {a}.", SUPPORTS),
        (both, f"{start(factor)} {effect} among {b}.", REFUTES),
        (alone, f"{start(rng.choice([e for e in EFFECTS if e[0] != factor])[0])} {effect} among {a}.", NEUTRAL),
    ]


def directions(rng: Random) -> list[Row]:
    """The same change in other words, and its opposite."""
    subject, up, down = rng.choice(OUTCOMES)
    ways = [up.split(", "), down.split(", ")]
    rng.shuffle(ways)
    cause = rng.choice(CAUSES)
    said = rng.choice(ways[0])
    evidence = rng.choice([f"{cause} {subject} {said}.", f"{start(subject)} {said} {cause[0].lower()}{cause[1:]}."])
    same, opposite = rng.choice([w for w in ways[0] if w != said] or ways[0]), rng.choice(ways[1])
    other = rng.choice([item for item in OUTCOMES if item[0] != subject])
    return [
        (evidence, f"{start(subject)} {same} {cause[0].lower()}{cause[1:]}.", SUPPORTS),
        (evidence, f"{start(subject)} {opposite} {cause[0].lower()}{cause[1:]}.", REFUTES),
        (evidence, f"{start(subject)} stayed the same {cause[0].lower()}{cause[1:]}.", REFUTES),
        (evidence, f"{start(other[0])} {rng.choice(other[1].split(', '))} {cause[0].lower()}{cause[1:]}.", NEUTRAL),
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
