"""Build the compact training files from the public data sets.

Writes to --out: `pairs.jsonl.gz` (stance pairs to train on), `holdout.jsonl.gz` (slices of
training parts, never trained on), `retrieval.jsonl.gz` (query, text, hard negative, kind),
`similarity.jsonl.gz` (Japanese pairs with a score 0..1), `search.json.gz` (hold-out claims and
the corpus for a retrieval test) and `report.json` (counts per source, leak-check counts).
Seeds are fixed: the same data gives the same files.
"""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from training import leaks, negatives, retrieval_data, scifact, sources, synthetic
from training.records import NEUTRAL, REFUTES, SUPPORTS, UNLABELLED, Pair, overlap, squash, write_jsonl

MAX_WORDS = 190
SNLI_TEACHER, SNLI_EXTRA = 56_000, 30_000


def bucket(pair: Pair, size: int) -> int:
    """A stable number for hold-out decisions; pairs with one premise stay together."""
    return zlib.crc32(squash(pair.premise).encode()) % size


def sample(pairs: list[Pair], count: int, rng: random.Random) -> list[Pair]:
    """At most `count` pairs (0 = all), in random order."""
    pairs = rng.sample(pairs, len(pairs))
    return pairs[:count] if count else pairs


def fits(pair: Pair) -> bool:
    """Short enough that cutting at 256 tokens cannot remove the deciding words."""
    return len(pair.premise.split()) <= MAX_WORDS and len(pair.premise) <= 1400 and bool(pair.hypothesis.strip())


def padded(pairs: list[Pair], count: int, rng: random.Random) -> list[Pair]:
    """Pairs whose premise is surrounded by unrelated premises of other pairs."""
    made: list[Pair] = []
    while len(made) < count:
        pair, others = rng.choice(pairs), rng.sample(pairs, 3)
        extra = [o.premise for o in others if overlap(pair.hypothesis, o.premise) < 0.3][: rng.randint(1, 2)]
        place = rng.randint(0, len(extra))
        text = " ".join([*extra[:place], pair.premise, *extra[place:]])
        if extra and len(text.split()) <= 150:
            made.append(pair._replace(premise=text, source="padded"))
    return made


def english(data: Path, rng: random.Random) -> list[Pair]:
    """General NLI and fact-checking pairs."""
    pairs: list[Pair] = []
    for name, count in sources.TRAIN_NLI.items():
        pairs += sample([p for p in sources.nli(data, name) if fits(p)], count, rng)
    pairs += sample(sources.snli(data, "train_subset"), SNLI_TEACHER + SNLI_EXTRA, rng)
    pairs += sources.cad(data, "train")
    facts = [p for p in sources.fever_dev(data) + sources.fm2(data, "dev") if fits(p)]
    pairs += facts
    facts += [p for p in pairs if p.source == "fever-train-part"]
    pairs += sources.fm2_negatives(data, "dev")
    pairs += negatives.similar_negatives(facts, 16_000, "negative-near", rng)
    pairs += negatives.random_negatives(facts, 7_000, "negative-random", rng)
    others = [p for p in pairs if p.source in ("snli-train_subset", "mnli-ni", "evidence-inference-v2", "scitail-ni")]
    pairs += negatives.random_negatives(others, 6_000, "negative-random", rng)
    trials = [p for p in pairs if p.source == "evidence-inference-v2"]
    pairs += negatives.similar_negatives(trials, 3_000, "negative-near", rng)
    short = [p for p in facts + trials if len(p.premise.split()) < 70]
    pairs += padded(short, 9_000, rng)
    return pairs


def japanese(data: Path, rng: random.Random) -> list[Pair]:
    """Japanese pairs; similarity pairs give weak labels at both ends of their scale."""
    pairs = [pair for pair, _ in sources.jsick(data, "train")]
    pairs += [p._replace(premise=p.hypothesis, hypothesis=p.premise) for p in pairs if p.label == REFUTES]
    for name, count in sources.TRAIN_NLI_JA.items():
        pairs += sample(sources.nli(data, name, "ja"), count, rng)
    near = [(a, b) for a, b, score in sources.jsts(data, "train") if score >= 4.4]
    far = [(a, b) for a, b, score in sources.jsts(data, "train") if score <= 0.6]
    pairs += [Pair(a, b, SUPPORTS, "jsts-near", "ja") for a, b in near]
    pairs += [Pair(a, b, NEUTRAL, "jsts-far", "ja") for a, b in rng.sample(far, min(2_500, len(far)))]
    made = synthetic.generate("ja", 14_000, 11)
    pool = [*pairs, *made]
    for _ in range(3_000):
        claim, other = rng.choice(pool), rng.choice(pool)
        if squash(claim.premise) != squash(other.premise) and claim.hypothesis != other.hypothesis:
            shared = set(claim.hypothesis) & set(other.premise)
            if len(shared) < 0.6 * len(set(claim.hypothesis)):
                pairs.append(Pair(other.premise, claim.hypothesis, NEUTRAL, "negative-ja", "ja"))
    return pairs + made


