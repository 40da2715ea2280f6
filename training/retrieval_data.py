"""Query–text pairs for the embedder, Japanese similarity pairs and a hold-out retrieval test.

Refuting evidence is relevant evidence: pairs count as positives whatever their stance.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from training import negatives, scifact, sources
from training.leaks import LeakIndex
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair, overlap, squash, write_jsonl

Row = tuple[str, str, str, str, str]  # query, text, hard negative or "", kind, language


def from_scifact(claims: list[scifact.Claim], corpus: scifact.Corpus, rng: random.Random) -> list[Row]:
    """Claims to cited abstracts, rationales and windows, with near misses as hard negatives."""
    order = sorted(corpus)
    whole = {d: corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order}
    index = negatives.Bm25([whole[d] for d in order])
    rows: list[Row] = []
    for claim in claims:
        text = claim["claim"]
        wrong = [order[n] for n in index.top(text, 14) if order[n] not in claim["cited_doc_ids"]][2:10]
        for doc in claim["cited_doc_ids"]:
            rows += [(text, whole[doc], whole[rng.choice(wrong)] if wrong else "", "scifact", "en") for _ in range(3)]
            for rationale in claim["evidence"].get(str(doc), []):
                core = sorted(rationale["sentences"])
                sentences = corpus[doc]["abstract"]
                for positive in (" ".join(sentences[i] for i in core), scifact.around(sentences, core, rng, 90)):
                    other = corpus[rng.choice(wrong)]["abstract"] if wrong else [""]
                    rows.append((text, positive, max(other, key=lambda s: overlap(text, s)), "scifact", "en"))
    return rows


def from_titles(corpus: scifact.Corpus, rng: random.Random) -> list[Row]:
    """Titles to their own abstracts and sentences (no claim is involved)."""
    rows: list[Row] = []
    for doc in sorted(corpus):
        title, sentences = corpus[doc]["title"], corpus[doc]["abstract"]
        if len(sentences) < 3:
            continue
        rows.append((title, " ".join(sentences), "", "title", "en"))
        rows.append((title, scifact.around(sentences, [rng.randrange(len(sentences))], rng, 60), "", "title", "en"))
        rows.append((sentences[-1], " ".join(sentences[:-1]), "", "cloze", "en"))
    return rows


def from_pairs(pairs: list[Pair], rng: random.Random) -> list[Row]:
    """Claims of the stance pairs to their evidence, with near negatives where there are some."""
    near: dict[str, str] = {p.hypothesis: p.premise for p in pairs if p.source == "negative-near"}
    limits = {
        "fever-dev": 9_000, "fever-train-part": 9_000, "fm2-dev": 2_000, "evidence-inference-v2": 6_000,
        "scitail-ni": 4_000, "infotabs": 3_000, "mnli-ni": 8_000, "mnli-train-20k": 6_000, "snli-train_subset": 4_000,
    }  # fmt: skip
    rows: list[Row] = []
    for source, count in limits.items():
        labels = {SUPPORTS} if source.startswith(("snli", "scitail")) else {SUPPORTS, REFUTES}
        chosen = [p for p in pairs if p.source == source and p.label in labels]
        picked = rng.sample(chosen, min(count, len(chosen)))
        rows += [(p.hypothesis, p.premise, near.get(p.hypothesis, ""), source, "en") for p in picked]
    return rows


def from_japanese(data: Path, pairs: list[Pair], rng: random.Random) -> list[Row]:
    """Near sentence pairs and our own templated claims with evidence."""
    rows: list[Row] = [(a, b, "", "jsts", "ja") for a, b, score in sources.jsts(data, "train") if score >= 3.4]
    rows += [(p.hypothesis, p.premise, "", "jsick", "ja") for p in pairs if p.source == "jsick-train" and p.label == 0]
    made = [p for p in pairs if p.source == "synthetic-ja"]
    other = [p.premise for p in made if p.label == NEUTRAL]
    told = [p for p in made if p.label in (SUPPORTS, REFUTES)]
    for p in rng.sample(told, min(5_000, len(told))):
        rows.append((p.hypothesis, p.premise, rng.choice(other), "synthetic-ja", "ja"))
    return rows


@dataclass(frozen=True)
class Ready:
    """What the stance preparation has already split and checked."""

    claims: list[scifact.Claim]
    held: list[scifact.Claim]
    corpus: scifact.Corpus
    pairs: list[Pair]
    index: LeakIndex


def write(data: Path, out: Path, ready: Ready, rng: random.Random) -> dict[str, int]:
    """Write the embedder's files; return counts per kind."""
    claims, held, corpus, pairs, index = ready.claims, ready.held, ready.corpus, ready.pairs, ready.index
    rows = from_scifact(claims, corpus, rng) + from_titles(corpus, rng) + from_pairs(pairs, rng)
    for name in ("pubmedqa-l", "pubmedqa-ni-qa"):
        rows += [(question, text, "", name, "en") for question, text in sources.questions(data, name)]
    made = [p for p in pairs if p.source == "synthetic-en" and p.label != NEUTRAL]
    rows += [(p.hypothesis, p.premise, "", "synthetic-en", "en") for p in made[:2000]]
    rows += from_japanese(data, pairs, rng)
    forbidden = index.claims | {squash(c["claim"]) for c in held}
    kept = [r for r in rows if squash(r[0]) not in forbidden and not index.reason(Pair(r[1], r[0], 2, r[3], r[4]))]
    kept.sort(key=lambda r: (r[3], r[1]))
    write_jsonl(out / "retrieval.jsonl.gz", kept)
    similar = [(a, b, score / 5) for a, b, score in sources.jsts(data, "train")]
    similar += [(p.premise, p.hypothesis, (score - 1) / 4) for p, score in sources.jsick(data, "train")]
    similar = [s for s in similar if not index.reason(Pair(s[0], s[1], 2, "jsick-or-jsts", "ja"))]
    write_jsonl(out / "similarity.jsonl.gz", similar)
    order = sorted(corpus)
    search = {
        "docs": [corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order],
        "queries": [c["claim"] for c in held],
        "relevant": [[order.index(d) for d in c["cited_doc_ids"]] for c in held],
    }
    (out / "search.json.gz").write_bytes(gzip.compress(json.dumps(search, ensure_ascii=False).encode(), 9, mtime=0))
    return {**Counter(r[3] for r in kept), "dropped": len(rows) - len(kept), "similarity": len(similar)}
