"""Go on from a trained stance model with the wide effect pairs, without forgetting the rest.

A part of the old pairs is replayed: English ones are held to what the model said before (KL) and to gold, Japanese and
wide ones to gold. Writes `stance.safetensors` and `scores.json` to --out, with the scores before and after; the wide
hold-out is made of fields that are never trained on.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from training import batches, scores, synthetic_wide
from training.batches import Sequences
from training.effect_fields import read_effects
from training.models import MINILM, CrossEncoder, load_half, save_half
from training.records import Pair, read_pairs
from training.train_student import REPEAT, Targets, fit
from training.train_teacher import predict


def main() -> None:
    """Refine and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--base", type=Path, required=True, help="folder with tokenizer.json and vocab_map.json")
    parser.add_argument("--stance", type=Path, required=True, help="stance.safetensors to go on from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--replay", type=int, default=220_000)
    parser.add_argument("--wide", type=int, default=40_000)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=24_576)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--gold-share", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--max-seconds", type=float, default=110)
    parser.add_argument("--max-steps", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = batches.pick_device()
    began = time.monotonic()
    effects = read_effects()
    old = read_pairs(args.data / "pairs.jsonl.gz")
    random.Random(args.seed).shuffle(old)
    pairs = old[: args.replay] + synthetic_wide.generate(effects, args.wide, 11)
    held = read_pairs(args.data / "holdout.jsonl.gz")
    held += [p._replace(source="holdout-effects") for p in synthetic_wide.generate(effects, 600, 12, held_out=True)]
    table = batches.tokenise(args.base / "tokenizer.json", [t for p in pairs + held for t in p[:2]])

    def encode(chosen: list[Pair]) -> Sequences:
        return batches.bert_pairs([(table[p.premise], table[p.hypothesis]) for p in chosen], device)

    data, test = encode(pairs), encode(held)
    added = json.loads((args.base / "vocab_map.json").read_text(encoding="utf-8"))["added"]
    model = CrossEncoder(replace(MINILM, vocab=MINILM.vocab + len(added)))
    load_half(model, args.stance)
    model.to(device)
    before = scores.by_slice(predict(model, test, half=False), held)
    own = torch.from_numpy(predict(model, data)).to(device)
    print(f"ready after {time.monotonic() - began:.0f}s: {len(pairs)} pairs", json.dumps(before), flush=True)
    replayed = torch.tensor([p.lang == "en" and p.source != "synthetic-wide" for p in pairs], device=device)
    gold = torch.tensor([p.label for p in pairs], device=device)
    rows = np.array([i for i, p in enumerate(pairs) for _ in range(REPEAT.get(p.source, 1))])
    facts = fit(model, data, Targets(gold, own, replayed), rows, args)
    after = scores.by_slice(predict(model, test, half=False), held)
    save_half(model, args.out / "stance.safetensors")
    settings = {k: v for k, v in vars(args).items() if not isinstance(v, Path)}
    report = {"training": facts, "before": before, "holdout": after, "settings": settings}
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1), flush=True)


if __name__ == "__main__":
    main()
