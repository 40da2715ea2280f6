"""Score the exported files beside the same weights computed in float by torch, on pairs never trained on.

Promises: both read the same tokens through the same doors, so what differs is the arithmetic alone: eight-bit products and
activations against float32. `product` is the exported model as the product reads it, to the end.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from lyra.models.doors import ENGLISH
from lyra.models.window import plain
from training import scores, stored
from training.door_data import Readers
from training.reader import Judge
from training.records import Pair, read_pairs
from training.train_joint import predict
from training.two_doors import TwoDoors


def by_torch(stance: Path, base: Path, pairs: list[Pair], by_words: list[bool]) -> np.ndarray:
    """Logits in float32."""
    device = torch.device("cpu")
    pieces = base / "muse_tokenizer.json"
    model = TwoDoors(Tokenizer.from_file(str(pieces)).get_vocab_size())
    stored.load(model, stance)
    result = np.zeros((len(pairs), 3))
    for words in (True, False):
        rows = [i for i, chosen in enumerate(by_words) if chosen is words]
        here = [pairs[i] for i in rows]
        if not rows:
            continue
        data = Readers(base, device).read(here, by_pieces=not words)
        result[rows] = predict(model, data, not words)[:, :3]
    return result


def main() -> None:
    """Print one line per source: float → product."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, required=True, help="stance.npz written by blend.py or a training run")
    parser.add_argument("--base", type=Path, required=True, help="tokenizer.json, vocab_map.json, muse_tokenizer.json")
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"))
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders written by prepare.py and joint_data.py")
    parser.add_argument("--limit", type=int, default=0, help="about this many pairs (for a quick try)")
    args = parser.parse_args()
    names = ("holdout.jsonl.gz", "joint_dev.jsonl.gz")
    pairs = [pair for folder in args.data for name in names if (folder / name).exists() for pair in read_pairs(folder / name)]
    pairs = pairs[:: max(1, len(pairs) // args.limit)] if args.limit else pairs
    pairs = [p._replace(premise=plain(p.premise, 256), hypothesis=plain(p.hypothesis, 96)) for p in pairs]
    judge = Judge(args.models)
    said = judge.read([(p.premise, p.hypothesis) for p in pairs])
    product = judge.logits(said)
    exact = by_torch(args.stance, args.base, pairs, [one.manner == ENGLISH for one in said])
    tables = [scores.by_slice(logits, pairs) for logits in (exact, product)]
    for source, row in tables[0].items():
        other = tables[1][source]
        shown = "  ".join(f"{name} {row[name]:.3f}→{other[name]:.3f}" for name in ("acc", "macro_f1", "sr_acc", "ece"))
        print(f"{source:24} {row['n']:5.0f}  {shown}")
    gold = np.array([pair.label for pair in pairs])
    whole = [scores.stance_scores(logits, gold) for logits in (exact, product)]
    print(f"{'all':24} {len(pairs):5d}  acc {whole[0]['acc']:.4f}→{whole[1]['acc']:.4f}")
    print(
        f"same answer {np.mean(exact.argmax(1) == product.argmax(1)):.4f}  mean difference {np.abs(exact - product).mean():.4f}"
    )


if __name__ == "__main__":
    main()
