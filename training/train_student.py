"""Distil the teacher into the small stance model, and teach it Japanese from gold labels.

English pairs: KL divergence to the teacher at temperature 2 plus a little cross-entropy to gold;
Japanese pairs: cross-entropy. Writes `stance.safetensors` (float16), `holdout_logits.npy` and
`scores.json` to --out. Stops at --max-seconds with the learning rate at zero.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from training import batches, scores
from training.batches import Clock, Sequences
from training.models import MINILM, CrossEncoder, grown, save_half
from training.records import Pair, read_pairs
from training.train_teacher import gold_loss, predict
from training.weights import unpack

REPEAT = {"scifact": 2, "scifact-nei": 2, "scifact-near": 2, "jsick-train": 4, "synthetic-ja": 2, "jsts-near": 2,
          "pawsx-dev-ja": 2, "negative-ja": 2}  # fmt: skip
WARM = 2.0


class Targets(NamedTuple):
    """What each pair should become: gold label, teacher logits, whether it is English."""

    gold: Tensor
    teacher: Tensor
    english: Tensor


def distil_loss(logits: Tensor, targets: Targets, share: float) -> Tensor:
    """Mean loss of a mixed batch; `share` is the weight of gold labels on English pairs."""
    soft = torch.softmax(targets.teacher / WARM, -1)
    logs = torch.log_softmax(logits.float() / WARM, -1)
    kl = (soft * (torch.log(soft.clamp(min=1e-8)) - logs)).sum(-1) * WARM * WARM
    firm = gold_loss(logits, targets.gold)
    own = gold_loss(logits, targets.gold, smoothing=0.05)
    return torch.where(targets.english, (1 - share) * kl + share * firm, own).mean()


def fit(model: CrossEncoder, data: Sequences, targets: Targets, rows: np.ndarray, args: argparse.Namespace) -> dict[str, float]:
    """Train in place."""
    rng = np.random.default_rng(args.seed)
    big = [p for p in model.parameters() if p.ndim > 1]
    small = [p for p in model.parameters() if p.ndim == 1]
    optimiser = torch.optim.AdamW(
        [{"params": big, "weight_decay": 0.01}, {"params": small, "weight_decay": 0.0}],
        lr=args.lr, betas=(0.9, 0.98), fused=data.device.type == "cuda",
    )  # fmt: skip
    plan: list[np.ndarray] = []
    for _ in range(args.epochs):
        plan += batches.bucketed(data.lengths, rows, args.batch, args.tokens, rng)
    plan = plan[: args.max_steps] if args.max_steps else plan
    clock = Clock(len(plan), args.max_seconds)
    model.train()
    shown, total = time.monotonic(), 0
    for index in plan:
        for group in optimiser.param_groups:
            group["lr"] = args.lr * clock.factor()
        where = torch.from_numpy(index).to(data.device)
        with torch.autocast(
            data.device.type, torch.bfloat16, enabled=data.device.type == "cuda" or getattr(args, "bfloat16", False)
        ):
            logits = model(*data.batch(index))
        loss = distil_loss(logits, Targets(*(t[where] for t in targets)), args.gold_share)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        total += len(index)
        if clock.step % 500 == 0 or time.monotonic() - shown > 20:
            shown = time.monotonic()
            print(f"step {clock.step}/{len(plan)} {clock.elapsed:.0f}s loss {loss.item():.3f} pairs {total}", flush=True)
        if not clock.tick():
            break
    return {"steps": clock.step, "planned": len(plan), "seconds": round(clock.elapsed, 1), "pairs_seen": total}


def new_student(base: Path) -> CrossEncoder:
    """The small model with room for the added tokens and a fresh head."""
    added = json.loads((base / "vocab_map.json").read_text(encoding="utf-8"))["added"]
    model = CrossEncoder(replace(MINILM, vocab=MINILM.vocab + len(added)))
    model.encoder.load_state_dict(grown(unpack(base / "minilm.safetensors"), len(added)))
    return model


def main() -> None:
    """Distil and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--base", type=Path, required=True, help="folder with minilm.safetensors and tokenizer.json")
    parser.add_argument("--teacher", type=Path, required=True, help="folder written by train_teacher.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=24_576)
    parser.add_argument("--lr", type=float, default=2.5e-4)
    parser.add_argument("--gold-share", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-seconds", type=float, default=200)
    parser.add_argument("--max-steps", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = batches.pick_device()
    began = time.monotonic()
    pairs = read_pairs(args.data / "pairs.jsonl.gz")
    held = read_pairs(args.data / "holdout.jsonl.gz")
    table = batches.tokenise(args.base / "tokenizer.json", [t for p in pairs + held for t in p[:2]])

    def encode(chosen: list[Pair]) -> Sequences:
        return batches.bert_pairs([(table[p.premise], table[p.hypothesis]) for p in chosen], device)

    data, test = encode(pairs), encode(held)
    is_english = np.array([p.lang == "en" for p in pairs])
    labels = np.load(args.teacher / "teacher_logits.npy").astype(np.float32)
    if len(labels) != is_english.sum():
        raise SystemExit(f"teacher labelled {len(labels)} pairs, the data has {is_english.sum()} English pairs")
    full = np.zeros((len(pairs), 3), dtype=np.float32)
    full[is_english] = labels
    rows = np.array([i for i, p in enumerate(pairs) for _ in range(REPEAT.get(p.source, 1))])
    model = new_student(args.base).to(device)
    print(f"ready after {time.monotonic() - began:.0f}s: {len(rows)} rows, mean length {data.lengths.mean():.0f}", flush=True)
    gold = torch.tensor([p.label for p in pairs], device=device)
    english = torch.from_numpy(is_english).to(device)
    facts = fit(model, data, Targets(gold, torch.from_numpy(full).to(device), english), rows, args)
    checked = predict(model, test, half=False)
    args.out.mkdir(parents=True, exist_ok=True)
    np.save(args.out / "holdout_logits.npy", checked)
    save_half(model, args.out / "stance.safetensors")
    slices = scores.by_slice(checked, held)
    chosen = [slices[s]["macro_f1"] for s in slices if "wide" not in s and "synthetic" not in s]
    settings = {k: v for k, v in vars(args).items() if not isinstance(v, Path)}
    report = {"training": facts, "holdout": slices, "selection": float(np.mean(chosen)), "settings": settings}
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1), flush=True)


if __name__ == "__main__":
    main()
