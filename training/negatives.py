"""Relevance negatives, rewritten claims and a small BM25.

Lyra shows a claim next to twenty retrieved fragments, most of which say nothing about it. The
pairs made here teach the stance model to answer "neutral" with high probability then.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict

from training.records import NEUTRAL, Pair, overlap, words


class Bm25:
    """BM25 over short texts; words in more than a tenth of the texts are skipped for speed."""

    def __init__(self, texts: list[str], k1: float = 1.2, b: float = 0.6) -> None:
        lengths = []
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, text in enumerate(texts):
            counts = Counter(words(text))
            lengths.append(sum(counts.values()))
            for word, count in counts.items():
                postings[word].append((number, count))
        mean = sum(lengths) / max(1, len(lengths))
        self.scores: dict[str, list[tuple[int, float]]] = {}
        for word, places in postings.items():
            if len(places) > max(20, len(texts) // 10):
                continue
            idf = math.log(1 + (len(texts) - len(places) + 0.5) / (len(places) + 0.5))
            self.scores[word] = [(n, idf * c * (k1 + 1) / (c + k1 * (1 - b + b * lengths[n] / mean))) for n, c in places]

    def top(self, query: str, count: int) -> list[int]:
        """Numbers of the best texts, best first."""
        total: dict[int, float] = defaultdict(float)
        for word in set(words(query)):
            for number, score in self.scores.get(word, ()):
                total[number] += score
        return sorted(total, key=lambda n: (-total[n], n))[:count]


def random_negatives(pairs: list[Pair], count: int, source: str, rng: random.Random) -> list[Pair]:
    """Claims with the premise of another pair, labelled neutral."""
    made: list[Pair] = []
    while len(made) < count:
        claim, other = rng.choice(pairs), rng.choice(pairs)
        if overlap(claim.hypothesis, other.premise) < 0.34:
            made.append(Pair(other.premise, claim.hypothesis, NEUTRAL, source, claim.lang))
    return made


def similar_negatives(pairs: list[Pair], count: int, source: str, rng: random.Random) -> list[Pair]:
    """Claims with a lexically near premise that still lacks half of the claim's content words."""
    premises = sorted({p.premise for p in pairs})
    own: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        own[pair.hypothesis].add(pair.premise)
    index = Bm25(premises)
    claims = rng.sample(sorted(own), min(len(own), count))
    made: list[Pair] = []
    for claim in claims:
        near = [premises[n] for n in index.top(claim, 12) if premises[n] not in own[claim]]
        fit = [text for text in near if overlap(claim, text) < 0.5]
        if fit:
            made.append(Pair(rng.choice(fit[:4]), claim, NEUTRAL, source))
    return made


FLIPS = [
    ("increases", "decreases"), ("increased", "decreased"), ("increase", "decrease"), ("increasing", "decreasing"),
    ("higher", "lower"), ("high", "low"), ("more", "less"), ("larger", "smaller"), ("longer", "shorter"),
    ("improves", "worsens"), ("improved", "worsened"), ("improve", "worsen"), ("promotes", "inhibits"),
    ("promote", "inhibit"), ("promoted", "inhibited"), ("activates", "inhibits"), ("activation", "inhibition"),
    ("enhances", "impairs"), ("enhanced", "impaired"), ("enhance", "impair"), ("upregulation", "downregulation"),
    ("up-regulation", "down-regulation"), ("upregulated", "downregulated"), ("upregulates", "downregulates"),
    ("reduces", "increases"), ("reduced", "increased"), ("reduce", "increase"), ("reduction", "increase"),
    ("positive", "negative"), ("positively", "negatively"), ("induces", "prevents"), ("induce", "prevent"),
    ("causes", "prevents"), ("cause", "prevent"), ("protects against", "promotes"), ("gain", "loss"),
    ("better", "worse"), ("effective", "ineffective"), ("safe", "unsafe"), ("necessary", "unnecessary"),
    ("dependent", "independent"), ("sensitive", "resistant"), ("early", "late"), ("stimulates", "suppresses"),
    ("suppresses", "stimulates"), ("lowers", "raises"), ("rises", "falls"), ("greater", "smaller"),
]  # fmt: skip
FLIP = {**{b: a for a, b in reversed(FLIPS)}, **dict(FLIPS)}
FLIP_WORD = re.compile(r"\b(" + "|".join(sorted(map(re.escape, FLIP), key=len, reverse=True)) + r")\b")
NEGATE = [
    (re.compile(r"\b(is|are|was|were|can|could|does|do|did|has|have|may|will) not\b"), r"\1"),
    (re.compile(r"\b(is|are|was|were|can|could|may|will)\b"), r"\1 not"),
    (re.compile(r"\b(has|have) (?=\w+ed\b)"), r"\1 not "),
    (re.compile(r"\b(no|without)\b"), "with"),
    (re.compile(r"\bwith\b"), "without"),
]


def flipped(claim: str) -> str | None:
    """The claim with its first directional word replaced by the opposite, or None."""
    found = FLIP_WORD.search(claim)
    return claim[: found.start()] + FLIP[found.group(1)] + claim[found.end() :] if found else None


def negated(claim: str) -> str | None:
    """The claim with a negation added or removed by rule, or None."""
    for pattern, replacement in NEGATE:
        changed, count = pattern.subn(replacement, claim, count=1)
        if count:
            return changed
    return None


QUESTION = re.compile(r"^(?:does|do|did|is|are|was|were|can|could|may|has|have|should|will)\s+", re.IGNORECASE)


def statement(question: str) -> str | None:
    """A yes/no question as a rough statement ("Does X help Y?" -> "X help Y."), or None."""
    text, count = QUESTION.subn("", question.strip().rstrip("?").strip(), count=1)
    if not count or len(text) < 15:
        return None
    return text[0].upper() + text[1:] + "."
