"""One table of how well the shipped models judge and find, with baselines in the same run: `make bench-judgement`.

Needs the public data sets (--data); a set that is not there is named as missing. Nothing is chosen here: the figures are of
sets that were never trained on. Exit code 1 when a figure is below what is asked of it or a set is missing.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from bench.judgement import baselines, finding, in_float, speed, suites
from bench.judgement.end_to_end import label_f1
from lyra.core.claimworthy import propose_claims
from lyra.core.records import Relation
from lyra.models.embedder import OnnxEmbedder
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from training import scores, sources
from training.evaluate import STANCE_SETS
from training.reader import Judge, as_logits
from training.records import REFUTES, words

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "src" / "lyra" / "models" / "weights"
LABELS = ("supports", "refutes", "neutral")
# What is asked of a set: (measure, at least) or, for an error, (measure, at most).
AT_LEAST = {
    ("SciFact dev, pairs", "macro-F1"): 0.70,
    ("SciFact dev, pairs", "s/r acc"): 0.78,
    ("MultiNLI mismatched dev", "accuracy"): 0.74,
    ("SNLI test", "accuracy"): 0.87,
    ("HealthVer dev", "macro-F1"): 0.47,
    ("JNLI valid", "macro-F1"): 0.60,
    ("JSICK test", "macro-F1"): 0.62,
    ("minimal pairs, English", "both right"): 0.65,
    ("minimal pairs, Japanese", "both right"): 0.50,
    ("Japanese claims, English sentences", "accuracy"): 0.55,
    ("SciFact dev retrieval, vectors", "nDCG@10"): 0.75,
    ("SciFact dev retrieval, vectors", "recall@10"): 0.87,
    ("SciFact dev, claim to label", "F1"): 0.50,
    ("JSTS valid", "Spearman"): 0.75,
    ("judging against torch in float32", "times"): 4.0,
    ("Japanese passages, words", "recall@10"): 0.90,
    ("JNLI valid", "refutes recall"): 0.50,
    ("eight bits against float32, worst", "points"): -1.0,
    **{(f"sample library, en, {relation}", "right"): 0.9 for relation in Relation},
    **{(f"sample library, Japanese claims, {relation}", "right"): 0.8 for relation in Relation},
}
AT_MOST = {
    ("SciFact dev, pairs", "calib. error"): 0.08,
    ("MultiNLI mismatched dev", "calib. error"): 0.08,
    ("stance weights", "MB"): 70.0,
    ("all weights and tokenizers", "MB"): 110.0,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `baseline` is what word counting or the most common label reaches on the same pairs."""

    what: str
    measure: str
    value: float
    count: int
    baseline: str = ""

    @property
    def asked(self) -> str:
        """What is asked of the figure, or nothing."""
        low, high = AT_LEAST.get((self.what, self.measure)), AT_MOST.get((self.what, self.measure))
        return f"≥ {low:.2f}" if low is not None else (f"≤ {high:.2f}" if high is not None else "")

    @property
    def missed(self) -> bool:
        """Whether it is not reached."""
        low, high = AT_LEAST.get((self.what, self.measure)), AT_MOST.get((self.what, self.measure))
        return (low is not None and self.value < low) or (high is not None and self.value > high)


