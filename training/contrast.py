"""Go on from a stance model with pairs in which one word decides, on a CPU, without forgetting the rest.

Templated contrasts (`contrast_en.py`, `contrast_ja.py`) and, where given, items of our own writing are learned from their
labels; a part of the old pairs is replayed, held to gold and, in English, to what the model said before. Word embeddings
stay as they are. Writes `stance.safetensors` and `scores.json` with the scores before and after. Items marked `dev` in
the files of own items are never trained on: they choose between runs.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from tokenizers import Tokenizer

from training import batches, contrast_en, contrast_ja, scores, synthetic_wide
from training.batches import Sequences
from training.effect_fields import read_effects
from training.leaks import suite_texts
from training.models import MINILM, CrossEncoder, load_half, save_half
from training.own_items import own_items
from training.records import UNLABELLED, Pair, read_pairs, squash
from training.train_student import REPEAT, Targets, fit
from training.train_teacher import predict

_LONGEST = 110


class Material(NamedTuple):
    """What is trained on, the old pairs first, and what is scored before and after."""

    pairs: list[Pair]
    replayed: int
    held: list[Pair]


def collect(args: argparse.Namespace) -> Material:
    """Old pairs, fresh ones and hold-outs. A fresh pair that shares a text with a suite is left out, and said."""
    own, dev = [], []
    for path in args.own:
        train_part, dev_part = own_items(path)
        own += train_part
        dev += dev_part
    fresh = contrast_en.generate(args.contrast_en, 21) + contrast_ja.generate(args.contrast_ja, 22)
    fresh += synthetic_wide.generate(read_effects(), args.wide, 23) + own
    known = suite_texts(Path("bench/judgement"))
    clean = [pair for pair in fresh if squash(pair.premise) not in known and squash(pair.hypothesis) not in known]
    print(f"{len(fresh) - len(clean)} of {len(fresh)} fresh pairs share a text with a suite and are left out", flush=True)
    old = [pair for pair in read_pairs(args.data / "pairs.jsonl.gz") if pair.label != UNLABELLED]
    random.Random(args.seed).shuffle(old)
    old = [p for p in old if p.lang == "en"][: args.replay_en] + [p for p in old if p.lang == "ja"][: args.replay_ja]
    held = read_pairs(args.data / "holdout.jsonl.gz") + dev
    held += [p._replace(source="holdout-contrast-en") for p in contrast_en.generate(400, 31)]
    held += [p._replace(source="holdout-contrast-ja") for p in contrast_ja.generate(400, 32)]
    return Material(old + clean, len(old), held)


def arguments() -> argparse.Namespace:
    """What can be chosen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--tokenizer", type=Path, default=Path("src/lyra/models/weights/tokenizer.json"))
    parser.add_argument("--stance", type=Path, required=True, help="stance.safetensors to go on from")
    parser.add_argument("--own", type=Path, nargs="*", default=[], help="files of own items")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--contrast-en", type=int, default=12_000)
    parser.add_argument("--contrast-ja", type=int, default=13_000)
    parser.add_argument("--wide", type=int, default=3_000)
    parser.add_argument("--replay-en", type=int, default=14_000)
    parser.add_argument("--replay-ja", type=int, default=6_000)
    parser.add_argument("--own-repeat", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--tokens", type=int, default=4_096)
    parser.add_argument("--lr", type=float, default=6e-5)
    parser.add_argument("--gold-share", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--max-seconds", type=float, default=2_400)
    parser.add_argument("--max-steps", type=int, default=0)
    parser.add_argument("--bfloat16", action="store_true", help="half precision on CPUs that have it")
    return parser.parse_args()


def main() -> None:
    """Refine and score."""
    args = arguments()
    torch.manual_seed(args.seed)
    device = batches.pick_device()
    material = collect(args)
    held = material.held
    table = batches.tokenise(args.tokenizer, [t for p in material.pairs + held for t in p[:2]])
    short = [len(table[p.premise]) + len(table[p.hypothesis]) <= _LONGEST for p in material.pairs]
    english = [p.lang == "en" and i < material.replayed for i, p in enumerate(material.pairs)]
    pairs = [p for p, fits in zip(material.pairs, short, strict=True) if fits]

    def encode(chosen: list[Pair]) -> Sequences:
        return batches.bert_pairs([(table[p.premise], table[p.hypothesis]) for p in chosen], device)

    data, test = encode(pairs), encode(held)
    model = CrossEncoder(replace(MINILM, vocab=Tokenizer.from_file(str(args.tokenizer)).get_vocab_size()))
    load_half(model, args.stance)
    model.to(device)
    model.encoder.word.weight.requires_grad_(False)
    before = scores.by_slice(predict(model, test, half=False), held)
    replayed = torch.tensor([is_old for is_old, fits in zip(english, short, strict=True) if fits], device=device)
    where = np.flatnonzero(replayed.cpu().numpy())
    said = torch.zeros(len(pairs), 3)
    said[where] = torch.from_numpy(predict(model, encode([pairs[i] for i in where]), half=False)).float()
    print(f"{len(pairs)} pairs, mean length {data.lengths.mean():.0f}", json.dumps(before), flush=True)
    gold = torch.tensor([p.label for p in pairs], device=device)
    repeat = {**REPEAT, "own": args.own_repeat}
    rows = np.array([i for i, p in enumerate(pairs) for _ in range(repeat.get(p.source, 1))])
    facts = fit(model, data, Targets(gold, said.to(device), replayed), rows, args)
    after = scores.by_slice(predict(model, test, half=False), held)
    save_half(model, args.out / "stance.safetensors")
    settings = {k: v for k, v in vars(args).items() if not isinstance(v, (Path, list))}
    report = {"training": facts, "before": before, "after": after, "settings": settings}
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1), flush=True)


if __name__ == "__main__":
    main()
