"""Compare runs, and means of runs, on pairs never trained on: log loss and macro-F1 by manner, and from a claim to a label.

Every `--mean` is one model: a file, or several to take the mean of, rounded as it would be stored. Each manner is read by the
door the product would use, with the temperature that fits best; every source weighs the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from training import batches, scores, stored, whole_way
from training.door_data import Readers
from training.records import Pair
from training.train_joint import TO_CHOOSE_BY, predict, stored_pairs
from training.two_doors import TwoDoors

BESIDE = ("dev-near", "dev-beside")


def table(name: str, logits: dict[str, np.ndarray], pairs: dict[str, list[Pair]]) -> dict[str, float]:
    """Print a model's line for each manner; return the temperatures."""
    warm: dict[str, float] = {}
    for manner, rows in pairs.items():
        warm[manner] = scores.fit_temperature(logits[manner], rows, manner)
        by_source = scores.by_slice(logits[manner], rows, warm[manner])
        told = {s: v for s, v in by_source.items() if not s.startswith(BESIDE)}
        beside = {s: round(1 - v["acc"], 3) for s, v in by_source.items() if s.startswith(BESIDE)}
        among = {s: v["macro_f1"] for s, v in by_source.items() if s.startswith("dev-among")}
        loss, f1 = (np.mean([v[key] for v in told.values()]) for key in ("nll", "macro_f1"))
        print(
            f"{name:18} {manner:3} T {warm[manner]:.2f} loss {loss:.4f} macro-F1 {f1:.4f} sides beside the point {beside} {among}"
        )
        print(
            " " * 23,
            {s: v["macro_f1"] for s, v in told.items() if s.startswith(("holdout", "dev-pubmed")) or "fresh" in s},
            flush=True,
        )
    return warm


def main() -> None:
    """Read everything with each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mean", type=Path, nargs="+", action="append", required=True, help="stance.npz, or several")
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="folders with pairs to choose by, and whole_way.jsonl.gz"
    )
    parser.add_argument("--base", type=Path, required=True)
    args = parser.parse_args()
    device = batches.pick_device()
    readers = Readers(args.base, device)
    held = [p for p in stored_pairs(args.data, TO_CHOOSE_BY) if p.label >= 0]
    pairs = {m: [p for p in held if p.lang == m] for m in ("en", "ja", "x")}
    data = {m: readers.read(rows, m != "en") for m, rows in pairs.items()}
    way = next((whole_way.read(folder) for folder in args.data if (folder / whole_way.FILE).exists()), None)
    way_data = readers.read([p for one in way.found for p in one.pairs], False) if way else None
    for paths in args.mean:
        model = TwoDoors(Tokenizer.from_file(str(readers.pieces)).get_vocab_size())
        stored.load(model, *paths)
        model.to(device)
        model.set_coarse()
        name = "+".join(path.parent.name if path.stem == "stance" else path.stem for path in paths)
        warm = table(name, {m: predict(model, rows, m != "en")[:, :3] for m, rows in data.items()}, pairs)
        if way and way_data:
            shares = scores.softmax(predict(model, way_data, False)[:, :3], warm["en"])
            parts = np.split(shares, np.cumsum([len(one.pairs) for one in way.found])[:-1])
            for rule_name, rule in whole_way.RULES.items():
                labels = [rule(*np.split(part, [len(one.narrow)])) for one, part in zip(way.found, parts, strict=True)]
                found = whole_way.told(whole_way.f1(way, labels))
                print(f"{name:18} claim to label, {rule_name:12} {found}", flush=True)
    print({m: len(rows) for m, rows in pairs.items()})


if __name__ == "__main__":
    main()
