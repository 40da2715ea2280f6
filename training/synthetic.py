"""Templated stance pairs of our own writing, in English and Japanese.

Promises: labels follow from one table (what a finding says about a claim), the same seed gives
the same pairs, and every pair is built from the word lists of `synthetic_en` / `synthetic_ja`.
A finding says that a factor raised, lowered or did not change an outcome, or that this is open.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from training import synthetic_en, synthetic_ja
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

UP, DOWN, NONE, OPEN = "up", "down", "none", "open"


@dataclass
class Finding:
    """One finding: which factor does what to which outcome, and the words for it."""

    factor: str
    outcome: str
    effect: str
    group: str
    numbers: dict[str, str] = field(default_factory=dict)


def verdict(effect: str, asserted: str) -> int:
    """Stance of a finding towards a claim about the same factor and outcome."""
    if effect == OPEN:
        return NEUTRAL
    return SUPPORTS if effect == asserted else REFUTES


class Maker:
    """Draws pairs for one language."""

    def __init__(self, lang: str, rng: random.Random) -> None:
        self.lang, self.rng = lang, rng
        self.words = synthetic_en if lang == "en" else synthetic_ja

    def numbers(self, effect: str) -> dict[str, str]:
        """Values before and after that agree with the effect."""
        rng = self.rng
        low = rng.choice([rng.randint(2, 60), round(rng.uniform(1, 40), 1)])
        high = round(low * rng.uniform(1.15, 2.2) + 1, 1) if isinstance(low, float) else low + rng.randint(2, 35)
        near = round(low + 0.2, 1) if isinstance(low, float) else low + rng.choice([0, 1])
        before, after = {UP: (low, high), DOWN: (high, low)}.get(effect, (low, near))
        small, big = f"0.{rng.randint(1, 4):02d}", f"0.{rng.randint(12, 89)}"
        p = small if effect in (UP, DOWN) else big
        return {"a": str(before), "b": str(after), "p": p, "n": str(rng.randint(24, 4000))}

    def finding(self, domain: dict[str, list[str]], effect: str | None = None) -> Finding:
        """A random finding of one domain."""
        rng = self.rng
        chosen = effect or rng.choices([UP, DOWN, NONE, OPEN], [30, 30, 26, 14])[0]
        factor, outcome = rng.choice(domain["factors"]), rng.choice(domain["outcomes"])
        return Finding(factor, outcome, chosen, rng.choice(domain["groups"]), self.numbers(chosen))

    def fill(self, template: str, f: Finding, other: str = "") -> str:
        """A template with the finding's words; English sentences start with a capital."""
        text = template.format(x=f.factor, y=f.outcome, g=f.group, z=other, **f.numbers)
        return text[0].upper() + text[1:] if self.lang == "en" else text

    def evidence(self, f: Finding) -> str:
        """One sentence that states the finding."""
        return self.fill(self.rng.choice(self.words.EVIDENCE[f.effect]), f)

    def claim(self, f: Finding, asserted: str) -> str:
        """A claim about the finding's factor and outcome."""
        return self.fill(self.rng.choice(self.words.CLAIMS[asserted]), f)

    def dress(self, core: list[str], f: Finding) -> str:
        """The decisive sentences, often among filler sentences."""
        rng, gap = self.rng, " " if self.lang == "en" else ""
        if rng.random() < 0.45:
            return gap.join(core)
        fillers = rng.sample(self.words.FILLERS, rng.randint(1, 4))
        texts = [self.fill(t, f) for t in fillers]
        cut = rng.randint(0, len(texts))
        return gap.join([*texts[:cut], *core, *texts[cut:]])

    def same(self, domain: dict[str, list[str]]) -> Pair:
        """Claim about what the premise found; labels roughly balanced."""
        f = self.finding(domain)
        others = [e for e in (UP, DOWN, NONE) if e != f.effect]
        asserted = f.effect if f.effect != OPEN and self.rng.random() < 0.48 else self.rng.choice(others)
        return Pair(self.dress([self.evidence(f)], f), self.claim(f, asserted), verdict(f.effect, asserted), "syn")

    def two(self, domain: dict[str, list[str]]) -> Pair:
        """Premise with two findings on two outcomes; the claim is about one of them."""
        first, second = self.finding(domain), self.finding(domain)
        while second.outcome == first.outcome:
            second = self.finding(domain)
        second.factor, second.group = first.factor, first.group
        told = [self.evidence(first), self.evidence(second)]
        target = self.rng.choice([first, second])
        asserted = self.rng.choice([target.effect, UP, DOWN, NONE])
        asserted = UP if asserted == OPEN else asserted
        return Pair(self.dress(told, first), self.claim(target, asserted), verdict(target.effect, asserted), "syn")

    def off_topic(self, domain: dict[str, list[str]]) -> Pair:
        """Claim about another outcome, another factor or another field: neutral."""
        f, other = self.finding(domain), self.finding(self.rng.choice(self.words.DOMAINS))
        kind = self.rng.randrange(3)
        if kind == 0:
            other.factor = f.factor
        elif kind == 1:
            other.outcome = f.outcome
        if other.factor == f.factor and other.outcome == f.outcome:
            return self.off_topic(domain)
        asserted = self.rng.choice([UP, DOWN, NONE])
        return Pair(self.dress([self.evidence(f)], f), self.claim(other, asserted), NEUTRAL, "syn")

    def compare(self, domain: dict[str, list[str]]) -> Pair:
        """One factor against another; order matters, a tie refutes both directions."""
        f = self.finding(domain, self.rng.choice([UP, DOWN, NONE]))
        other = self.rng.choice([x for x in domain["factors"] if x != f.factor])
        premise = self.fill(self.rng.choice(self.words.COMPARE[f.effect]), f, other)
        asserted = self.rng.choice([UP, DOWN, NONE])
        swap = asserted != NONE and self.rng.random() < 0.3
        claim = self.rng.choice(self.words.COMPARE_CLAIMS[asserted])
        if swap:
            turned = Finding(other, f.outcome, f.effect, f.group, f.numbers)
            text = self.fill(claim, turned, f.factor)
            asserted = DOWN if asserted == UP else UP
        else:
            text = self.fill(claim, f, other)
        return Pair(self.dress([premise], f), text, verdict(f.effect, asserted), "syn")

    def number(self, domain: dict[str, list[str]]) -> Pair:
        """A reported value against a claim with the same or another value."""
        f = self.finding(domain, self.rng.choice([UP, DOWN]))
        premise, claim = self.rng.choice(self.words.NUMBERS)
        text = self.dress([self.fill(premise, f)], f)
        kind = self.rng.randrange(5)
        if kind < 2:
            return Pair(text, self.fill(claim, f), SUPPORTS, "syn")
        if kind < 4:
            changed = dict(f.numbers)
            for key in ("b", "n"):
                changed[key] = str(round(float(changed[key]) * self.rng.choice([0.5, 2, 3]) + 1))
            f.numbers = changed
            return Pair(text, self.fill(claim, f), REFUTES, "syn")
        other = self.finding(self.rng.choice(self.words.DOMAINS))
        return Pair(text, self.fill(claim, other), NEUTRAL, "syn")

    def hedge(self, domain: dict[str, list[str]]) -> Pair:
        """Carefully worded or openly unsettled findings."""
        f = self.finding(domain, self.rng.choice([UP, DOWN]))
        if self.rng.random() < 0.5:
            premise = self.fill(self.rng.choice(self.words.HEDGED[f.effect]), f)
            asserted = self.rng.choice([UP, DOWN])
            return Pair(self.dress([premise], f), self.claim(f, asserted), verdict(f.effect, asserted), "syn")
        f.effect = OPEN
        premise = self.evidence(f)
        return Pair(self.dress([premise], f), self.claim(f, self.rng.choice([UP, DOWN, NONE])), NEUTRAL, "syn")

    def fact(self) -> Pair:
        """Plain statements and their negations."""
        subject = self.rng.choice(self.words.SUBJECTS)
        yes, no = self.rng.choice(self.words.FACTS)
        other_yes, _ = self.rng.choice([fact for fact in self.words.FACTS if fact[0] != yes])
        premise_yes = self.rng.random() < 0.5
        subject = subject[0].upper() + subject[1:]
        premise = (yes if premise_yes else no).format(s=subject)
        kind = self.rng.randrange(5)
        if kind == 4:
            return Pair(premise, other_yes.format(s=subject), NEUTRAL, "syn")
        claim_yes = premise_yes if kind < 2 else not premise_yes
        claim = (yes if claim_yes else no).format(s=subject)
        if self.lang == "ja":
            claim = claim.replace("です。", "だ。")
        if kind < 2:
            premise = self.dress([premise], self.finding(self.rng.choice(self.words.DOMAINS)))
        return Pair(premise, claim, SUPPORTS if kind < 2 else REFUTES, "syn")

    def pair(self) -> Pair:
        """One pair of a random kind."""
        domain = self.rng.choice(self.words.DOMAINS)
        kinds = [self.same, self.two, self.off_topic, self.compare, self.number, self.hedge]
        kind = self.rng.choices([*kinds, None], [34, 14, 16, 9, 9, 8, 10])[0]
        made = kind(domain) if kind else self.fact()
        return made._replace(source=f"synthetic-{self.lang}", lang=self.lang)


def generate(lang: str, count: int, seed: int) -> list[Pair]:
    """`count` distinct pairs."""
    maker = Maker(lang, random.Random(seed))
    made: dict[tuple[str, str], Pair] = {}
    while len(made) < count:
        pair = maker.pair()
        made[pair.premise, pair.hypothesis] = pair
    return list(made.values())
