"""Effects told in many words: findings that never use the verb of the claim (own writing, English).

Each field has factors as (noun, people or things with it, those without it) and, for its outcome, claims and
findings in both directions. "Fewer cavities" must read as support for "prevents tooth decay", so claims and findings
draw on different words. The fields are chosen to have nothing in common with the topics of the sample library.
"""

from __future__ import annotations

import random

from training.effect_fields import Effects, Field
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair
from training.synthetic_en import FILLERS

UP, DOWN, NONE = "up", "down", "none"


class WideMaker:
    """Draws pairs; the same seed gives the same pairs."""

    def __init__(self, effects: Effects, fields: list[Field], seed: int) -> None:
        self.effects, self.fields, self.rng = effects, fields, random.Random(seed)

    def words(self, field: Field) -> dict[str, str]:
        """A factor and numbers for one pair."""
        noun, with_it, without = self.rng.choice(field.factors)
        count, share = self.rng.randint(2, 60), self.rng.randint(4, 68)
        return {"x": noun, "w": with_it, "c": without, "n": str(count), "p": str(share), "big": str(self.rng.randint(40, 4000))}

    def fill(self, template: str, words: dict[str, str]) -> str:
        """A sentence with a capital."""
        text = template.format(**words)
        return text[0].upper() + text[1:]

    def finding(self, field: Field, effect: str, words: dict[str, str]) -> str:
        """One sentence that states the effect, sometimes led in or hedged."""
        text = self.fill(self.rng.choice(field.findings[effect]), words)
        if self.rng.random() < 0.25:
            lead = self.rng.choice(self.effects.leads).format(**words)
            keep = text.split()[0].isupper() and len(text.split()[0]) > 1
            text = f"{lead} {text if keep else text[0].lower() + text[1:]}"
        return text

    def dress(self, text: str, field: Field, words: dict[str, str]) -> str:
        """The finding alone or among sentences that do not matter."""
        if self.rng.random() < 0.55:
            return text
        others = [self.fill(t.replace("{g}", words["w"]).replace("{y}", field.name), words) for t in self.rng.sample(FILLERS, 2)]
        if self.rng.random() < 0.4:
            others[0] = self.fill(self.rng.choice(field.background), words)
        cut = self.rng.randint(0, 2)
        return " ".join([*others[:cut], text, *others[cut:]])

    def pair(self) -> Pair:
        """One pair: half of the claims are about the finding's own factor and outcome with the right direction."""
        field = self.rng.choice(self.fields)
        words = self.words(field)
        kind = self.rng.random()
        if kind < 0.72:
            effect = self.rng.choices([UP, DOWN, NONE], [36, 36, 28])[0]
            asserted = effect if self.rng.random() < 0.5 else self.rng.choice([e for e in (UP, DOWN, NONE) if e != effect])
            if asserted == NONE and self.rng.random() < 0.5:
                asserted = self.rng.choice([UP, DOWN])
            label = SUPPORTS if effect == asserted else REFUTES
            premise = self.dress(self.finding(field, effect, words), field, words)
            return self._made(premise, self.fill(self.rng.choice(field.claims[asserted]), words), label)
        asserted = self.rng.choice([UP, DOWN, NONE])
        claim = self.fill(self.rng.choice(field.claims[asserted]), words)
        if kind < 0.82:
            templates = field.background if self.rng.random() < 0.6 else self.effects.open
            premise = self.fill(self.rng.choice(templates).replace("{y}", field.name), words)
        elif kind < 0.91:
            other = self.rng.choice([f for f in self.fields if f is not field])
            premise = self.finding(other, self.rng.choice([UP, DOWN, NONE]), {**self.words(other), **self._factor(other)})
        else:
            changed = dict(words)
            while changed["x"] == words["x"]:
                changed = self.words(field)
            premise = self.finding(field, self.rng.choice([UP, DOWN, NONE]), changed)
        return self._made(self.dress(premise, field, words), claim, NEUTRAL)

    def _factor(self, field: Field) -> dict[str, str]:
        noun, with_it, without = self.rng.choice(field.factors)
        return {"x": noun, "w": with_it, "c": without}

    @staticmethod
    def _made(premise: str, claim: str, label: int) -> Pair:
        return Pair(premise, claim, label, "synthetic-wide", "en")


def generate(effects: Effects, count: int, seed: int, *, held_out: bool = False) -> list[Pair]:
    """`count` distinct pairs from the fields to train on, or from those held out."""
    maker = WideMaker(effects, effects.held_out if held_out else effects.trained, seed)
    made: dict[tuple[str, str], Pair] = {}
    while len(made) < count:
        pair = maker.pair()
        made[pair.premise, pair.hypothesis] = pair
    return list(made.values())
