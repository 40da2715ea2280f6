"""Readers for the public data sets: training sets (licence checked) and evaluation sets.

Promises: nothing is read for training that is not in `TRAIN_NLI` or in a reader below; sets
without a clear licence or with a non-commercial one (Citation-Integrity, HealthVer, LingNLI,
the English half of SICK) are never read for training.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.records import NEUTRAL, NOT_SUPPORTED, REFUTES, SUPPORTS, Pair, read_jsonl

NAMED = {
    "entailment": SUPPORTS, "contradiction": REFUTES, "neutral": NEUTRAL,
    "SUPPORTS": SUPPORTS, "REFUTES": REFUTES, "SUPPORT": SUPPORTS, "REFUTE": REFUTES,
}  # fmt: skip
NUMBERED = {0: SUPPORTS, 1: NEUTRAL, 2: REFUTES, -1: NOT_SUPPORTED}

# File in nli/ -> how many pairs at most (0 = all).
TRAIN_NLI = {
    "snli-ni": 36_000, "mnli-ni": 0, "mnli-train-20k": 0, "mnli-llmsknow": 0, "fever-train-part": 0,
    "fever-symmetric": 0, "infotabs": 14_000, "scitail-ni": 0, "evidence-inference-v2": 0, "perspectrum-ni": 0,
    "negnli-mnli-snli": 0, "negnli-rte": 0, "scone-train": 4_000, "med": 0, "help-conj": 4_000,
    "conjnli-adv15k": 9_000, "breaking-nli": 4_000, "paws-ni": 0, "rte-glue": 0, "joci": 6_000,
    "ambient-disamb": 0, "saj-nli-wiki": 6_000, "summedits": 0, "wice-partial-train": 0,
}  # fmt: skip
TRAIN_NLI_JA = {"jamp": 5_000, "janli": 5_000, "pawsx-dev-ja": 0}
EVAL_NLI = ("snli-dev", "mnli-mm-dev", "hans-eval", "scitail-dev-test", "scone-test", "conjnli-dev", "wice-devtest")


def table(path: Path, header: bool = True) -> Iterator[list[str]]:
    """Rows of a gzip tab-separated file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        if header:
            next(rows)
        yield from rows


def nli(data: Path, name: str, lang: str = "en") -> list[Pair]:
    """One of the sets in the common form."""
    rows = read_jsonl(data / "nli" / f"{name}.jsonl.gz")
    return [Pair(r["premise"], r["hypothesis"], NUMBERED[r["label"]], name, lang) for r in rows]


def snli(data: Path, part: str) -> list[Pair]:
    """SNLI `train_subset` or `test`."""
    rows = table(data / "snli" / f"{part}.tsv.gz", header=False)
    return [Pair(r[1], r[2], NAMED[r[0]], f"snli-{part}") for r in rows if r[0] in NAMED]


def cad(data: Path, part: str) -> list[Pair]:
    """Counterfactually augmented NLI."""
    rows = table(data / "cad-nli" / f"{part}.tsv.gz")
    return [Pair(r[0], r[1], NAMED[r[2]], f"cad-{part}") for r in rows]


def mnli_matched(data: Path) -> list[Pair]:
    """MultiNLI matched development pairs: kept wholly out of training."""
    rows = table(data / "mnli-dev" / "matched_dev.tsv.gz")
    return [Pair(r[1], r[2], NAMED[r[3]], "mnli-matched-dev") for r in rows if r[3] in NAMED]


