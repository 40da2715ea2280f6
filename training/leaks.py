"""Keep evaluation pairs out of training.

A training pair is dropped when, for any evaluation set: (1) the same two texts form a pair there,
in either order; (2) both texts occur somewhere in that set (not asked of JSICK, whose official
training and test parts share single sentences but no pairs); (3) the pair has the same content
words as an evaluation pair once negation and function words are removed (sets derived from
others by editing); or (4) its hypothesis equals a SciFact development claim.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

from training import sources
from training.records import Pair, content, squash

Signature = tuple[frozenset[str], frozenset[str]]


def signature(pair: Pair) -> Signature | None:
    """Content words of both texts; None when too short to say anything."""
    left, right = frozenset(content(pair.premise)), frozenset(content(pair.hypothesis))
    return (left, right) if len(left) >= 3 and len(right) >= 2 else None


class LeakIndex:
    """All evaluation texts, in a form that is quick to look up."""

    def __init__(self) -> None:
        self.texts: list[set[str]] = []
        self.pairs: set[tuple[str, str]] = set()
        self.signatures: set[Signature] = set()
        self.claims: set[str] = set()
        self.dropped: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def add(self, pairs: list[Pair]) -> None:
        """Register one evaluation set."""
        texts: set[str] = set()
        for pair in pairs:
            left, right = squash(pair.premise), squash(pair.hypothesis)
            texts |= {left, right}
            self.pairs |= {(left, right), (right, left)}
            if pair.lang == "en" and (key := signature(pair)):
                self.signatures.add(key)
        self.texts.append(texts)

    def reason(self, pair: Pair) -> str | None:
        """Why this pair must not be trained on, or None."""
        left, right = squash(pair.premise), squash(pair.hypothesis)
        if right in self.claims:
            return "claim"
        if (left, right) in self.pairs:
            return "pair"
        if not pair.source.startswith("jsick") and any(left in t and right in t for t in self.texts):
            return "both texts"
        if pair.lang == "en" and signature(pair) in self.signatures:
            return "same content words"
        return None

    def clean(self, pairs: list[Pair]) -> list[Pair]:
        """The pairs that may be trained on; the others are counted by source and reason."""
        kept = []
        for pair in pairs:
            why = self.reason(pair)
            if why is None:
                kept.append(pair)
            else:
                self.dropped[pair.source] += 1
                self.reasons[why] += 1
        return kept


def scifact_dev_pairs(data: Path) -> list[Pair]:
    """Every sentence of a cited abstract with its development claim."""
    corpus = sources.scifact_corpus(data)
    return [
        Pair(sentence, row["claim"], 2, "scifact-dev")
        for row in sources.scifact_claims(data, "dev")
        for doc in row["cited_doc_ids"]
        for sentence in corpus[doc]["abstract"]
    ]


def build(data: Path) -> LeakIndex:
    """Index of everything that is evaluated on."""
    index = LeakIndex()
    for name in sources.EVAL_NLI:
        index.add(sources.nli(data, name))
    index.add(sources.snli(data, "test"))
    index.add(sources.cad(data, "test"))
    index.add(sources.mnli_matched(data))
    index.add(sources.fm2(data, "test"))
    index.add(sources.jnli(data))
    index.add([pair for pair, _ in sources.jsick(data, "test")])
    index.add([Pair(a, b, 2, "jsts-valid", "ja") for a, b, _ in sources.jsts(data, "valid")])
    index.add(sources.healthver(data))
    index.add(scifact_dev_pairs(data))
    index.claims = {squash(row["claim"]) for row in sources.scifact_claims(data, "dev")}
    return index


def suite_texts(folder: Path) -> set[str]:
    """Every evidence sentence and claim of the judgement suites, squashed: nothing of them may be trained on."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
                found |= {squash(text) for name, text in row.items() if name.startswith(("evidence", "claim"))}
    return found


def sample_texts(path: Path) -> set[str]:
    """Every quote and claim of the sample library's expected stances, squashed."""
    entries = json.loads(path.read_text(encoding="utf-8"))["entries"]
    return {squash(entry[name]) for entry in entries for name in ("quote", "claim")}
