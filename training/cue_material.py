"""The pairs by which the weigher of the cues is learned and chosen: training parts, and slices never trained on."""

from __future__ import annotations

import random
import zlib
from pathlib import Path
from typing import NamedTuple

from training import contrast_en, contrast_ja, leaks, negatives, scifact, sources, synthetic_wide
from training.effect_fields import read_effects
from training.own_items import own_items
from training.records import NEUTRAL, Pair, overlap, read_pairs, squash

OWN = ("own_en.tsv", "own_ja.tsv", "own_cross.tsv")


class Material(NamedTuple):
    """Pairs with their part: `fit` learns, `choose` compares variants and is added for the last fit, `dev` only compares."""

    pairs: list[Pair]
    parts: list[str]


def collect(data: Path, prepared: Path) -> Material:
    """Everything, in a fixed order; what shares a text with a suite of the bench is left out."""
    rng = random.Random(20261116)
    ordinary = rng.sample(sources.mnli_matched(data), 7_000) + rng.sample(sources.nli(data, "snli-dev"), 4_000)
    held = [pair for pair in read_pairs(prepared / "holdout.jsonl.gz") if pair.source != "holdout-mnli"]
    judged = [pair for pair in read_pairs(prepared / "holdout.jsonl.gz") if pair.source == "holdout-mnli"]
    made = contrast_en.generate(1_600, 41) + contrast_ja.generate(1_600, 42)
    made = [pair._replace(source=f"contrast-{pair.lang}") for pair in made]
    wide = [pair._replace(source="effects") for pair in synthetic_wide.generate(read_effects(), 500, 43)]
    pairs = ordinary + untrained(data, prepared, rng) + neighbours(data, rng) + held + made + wide
    parts = ["choose" if zlib.crc32(squash(pair.hypothesis).encode()) % 4 == 1 else "fit" for pair in pairs]
    pairs, parts = pairs + judged, parts + ["dev"] * len(judged)
    for name in OWN:
        train, dev = own_items(Path("training") / name)
        pairs += train + dev
        parts += ["fit"] * len(train) + ["dev"] * len(dev)
    known = leaks.suite_texts(Path("bench/judgement"))
    clean = [squash(pair.premise) not in known and squash(pair.hypothesis) not in known for pair in pairs]
    kept = [i for i, pair in enumerate(pairs) if pair.label >= 0 and clean[i]]
    print(f"{len(pairs) - len(kept)} of {len(pairs)} pairs left out: no label, or a text that stands in a suite", flush=True)
    return Material([pairs[i] for i in kept], [parts[i] for i in kept])


def untrained(data: Path, prepared: Path, rng: random.Random) -> list[Pair]:
    """Pairs of training sets that the model was not trained on: lexical contrasts, and more of SNLI."""
    trained = {(squash(p.premise), squash(p.hypothesis)) for p in read_pairs(prepared / "pairs.jsonl.gz")}
    index = leaks.build(data)
    found: list[Pair] = []
    for name, count in (("breaking-nli", 1_200), ("negnli-mnli-snli", 300)):
        pairs = [p for p in sources.nli(data, name) if (squash(p.premise), squash(p.hypothesis)) not in trained]
        pairs = index.clean([p for p in pairs if p.label >= 0])
        found += rng.sample(pairs, min(count, len(pairs)))
    return found


def neighbours(data: Path, rng: random.Random) -> list[Pair]:
    """Held-out SciFact training claims with sentences of near abstracts that nobody cited for them: neutral."""
    corpus = sources.scifact_corpus(data)
    _, held = scifact.split_claims(sources.scifact_claims(data, "train"))
    order = sorted(corpus)
    index = negatives.Bm25([corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order])
    found = []
    for claim in held:
        near = [order[n] for n in index.top(claim["claim"], 8) if order[n] not in claim["cited_doc_ids"]][:5]
        for doc in rng.sample(near, min(3, len(near))):
            sentence = max(corpus[doc]["abstract"], key=lambda text: overlap(claim["claim"], text))
            found.append(Pair(sentence, claim["claim"], NEUTRAL, "scifact-neighbours"))
    return found
