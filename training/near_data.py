"""Pairs that teach what does not settle a claim: texts near its evidence, alone and as passages, and its evidence among them.

The texts are those of `joint.jsonl.gz` and `joint_dev.jsonl.gz`, nearness is that of the shipped embedder. A near text counts
as neutral where it shares no claim with the evidence, is not nearly the same text, and has not most of the claim's words; for
broad claims, which much can settle, it must be further away. Writes `pairs_near.jsonl.gz` to train on and
`joint_dev_near.jsonl.gz`, made the same way of the texts and claims held out, to choose by. Promises: no claim held out is
trained on, and no text of our own; abstracts of SciFact that a held-out claim cites may stand beside other claims, as neutral.
The same files give the same pairs.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lyra.core.fragments import MAX_TOKENS, estimate_tokens
from lyra.core.language import detect_language
from lyra.core.sentences import split_sentences
from lyra.models.doors import JAPANESE, manner_of
from lyra.models.embedder import OnnxEmbedder
from lyra.models.weights import Weights
from training import leaks, negatives, scifact, sources
from training.records import NEUTRAL, Pair, overlap, read_pairs, squash, write_jsonl

# How near a text may be to the evidence and still count as one about something else.
SAME, FAR, BROAD = 0.8, 0.3, 0.55
BROAD_FILES = ("findings", "general", "debate", "fresh", "words")
NEIGHBOURS = 24
SHARED_WORDS = 0.5


class Shelf:
    """Texts of one language and how near they are to each other."""

    def __init__(self, texts: list[str], embedder: OnnxEmbedder) -> None:
        self.texts = texts
        self.place = {text: i for i, text in enumerate(texts)}
        self.vectors = embedder.embed(texts)

    def near(self, text: str, most: float) -> Iterator[str]:
        """The nearest texts below a nearness, nearest first."""
        nearness = self.vectors @ self.vectors[self.place[text]]
        for i in np.argsort(-nearness, kind="stable")[: 8 * NEIGHBOURS]:
            if nearness[i] < most:
                yield self.texts[i]

    def far(self, text: str, rng: random.Random) -> str:
        """A text that is not near."""
        while True:
            other = rng.choice(self.texts)
            if float(self.vectors[self.place[other]] @ self.vectors[self.place[text]]) < FAR:
                return other


class Counts(NamedTuple):
    """How many pairs are made for one manner."""

    near: int  # a near text beside a claim: neutral
    beside: int  # a passage of near texts: neutral
    among: int  # the evidence among others: its label


class Maker:
    """Makes the pairs of one part, to train on or to choose by."""

    def __init__(self, pairs: list[Pair], embedder: OnnxEmbedder, seed: int) -> None:
        self.rng = random.Random(seed)
        self.claims: dict[str, set[str]] = defaultdict(set)
        self.pairs: dict[str, list[Pair]] = defaultdict(list)
        for pair in pairs:
            self.claims[pair.premise].add(pair.hypothesis)
            self.pairs[manner_of(pair.premise, pair.hypothesis)].append(pair)
        by_language: dict[bool, list[str]] = defaultdict(list)
        for text in self.claims:
            by_language[detect_language(text) == JAPANESE].append(text)
        self.shelves = {language: Shelf(texts, embedder) for language, texts in by_language.items()}

    def shelf(self, text: str) -> Shelf:
        """The texts in the language of this one."""
        return self.shelves[detect_language(text) == JAPANESE]

    def beside(self, pair: Pair) -> list[str]:
        """Near texts that most likely do not settle the claim, nearest first."""
        found: list[str] = []
        for text in self.shelf(pair.premise).near(pair.premise, BROAD if broad(pair) else SAME):
            if self.claims[text] & self.claims[pair.premise] or overlap(pair.hypothesis, text) >= SHARED_WORDS:
                continue
            found.append(text)
            if len(found) == NEIGHBOURS:
                break
        return found

    def passage(self, texts: list[str], start: list[str]) -> str | None:
        """A passage of several windows that begins as `start` and takes up the texts at random places while it fits."""
        parts, wanted = list(start), self.rng.choice((4, 5, 6, 8))
        for text in texts:
            longer = list(parts)
            longer.insert(self.rng.randint(0, len(longer)), text)
            if estimate_tokens(joined(longer)) <= MAX_TOKENS:
                parts = longer
            if len(split_sentences(joined(parts))) >= wanted:
                break
        whole = joined(parts)
        return whole if len(split_sentences(whole)) > 3 else None

    def make(self, name: str, lang: str, counts: Counts, prefix: str) -> list[Pair]:
        """All pairs of a manner."""
        pool = self.pairs[name]
        made: list[Pair] = []
        for pair in self.rng.sample(pool, min(len(pool), counts.near)):
            near = self.beside(pair)[:8]
            if near:
                made.append(Pair(self.rng.choice(near), pair.hypothesis, NEUTRAL, f"{prefix}near-{name}", lang))
        for pair in self.rng.sample(pool, min(len(pool), counts.beside)):
            near = self.beside(pair)[:10]
            self.rng.shuffle(near)
            if near and (text := self.passage(near[1:], near[:1])):
                made.append(Pair(text, pair.hypothesis, NEUTRAL, f"{prefix}beside-{name}", lang))
        for pair in self.rng.sample(pool, min(len(pool), counts.among)):
            shelf = self.shelf(pair.premise)
            others = [shelf.far(pair.premise, self.rng) for _ in range(8)] if self.rng.random() < 0.35 else self.beside(pair)
            self.rng.shuffle(others)
            if text := self.passage(others, [pair.premise]):
                made.append(Pair(text, pair.hypothesis, pair.label, f"{prefix}among-{name}", lang))
        return made


def joined(parts: list[str]) -> str:
    """One text of several, as their language joins sentences."""
    return ("" if detect_language(parts[0]) == JAPANESE else " ").join(part.strip() for part in parts)


def broad(pair: Pair) -> bool:
    """Whether the claim comes from a file in which one claim stands under several texts."""
    return any(name in pair.source for name in BROAD_FILES)


def usable(pairs: list[Pair]) -> list[Pair]:
    """Claims of our own writing about a text that is a finding, a report or a conclusion."""
    return [
        p for p in pairs if p.label >= 0 and p.source.startswith(("own-", "dev-")) and not p.source.endswith(("-effects", "jsts"))
        and "items" not in p.source and len(p.premise) <= 1400
    ]  # fmt: skip


def scifact_near(data: Path, embedder: OnnxEmbedder, rng: random.Random) -> list[Pair]:
    """SciFact training claims beside abstracts that search finds and nobody cited: three sentences, and as much as fits."""
    corpus = sources.scifact_corpus(data)
    claims, _ = scifact.training_claims(data)
    order = sorted(corpus)
    texts = [corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order]
    vectors, index = embedder.embed(texts), negatives.Bm25(texts)
    made: list[Pair] = []
    for claim, vector in zip(claims, embedder.embed([c["claim"] for c in claims]), strict=True):
        close = [order[i] for i in np.argsort(-(vectors @ vector), kind="stable")[:8]]
        near = dict.fromkeys(close + [order[i] for i in index.top(claim["claim"], 4)])
        for doc in [doc for doc in near if doc not in claim["cited_doc_ids"]][:7]:
            sentences = corpus[doc]["abstract"]
            best = max(range(len(sentences)), key=lambda i: overlap(claim["claim"], sentences[i]))
            if overlap(claim["claim"], sentences[best]) >= 0.7:
                continue
            at = rng.randrange(len(sentences))
            made += [
                Pair(scifact.around(sentences, [best], rng), claim["claim"], NEUTRAL, "near-scifact"),
                Pair(scifact.window(sentences, best - 1, best + 1), claim["claim"], NEUTRAL, "near-scifact"),
                Pair(scifact.window(sentences, at, at + 2), claim["claim"], NEUTRAL, "near-scifact"),
            ]
    return made


TRAIN = {
    "en": ("en", Counts(14_000, 7_000, 9_000)),
    "x": ("x", Counts(6_000, 3_000, 4_000)),
    "ja": ("ja", Counts(5_000, 2_500, 4_000)),
}
DEV = {"en": ("en", Counts(500, 300, 400)), "x": ("x", Counts(250, 150, 200)), "ja": ("ja", Counts(250, 150, 200))}


def main() -> None:
    """Make both parts and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--joint", type=Path, required=True, help="folder with joint.jsonl.gz and joint_dev.jsonl.gz")
    parser.add_argument(
        "--models", type=Path, default=Path("src/lyra/models/weights"), help="the embedder that finds what is near"
    )
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    embedder = OnnxEmbedder(Weights(args.models))
    trained, kept = usable(read_pairs(args.joint / "joint.jsonl.gz")), usable(read_pairs(args.joint / "joint_dev.jsonl.gz"))
    held = {squash(p.hypothesis) for p in kept}
    maker, chooser = Maker(trained, embedder, 41), Maker(kept, embedder, 42)
    train = [p for name, (lang, counts) in TRAIN.items() for p in maker.make(name, lang, counts, "")]
    train = [p for p in train if squash(p.hypothesis) not in held]
    train += scifact_near(args.data, embedder, random.Random(43))
    train = leaks.build(args.data).clean(train)
    dev = [p for name, (lang, counts) in DEV.items() for p in chooser.make(name, lang, counts, "dev-")]
    write_jsonl(args.out / "pairs_near.jsonl.gz", train)
    write_jsonl(args.out / "joint_dev_near.jsonl.gz", dev)
    print(json.dumps({"train": Counter(p.source for p in train), "dev": Counter(p.source for p in dev)}, indent=1))


if __name__ == "__main__":
    main()