def unlabelled(data: Path, corpus: scifact.Corpus, claims: list[scifact.Claim], rng: random.Random) -> list[Pair]:
    """Pairs without labels: titles, claims in other wording, questions as statements."""
    pairs = scifact.titles(corpus, rng)
    for claim in claims:
        changed = [c for c in (negatives.flipped(claim["claim"]), negatives.negated(claim["claim"])) if c]
        for doc in claim["cited_doc_ids"]:
            sentences = corpus[doc]["abstract"]
            best = max(range(len(sentences)), key=lambda i: overlap(claim["claim"], sentences[i]))
            for text in [*changed, claim["claim"]]:
                pairs.append(Pair(sentences[best], text, UNLABELLED, "claim-rewritten"))
                pairs.append(Pair(scifact.around(sentences, [best], rng), text, UNLABELLED, "claim-rewritten"))
    answers = sources.questions(data, "pubmedqa-ni-qa") + sources.questions(data, "pubmedqa-l")
    for question, text in answers:
        said = negatives.statement(question)
        if said and len(text.split()) <= MAX_WORDS:
            pairs.append(Pair(text, said, UNLABELLED, "question"))
            for changed_text in (negatives.flipped(said), negatives.negated(said)):
                if changed_text:
                    pairs.append(Pair(text, changed_text, UNLABELLED, "question"))
            pairs.append(Pair(rng.choice(answers)[1][:700], said, UNLABELLED, "question-other"))
    return pairs


def distinct(pairs: list[Pair]) -> list[Pair]:
    """First occurrence of every (premise, hypothesis); conflicting labels keep the first."""
    seen: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        seen.setdefault((squash(pair.premise), squash(pair.hypothesis)), pair)
    return list(seen.values())


def hold_out(pairs: list[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split off 2 % of the MultiNLI pairs and 5 % of JSICK, by premise."""
    kept, held = [], []
    for pair in pairs:
        if pair.source.startswith("mnli-") and bucket(pair, 50) == 7:
            held.append(pair._replace(source="holdout-mnli"))
        elif pair.source == "jsick-train" and bucket(pair, 20) == 7:
            held.append(pair._replace(source="holdout-jsick"))
        else:
            kept.append(pair)
    texts = {squash(p.premise) for p in held if p.lang == "en"}
    texts_ja = {(squash(p.premise), squash(p.hypothesis)) for p in held if p.lang == "ja"}
    texts_ja |= {(b, a) for a, b in texts_ja}
    kept = [p for p in kept if squash(p.premise) not in texts]
    return [p for p in kept if (squash(p.premise), squash(p.hypothesis)) not in texts_ja], held


def main() -> None:
    """Prepare everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(20261115)
    index = leaks.build(args.data)
    corpus = sources.scifact_corpus(args.data)
    claims, held_claims = scifact.training_claims(args.data)
    science = scifact.labelled(claims, corpus, rng) + scifact.neutral(claims, corpus, rng)
    pairs = science + english(args.data, rng) + synthetic.generate("en", 6_000, 5)
    pairs += japanese(args.data, rng) + unlabelled(args.data, corpus, claims, rng)
    before = len(pairs)
    pairs = distinct(pairs)
    repeated = before - len(pairs)
    pairs, held = hold_out(index.clean(pairs))
    held_texts = {squash(c["claim"]) for c in held_claims}
    pairs = [p for p in pairs if squash(p.hypothesis) not in held_texts]
    held += [p._replace(source="holdout-scifact") for p in scifact.pair_test(held_claims, corpus)]
    held += [p._replace(source="holdout-scifact-wide") for p in scifact.pair_test(held_claims, corpus, wide=True)]
    held += [p._replace(source="holdout-synthetic-ja") for p in synthetic.generate("ja", 400, 99)]
    trained = {(squash(p.premise), squash(p.hypothesis)) for p in pairs}
    held = [p for p in held if (squash(p.premise), squash(p.hypothesis)) not in trained]
    extra = iter(rng.sample(range(SNLI_TEACHER + SNLI_EXTRA), SNLI_TEACHER + SNLI_EXTRA))
    pairs = [
        p._replace(source="snli-extra") if p.source == "snli-train_subset" and next(extra) < SNLI_EXTRA else p for p in pairs
    ]
    pairs.sort(key=lambda p: (p.lang, p.source, p.premise))  # neighbours compress well; training shuffles
    write_jsonl(args.out / "pairs.jsonl.gz", pairs)
    write_jsonl(args.out / "holdout.jsonl.gz", held)
    counts = retrieval_data.write(args.data, args.out, retrieval_data.Ready(claims, held_claims, corpus, pairs, index), rng)
    report: dict[str, Any] = {
        "pairs": dict(Counter(p.source for p in pairs).most_common()),
        "labels": {str(k): v for k, v in Counter((p.lang, p.label) for p in pairs).items()},
        "holdout": dict(Counter(p.source for p in held)),
        "repeated_pairs_removed": repeated,
        "leaks_by_source": dict(index.dropped.most_common()),
        "leaks_by_reason": dict(index.reasons),
        "scifact_claims": {"train": len(claims), "holdout": len(held_claims)},
        "retrieval": counts,
    }
    (args.out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