def plain_brackets(text: str) -> str:
    """FEVER's tokenised text with ordinary brackets and quotes."""
    for old, new in (
        ("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("``", '"'), ("''", '"'), (" --", " –"),
        (" ,", ","), (" .", "."), (" 's", "'s"), ("( ", "("), (" )", ")"), (" ;", ";"), (" :", ":"),
    ):  # fmt: skip
        text = text.replace(old, new)
    return text


def fever_dev(data: Path) -> list[Pair]:
    """FEVER evidence–claim pairs; here "not_entailment" is a refutation."""
    names = ("raw.input0", "raw.input1", "label")
    files = (gzip.decompress((data / "fever-dev" / f"dev.{n}.gz").read_bytes()).decode() for n in names)
    pairs = []
    for premise, claim, label in zip(*(text.rstrip("\n").split("\n") for text in files), strict=True):
        stance = SUPPORTS if label.strip() == "entailment" else REFUTES
        pairs.append(Pair(plain_brackets(premise.strip()), claim.strip(), stance, "fever-dev"))
    return pairs


def fm2(data: Path, part: str) -> list[Pair]:
    """FoolMeTwice: the gold evidence sentences joined."""
    pairs = []
    for row in read_jsonl(data / "fm2" / f"{part}.jsonl.gz"):
        evidence = " ".join(e["text"] for e in row["gold_evidence"])
        pairs.append(Pair(evidence, row["text"], NAMED[row["label"]], f"fm2-{part}"))
    return pairs


def fm2_negatives(data: Path, part: str) -> list[Pair]:
    """FoolMeTwice: retrieved sentences that annotators did not take as evidence."""
    pairs = []
    for row in read_jsonl(data / "fm2" / f"{part}.jsonl.gz"):
        gold = {e["text"] for e in row["gold_evidence"]}
        others = [e["text"] for e in row["retrieved_evidence"] if e["text"] not in gold]
        pairs += [Pair(text, row["text"], NEUTRAL, "fm2-retrieved") for text in others[2:4]]
    return pairs


def jsick(data: Path, part: str) -> list[tuple[Pair, float]]:
    """Japanese half of JSICK with relatedness (1 to 5)."""
    parts = {"train", "trial"} if part == "train" else {part}
    rows = [r for r in table(data / "jsick" / "jsick.tsv.gz") if r[1] in parts]
    return [(Pair(r[8], r[9], NAMED[r[10]], f"jsick-{part}", "ja"), float(r[11])) for r in rows if r[10] in NAMED]


def jsts(data: Path, part: str) -> list[tuple[str, str, float]]:
    """Japanese sentence pairs with similarity (0 to 5)."""
    rows = read_jsonl(data / "jsts" / f"{part}-v1.3.json.gz")
    return [(r["sentence1"], r["sentence2"], float(r["label"])) for r in rows]


def jnli(data: Path) -> list[Pair]:
    """JNLI validation pairs: evaluation only."""
    rows = read_jsonl(data / "jnli" / "valid-v1.3.json.gz")
    return [Pair(r["sentence1"], r["sentence2"], NAMED[r["label"]], "jnli-valid", "ja") for r in rows]


def scifact_claims(data: Path, part: str) -> list[dict[str, Any]]:
    """Claims with evidence; `evidence` maps document id (text) to rationale sets."""
    return list(read_jsonl(data / "scifact" / f"claims_{part}.jsonl.gz"))


def scifact_corpus(data: Path) -> dict[int, dict[str, Any]]:
    """Abstracts by document id: `title` and the list `abstract` of sentences."""
    return {row["doc_id"]: row for row in read_jsonl(data / "scifact" / "corpus.jsonl.gz")}


def questions(data: Path, name: str) -> list[tuple[str, str]]:
    """Question and matching text of `pubmedqa-l` or `pubmedqa-ni-qa`."""
    rows = read_jsonl(data / "retrieval" / f"{name}.jsonl.gz")
    return [(r["query"], r["doc"]) for r in rows if r.get("rel", 1)]


def healthver(data: Path) -> list[Pair]:
    """HealthVer development pairs: evaluation only."""
    with gzip.open(data / "healthver-dev" / "dev.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    names = {"supports": SUPPORTS, "refutes": REFUTES, "neutral": NEUTRAL}
    return [Pair(r["evidence"], r["claim"], names[r["label"].lower()], "healthver-dev") for r in rows]
