"""Score the shipped ONNX files on the public evaluation sets, on a CPU, once.

Promises: reads only the shipped files and evaluation splits that were never trained on; a set
that is not there is named as missing in the table, never skipped silently.

SciFact pairs: every rationale set of the development claims, its sentences joined, with its label;
for claims without evidence, the three sentences of each cited abstract with the largest word
overlap as neutral. "wide" adds one sentence on each side of every rationale sentence.
SciFact retrieval: 300 development claims, 5,183 abstracts, cited documents count as relevant.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from training import runtime, scifact, scores, sources, synthetic_wide
from training.effect_fields import read_effects
from training.reader import Judge, as_logits
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

StanceSet = tuple[str, str, Callable[[Path], list[Pair]]]


def scifact_dev(wide: bool) -> Callable[[Path], list[Pair]]:
    """Reader for the development pairs."""

    def read(data: Path) -> list[Pair]:
        claims = sources.scifact_claims(data, "dev")
        return scifact.pair_test(claims, sources.scifact_corpus(data), wide)

    return read


def effects(_: Path) -> list[Pair]:
    """Our own templated effect pairs, from fields that were never trained on."""
    return synthetic_wide.generate(read_effects(), 600, 12, held_out=True)


def sample(language: str) -> Callable[[Path], list[Pair]]:
    """Reader for the expected stances of the sample library: written before any model saw it."""

    def read(_: Path) -> list[Pair]:
        entries = json.loads(Path("sample/expected.json").read_text(encoding="utf-8"))["entries"]
        return [Pair(e["quote"], e["claim"], LABELS[e["stance"]], "sample") for e in entries if e["language"] == language]

    return read


LABELS = {"supports": SUPPORTS, "refutes": REFUTES, "neutral": NEUTRAL}
STANCE_SETS: list[StanceSet] = [
    ("SciFact dev, pairs", "en", scifact_dev(False)),
    ("SciFact dev, wide", "en", scifact_dev(True)),
    ("HealthVer dev", "en", sources.healthver),
    ("SNLI test", "en", lambda data: sources.snli(data, "test")),
    ("MultiNLI mismatched dev", "en", lambda data: sources.nli(data, "mnli-mm-dev")),
    ("Effects in unseen fields", "en", effects),
    ("JNLI valid", "ja", sources.jnli),
    ("JSICK test", "ja", lambda data: [pair for pair, _ in sources.jsick(data, "test")]),
    ("Sample library, en", "en", sample("en")),
    ("Sample library, ja", "ja", sample("ja")),
    ("Sample library, ja-en", "ja", sample("ja-en")),
]


def stance_table(models: Path, data: Path, limit: int) -> dict[str, Any]:
    """Scores per set of whole premises: read to the end, and (`product`) as the product judges, clear neutrals screened."""
    judge = Judge(models)
    result: dict[str, Any] = {}
    for name, _, read in STANCE_SETS:
        try:
            pairs = read(data)
        except FileNotFoundError as missing:
            result[name] = {"missing": missing.filename}
            continue
        if limit:
            pairs = pairs[:: max(1, len(pairs) // limit)]
        began = time.monotonic()
        texts = [(p.premise, p.hypothesis) for p in pairs]
        said = judge.read(texts)
        seconds = time.monotonic() - began
        gold = np.array([p.label for p in pairs])
        whole, product = (
            scores.stance_scores(as_logits(judge.probabilities(texts, said, screening)), gold) for screening in (False, True)
        )
        shown = {f"product_{key}": product[key] for key in ("acc", "macro_f1", "ece")}
        screened = float(np.mean([judge.screened(one) for one in said]))
        result[name] = {**whole, **shown, "screened": screened, "pairs_per_s": len(pairs) / seconds}
    return result


def embedder_table(models: Path, data: Path, limit: int) -> dict[str, Any]:
    """Retrieval and similarity scores."""
    details = json.loads((models / "manifest.json").read_text(encoding="utf-8"))["models"]["embedder"]
    session = runtime.Encoder(models / details["file"], models / "tokenizer.json")
    result: dict[str, Any] = {}
    try:
        pairs = sources.jsts(data, "valid")[: limit or None]
        left, right = session.embed([p[0] for p in pairs]), session.embed([p[1] for p in pairs])
        gold = np.array([p[2] for p in pairs])
        result["JSTS valid"] = {"n": len(pairs), "spearman": scores.spearman((left * right).sum(1), gold)}
    except FileNotFoundError as missing:
        result["JSTS valid"] = {"missing": missing.filename}
    try:
        corpus, claims = sources.scifact_corpus(data), sources.scifact_claims(data, "dev")
    except FileNotFoundError as missing:
        return {**result, "SciFact dev retrieval": {"missing": missing.filename}}
    if limit:
        claims = claims[:limit]
        wanted = {d for c in claims for d in c["cited_doc_ids"]}
        corpus = {d: corpus[d] for i, d in enumerate(sorted(corpus)) if d in wanted or i < limit}
    order = sorted(corpus)
    place = {doc: i for i, doc in enumerate(order)}
    docs = session.embed([corpus[d]["title"] + " " + " ".join(corpus[d]["abstract"]) for d in order])
    found = session.embed([c["claim"] for c in claims]) @ docs.T
    relevant = [[place[d] for d in c["cited_doc_ids"]] for c in claims]
    result["SciFact dev retrieval"] = {"n": len(claims), **scores.ranking(found, relevant)}
    return result


def show(results: dict[str, Any]) -> None:
    """Print one table."""
    for name, row in results.items():
        if "missing" in row:
            text = f"DATA MISSING: {row['missing']}"
        else:
            text = "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items())
        print(f"{name:26s} {text}")


def main() -> None:
    """Print the table; with --json also write it. Exit 1 when any data set was missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"), help="folder with manifest.json")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the public data sets")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="about this many rows per set (for a quick try)")
    args = parser.parse_args()
    results = {**stance_table(args.models, args.data, args.limit), **embedder_table(args.models, args.data, args.limit)}
    show(results)
    if args.json:
        args.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    raise SystemExit(int(any("missing" in row for row in results.values())))


if __name__ == "__main__":
    main()
