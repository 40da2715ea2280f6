"""SciFact pairs with varied context: what a retrieved fragment looks like.

Promises: claims of the hold-out share no cited document with claims trained on; no pair uses a
development claim; whole-abstract windows always contain the rationale they are labelled by.
"""

from __future__ import annotations

import random
import zlib
from pathlib import Path
from typing import Any

from training import negatives, sources
from training.records import NEUTRAL, REFUTES, SUPPORTS, UNLABELLED, Pair, overlap, squash

Claim = dict[str, Any]
Corpus = dict[int, dict[str, Any]]
LABEL = {"SUPPORT": SUPPORTS, "REFUTE": REFUTES}
WINDOW_WORDS = 150


def split_claims(claims: list[Claim], share: int = 10) -> tuple[list[Claim], list[Claim]]:
    """(training, hold-out): claims linked by a cited document stay on one side; 1/share held out."""
    root: dict[int, int] = {}

    def find(doc: int) -> int:
        while root.setdefault(doc, doc) != doc:
            doc = root[doc]
        return doc

    for claim in claims:
        first, *rest = claim["cited_doc_ids"]
        for doc in rest:
            root[find(doc)] = find(first)
    held = [c for c in claims if zlib.crc32(str(find(c["cited_doc_ids"][0])).encode()) % share == 3]
    ids = {c["id"] for c in held}
    return [c for c in claims if c["id"] not in ids], held


def training_claims(data: Path) -> tuple[list[Claim], list[Claim]]:
    """(training, hold-out) of the training claims that are no development claims."""
    known = {squash(claim["claim"]) for claim in sources.scifact_claims(data, "dev")}
    return split_claims([claim for claim in sources.scifact_claims(data, "train") if squash(claim["claim"]) not in known])


def window(sentences: list[str], first: int, last: int, limit: int = WINDOW_WORDS) -> str:
    """Sentences first..last, cut from the far ends until they fit."""
    chosen = sentences[max(0, first) : last + 1]
    while len(chosen) > 1 and sum(len(s.split()) for s in chosen) > limit:
        chosen = chosen[:-1]
    return " ".join(s.strip() for s in chosen)


def around(sentences: list[str], core: list[int], rng: random.Random, limit: int = WINDOW_WORDS) -> str:
    """As much of the abstract around the core sentences as fits, the core always inside."""
    low, high = min(core), max(core)
    size = sum(len(sentences[i].split()) for i in range(low, high + 1))
    while True:
        steps = [i for i in (low - 1, high + 1) if 0 <= i < len(sentences)]
        steps = [i for i in steps if size + len(sentences[i].split()) <= limit]
        if not steps:
            return window(sentences, low, high, limit)
        step = rng.choice(steps)
        size += len(sentences[step].split())
        low, high = min(low, step), max(high, step)


def labelled(claims: list[Claim], corpus: Corpus, rng: random.Random) -> list[Pair]:
    """Rationales alone and in context, plus opposite-direction rewrites of supported claims."""
    made: list[Pair] = []
    for claim in claims:
        for doc, sets in claim["evidence"].items():
            sentences = corpus[int(doc)]["abstract"]
            for rationale in sets:
                core, label = sorted(rationale["sentences"]), LABEL[rationale["label"]]
                joined = " ".join(sentences[i].strip() for i in core)
                low, high = core[0], core[-1]
                texts = {joined, around(sentences, core, rng), around(sentences, core, rng, 90)}
                if high - low < 4:
                    texts |= {window(sentences, low - 1, high + 1), window(sentences, low, high + 1)}
                    texts |= {window(sentences, low - 1, high), window(sentences, low - 2, high + 2)}
                made += [Pair(text, claim["claim"], label, "scifact") for text in sorted(texts)]
                made.append(Pair(corpus[int(doc)]["title"] + " " + joined, claim["claim"], label, "scifact"))
                changed = negatives.flipped(claim["claim"])
                if label == SUPPORTS and changed:
                    for text in (joined, around(sentences, core, rng, 90)):
                        made.append(Pair(text, changed, REFUTES, "scifact-flipped"))
    return made