def stance_rows(data: Path, limit: int) -> Iterator[Row | str]:
    """The pair sets: the likeliest of three labels, probabilities as calibrated; every pair read to the end, then screened."""
    judge = Judge(MODELS)
    for name, _, read in STANCE_SETS:
        try:
            pairs = read(data)
        except FileNotFoundError as missing:
            yield f"{name}: DATA MISSING ({missing.filename})"
            continue
        pairs = pairs[:: max(1, len(pairs) // limit)] if limit else pairs
        texts, gold = [(pair.premise, pair.hypothesis) for pair in pairs], [pair.label for pair in pairs]
        said = judge.read(texts)
        found, product = (
            scores.stance_scores(as_logits(judge.probabilities(texts, said, screening)), np.array(gold))
            for screening in (False, True)
        )
        known = [i for i, label in enumerate(gold) if label >= 0]
        truth = [gold[i] for i in known]
        common = baselines.macro_f1(baselines.majority(truth), truth)
        shared = baselines.macro_f1(baselines.word_overlap([texts[i] for i in known]), truth)
        yield Row(name, "macro-F1", found["macro_f1"], len(truth), f"majority {common:.2f}, words {shared:.2f}")
        yield Row(name, "accuracy", found["acc"], len(truth))
        yield Row(name, "s/r acc", found["sr_acc"], len(truth))
        yield Row(name, "calib. error", found["ece"], len(truth))
        if against := [i for i, label in enumerate(gold) if label == REFUTES]:
            heard = judge.logits(said)[against].argmax(1) == REFUTES
            yield Row(name, "refutes recall", float(heard.mean()), len(against))
        share = sum(judge.screened(one) for one in said) / len(said)
        yield Row(name, "F1, screened", product["macro_f1"], len(truth), f"{share:.2f} settled by the first guess")


def suite_rows(stance: OnnxStance) -> Iterator[Row]:
    """The suites, judged as the product does."""

    def judge(pairs: Sequence[tuple[str, str]]) -> list[str]:
        return [str(found.label) for found in stance.judge(pairs)]

    def by_words(pairs: Sequence[tuple[str, str]]) -> list[str]:
        return [LABELS[label] for label in baselines.word_overlap(pairs)]

    for title, name in (("minimal pairs, English", "pairs_en.tsv"), ("minimal pairs, Japanese", "pairs_ja.tsv")):
        pairs = suites.minimal_pairs(name)
        plain = suites.both_right(pairs, by_words)
        for category, share in suites.both_right(pairs, judge).items():
            shown = title if category == "all" else f"  {category}"
            yield Row(shown, "both right", share, len(pairs), f"words {plain[category]:.2f}")
    rows = suites.rows_of("cross_ja_en.tsv")
    yield Row(
        "Japanese claims, English sentences",
        "accuracy",
        suites.cross_lingual(judge),
        len(rows),
        f"words {suites.cross_lingual(by_words):.2f}",
    )


def sample_rows(stance: OnnxStance) -> Iterator[Row]:
    """The sample library's expected stances, by language and class, judged as the product does."""
    entries = json.loads((ROOT / "sample" / "expected.json").read_text(encoding="utf-8"))["entries"]
    said = [found.label for found in stance.judge([(entry["quote"], entry["claim"]) for entry in entries])]
    groups = {"en": ("en",), "ja": ("ja",), "ja-en": ("ja-en",), "Japanese claims": ("ja", "ja-en")}
    for name, languages in groups.items():
        for relation in Relation:
            chosen = [i for i, e in enumerate(entries) if e["language"] in languages and e["stance"] == relation]
            if chosen:
                right = sum(said[i] is relation for i in chosen) / len(chosen)
                yield Row(f"sample library, {name}, {relation}", "right", right, len(chosen))


def arithmetic_rows(data: Path, limit: int) -> Iterator[Row | str]:
    """What rounding to eight bits costs: the largest loss of any metric on any set."""
    lowest, read = math.inf, 0
    for name, count, points in in_float.differences(MODELS, data, limit or in_float.PAIRS):
        worst = min(points, key=lambda metric: points[metric])
        yield Row(f"  eight bits, {name}", "points", points[worst], count, worst)
        lowest, read = min(lowest, points[worst]), read + count
    if read:
        yield Row("eight bits against float32, worst", "points", lowest, read)


def search_rows(data: Path, limit: int, embedder: OnnxEmbedder, stance: OnnxStance) -> Iterator[Row | str]:
    """Finding the cited abstracts, with BM25 beside it, and the whole way from claim to label."""
    try:
        corpus, claims = sources.scifact_corpus(data), sources.scifact_claims(data, "dev")
    except FileNotFoundError as missing:
        yield f"SciFact: DATA MISSING ({missing.filename})"
        return
    claims = claims[:: max(1, len(claims) // limit)] if limit else claims
    texts = {doc: entry["title"] + " " + " ".join(entry["abstract"]) for doc, entry in corpus.items()}
    order = sorted(texts)
    place = {doc: i for i, doc in enumerate(order)}
    relevant = [[place[doc] for doc in claim["cited_doc_ids"]] for claim in claims]
    engine = BM25Okapi([words(texts[doc]) for doc in order])
    lexical = np.array([engine.get_scores(words(claim["claim"])) for claim in claims])
    vectors = embedder.embed([claim["claim"] for claim in claims]) @ embedder.embed([texts[doc] for doc in order]).T
    bm25 = scores.ranking(lexical, relevant)
    found = scores.ranking(vectors, relevant)
    both = scores.ranking(0.3 * _spread(lexical) + 0.7 * _spread(vectors), relevant)
    for kind, values in (("vectors", found), ("vectors and words", both)):
        yield Row(f"SciFact dev retrieval, {kind}", "nDCG@10", values["ndcg@10"], len(claims), f"BM25 {bm25['ndcg@10']:.2f}")
        yield Row(
            f"SciFact dev retrieval, {kind}", "recall@10", values["recall@10"], len(claims), f"BM25 {bm25['recall@10']:.2f}"
        )
    whole = label_f1(claims, texts, lexical, embedder, stance)
    yield Row(
        "SciFact dev, claim to label", "F1", whole["f1"], len(claims), f"P {whole['precision']:.2f}, R {whole['recall']:.2f}"
    )


def _spread(values: "np.ndarray") -> "np.ndarray":
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    spread: np.ndarray = (values - low) / np.maximum(high - low, 1e-9)
    return spread


def similarity_rows(data: Path, embedder: OnnxEmbedder) -> Iterator[Row | str]:
    """Japanese sentence similarity."""
    try:
        pairs = sources.jsts(data, "valid")
    except FileNotFoundError as missing:
        yield f"JSTS: DATA MISSING ({missing.filename})"
        return
    left, right = embedder.embed([pair[0] for pair in pairs]), embedder.embed([pair[1] for pair in pairs])
    close = scores.spearman((left * right).sum(1), np.array([pair[2] for pair in pairs]))
    yield Row("JSTS valid", "Spearman", close, len(pairs))


def japanese_rows() -> Iterator[Row]:
    """Finding Japanese passages by the product's store and search, and sentences worth checking by its rules."""
    found = finding.search(finding.passages(), finding.queries())
    for kind, names in (("words", found.by_words), ("words and vectors", found.by_both)):
        halves = ", ".join(f"{half} half {found.recall(names, half):.2f}" for half in ("tune", "test"))
        yield Row(f"Japanese passages, {kind}", "recall@10", found.recall(names), len(found.queries), halves)
    precision, recall = suites.check_worthy("test", lambda sentence: bool(propose_claims(sentence, 1)))
    yield Row("Japanese sentences worth checking", "precision", precision, 60)
    yield Row("Japanese sentences worth checking", "recall", recall, 60)


def cost_rows(data: Path) -> Iterator[Row | str]:
    """Sizes, and pairs per second with one and with two threads."""
    entry = json.loads((MODELS / "manifest.json").read_text(encoding="utf-8"))["models"]["stance"]
    parts = [entry, *(entry[name] for name in ("rest", "pieces") if name in entry)]
    yield Row("stance weights", "MB", sum(part["bytes"] for part in parts) / 1e6, len(parts))
    everything = [path for path in MODELS.iterdir() if path.is_file()]
    yield Row("all weights and tokenizers", "MB", sum(path.stat().st_size for path in everything) / 1e6, len(everything))
    try:
        pairs = speed.named_pairs(data)
    except FileNotFoundError as missing:
        yield f"SciFact: DATA MISSING ({missing.filename})"
        return
    for threads in (1, 2):
        product, whole = speed.rates(MODELS, pairs, threads)
        shown = f"judging, {threads} thread{'s' if threads > 1 else ''}"
        yield Row(shown, "pairs/s", product, len(pairs), f"every pair read to the end {whole:.1f}")
    plain = speed.torch_rate(2)
    if plain is None:
        yield Row("judging against torch in float32", "times", math.nan, 0, "not measured: torch is not installed")
    else:
        yield Row("judging against torch in float32", "times", product / plain, len(pairs), f"to the end {whole / plain:.1f}")


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public data sets")
    parser.add_argument("--limit", type=int, default=0, help="about this many rows of each public set (for a quick try)")
    options = parser.parse_args()
    stance, embedder = OnnxStance(Weights()), OnnxEmbedder(Weights())
    parts: list[Callable[[], Iterator[Row | str]]] = [
        lambda: suite_rows(stance),
        lambda: sample_rows(stance),
        lambda: cost_rows(options.data),
        japanese_rows,
        lambda: similarity_rows(options.data, embedder),
        lambda: search_rows(options.data, options.limit, embedder, stance),
        lambda: stance_rows(options.data, options.limit),
        lambda: arithmetic_rows(options.data, options.limit),
    ]
    failed = False
    print(f"{'what':40} {'measure':12} {'value':>8} {'asked':>7} {'n':>6}  baselines")
    for part in parts:
        for row in part():
            if isinstance(row, str):
                failed = True
                print(row, flush=True)
                continue
            failed |= row.missed
            flag = "  MISSED" if row.missed else ""
            print(
                f"{row.what:40} {row.measure:12} {row.value:8.3f} {row.asked:>7} {row.count:>6}  {row.baseline}{flag}", flush=True
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
