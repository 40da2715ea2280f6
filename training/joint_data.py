"""Gather what the stance model with two doors learns beside the prepared pairs: our own writing and templated contrasts.

Writes to --out `joint.jsonl.gz` (to train on) and `joint_dev.jsonl.gz` (to choose by, never trained on): one evidence
text in ten of every own file, the fresh files (`…_fresh.txt`), the `dev` items of the older files, and contrasts and
effects from words or fields not trained on. A pair that shares a text with a suite of the bench or the sample library, or
leaks from any evaluation set, is left out and counted. Languages: en, ja, and x for pairs of two languages.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from pathlib import Path

from training import contrast_en, contrast_ja, leaks, synthetic_wide
from training.answers import answered, claimed
from training.effect_fields import read_effects
from training.own_blocks import blocks, pairs
from training.own_items import own_items
from training.own_labels import labelled
from training.records import Pair, squash, write_jsonl

HERE = Path(__file__).parent
FRESH = "_fresh"  # written after all training, in the manner of a library: never trained on
CLAIMS = ("pubmed_claims.txt", "pubmed_claims_ja.txt")


def held_out(evidence: str) -> bool:
    """Whether this evidence text, one in ten, is kept apart to choose by."""
    return zlib.crc32(squash(evidence).encode()) % 10 == 3


def own_pairs(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Pairs of the block files: nine evidence texts in ten to train on, one to choose by."""
    train: list[Pair] = []
    dev: list[Pair] = []
    for path in sorted(path for path in folder.glob("*.txt") if path.name not in CLAIMS):
        lang = {"en": "en", "ja": "ja"}.get(path.stem.split("_")[0], "x")
        for block in blocks(path):
            held = path.stem.endswith(FRESH) or held_out(block.evidence)
            made = pairs(block, f"dev-{path.stem}" if held else f"own-{path.stem}", lang)
            (dev if held else train).extend(made)
    return train, dev


def older_pairs() -> tuple[list[Pair], list[Pair]]:
    """The items of the older files, with x for two languages."""
    train: list[Pair] = []
    dev: list[Pair] = []
    for name, lang in (("own_en", "en"), ("own_ja", "ja"), ("own_cross", "x")):
        items, held = own_items(HERE / f"{name}.tsv")
        train += [p._replace(source="own-items", lang=lang) for p in items]
        dev += [p._replace(source=f"dev-items-{lang}", lang=lang) for p in held]
    return train, dev


def main() -> None:
    """Gather, check, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--contrast-en", type=int, default=14_000)
    parser.add_argument("--contrast-ja", type=int, default=14_000)
    parser.add_argument("--wide", type=int, default=16_000)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    train, dev = own_pairs(HERE / "own")
    more, more_dev = older_pairs()
    train += more + labelled(args.data, HERE / "own")
    dev += more_dev
    for pair in (p for name in CLAIMS for p in claimed(args.data, HERE / "own" / name)):
        if held_out(pair.premise):
            dev.append(pair._replace(source=pair.source.replace("own-", "dev-")))
        else:
            train.append(pair)
    train += [p for p in answered(args.data) if not held_out(p.premise)]
    train += contrast_en.generate(args.contrast_en, 21) + contrast_ja.generate(args.contrast_ja, 22)
    train += synthetic_wide.generate(read_effects(), args.wide, 23)
    dev += [p._replace(source="dev-effects") for p in synthetic_wide.generate(read_effects(), 600, 24, held_out=True)]
    suite = leaks.suite_texts(HERE.parent / "bench" / "judgement") | leaks.sample_texts(HERE.parent / "sample" / "expected.json")
    before = len(train)
    train = [p for p in train if squash(p.premise) not in suite and squash(p.hypothesis) not in suite]
    shared = before - len(train)
    index = leaks.build(args.data)
    train = index.clean(train)
    known = {squash(p.premise) for p in dev}
    train = [p for p in train if squash(p.premise) not in known]
    write_jsonl(args.out / "joint.jsonl.gz", train)
    write_jsonl(args.out / "joint_dev.jsonl.gz", dev)
    report = {
        "pairs": dict(Counter(p.source for p in train).most_common()),
        "labels": {f"{lang} {label}": n for (lang, label), n in sorted(Counter((p.lang, p.label) for p in train).items())},
        "dev": dict(Counter(p.source for p in dev).most_common()),
        "shared_with_suites": shared,
        "leaks": dict(index.reasons),
    }
    (args.out / "joint.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