def neutral(claims: list[Claim], corpus: Corpus, rng: random.Random) -> list[Pair]:
    """Sentences of cited abstracts that are no rationale, near misses of other abstracts, random ones."""
    order = sorted(corpus)
    index = negatives.Bm25([corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order])
    made: list[Pair] = []
    for claim in claims:
        text = claim["claim"]
        for doc in claim["cited_doc_ids"]:
            sentences = corpus[doc]["abstract"]
            sets = claim["evidence"].get(str(doc), [])
            used = {i for s in sets for i in s["sentences"]}
            free = [i for i in range(len(sentences)) if i not in used]
            if sets:  # other sentences may repeat the finding: keep those far from the claim's words
                free = [i for i in free if overlap(text, sentences[i]) < 0.4]
                chosen = rng.sample(free, min(2, len(free)))
            else:
                chosen = rng.sample(free, min(3, len(free)))
                best = max(free, key=lambda i: overlap(text, sentences[i]))
                chosen = sorted({*chosen, best})
                made.append(Pair(around(sentences, [best], rng), text, NEUTRAL, "scifact-nei"))
                made.append(Pair(window(sentences, best - 1, best + 1), text, NEUTRAL, "scifact-nei"))
            made += [Pair(sentences[i], text, NEUTRAL, "scifact-nei" if not sets else "scifact-other") for i in chosen]
        near = [order[n] for n in index.top(text, 10) if order[n] not in claim["cited_doc_ids"]][:6]
        for doc in rng.sample(near, min(4, len(near))):
            sentences = corpus[doc]["abstract"]
            best = max(range(len(sentences)), key=lambda i: overlap(text, sentences[i]))
            if overlap(text, sentences[best]) < 0.6:
                wide = rng.random() < 0.4
                premise = around(sentences, [best], rng, 90) if wide else sentences[best]
                made.append(Pair(premise, text, NEUTRAL, "scifact-near"))
        for doc in rng.sample(order, 2):
            made.append(Pair(rng.choice(corpus[doc]["abstract"]), text, NEUTRAL, "scifact-random"))
    return made


def titles(corpus: Corpus, rng: random.Random) -> list[Pair]:
    """Unlabelled pairs: titles, negated and flipped titles, with sentences of same and near abstracts."""
    order = sorted(corpus)
    index = negatives.Bm25([corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order])
    made: list[Pair] = []
    for doc in order:
        title, sentences = corpus[doc]["title"].rstrip("."), corpus[doc]["abstract"]
        if len(title.split()) < 5 or not sentences:
            continue
        ranked = sorted(range(len(sentences)), key=lambda i: -overlap(title, sentences[i]))
        variants = [v for v in (negatives.flipped(title), negatives.negated(title)) if v]
        premises = [sentences[ranked[0]], sentences[-1], around(sentences, [ranked[0]], rng, 90)]
        for text in [title, *variants]:
            made += [Pair(p, text, UNLABELLED, "title") for p in rng.sample(premises, 2)]
        made.append(Pair(rng.choice(sentences), rng.choice([title, *variants]), UNLABELLED, "title"))
        near = [order[n] for n in index.top(title, 5) if order[n] != doc]
        for other in near[:2]:
            sentences = corpus[other]["abstract"]
            best = max(range(len(sentences)), key=lambda i: overlap(title, sentences[i]))
            made.append(Pair(sentences[best], rng.choice([title, *variants]), UNLABELLED, "title-near"))
    return made


def pair_test(claims: list[Claim], corpus: Corpus, wide: bool = False) -> list[Pair]:
    """The evaluation pairs, used for the hold-out and for the development split.

    Each rationale set joined (with `wide`: plus one sentence on each side) carries its label;
    each abstract cited by a claim without evidence gives its three sentences with the largest
    word overlap with the claim as neutral.
    """
    made: list[Pair] = []
    for claim in claims:
        for doc in claim["cited_doc_ids"]:
            sentences = corpus[doc]["abstract"]
            for rationale in claim["evidence"].get(str(doc), []):
                core = sorted(rationale["sentences"])
                places = {j for i in core for j in ((i - 1, i, i + 1) if wide else (i,))}
                text = " ".join(sentences[i].strip() for i in sorted(places) if 0 <= i < len(sentences))
                made.append(Pair(text, claim["claim"], LABEL[rationale["label"]], "scifact-pairs"))
            if not claim["evidence"]:
                ranked = sorted(range(len(sentences)), key=lambda i: (-overlap(claim["claim"], sentences[i]), i))
                made += [Pair(sentences[i], claim["claim"], NEUTRAL, "scifact-pairs") for i in ranked[:3]]
    return made
