"""Fine-tune the teacher on English pairs, then label every English pair for the student.

Writes to --out: `teacher.safetensors` (float16), `teacher_logits.npy` (one row per English pair,
in file order), `holdout_logits.npy` and `scores.json`. Stops training at --max-seconds with the
learning rate at zero; labelling comes after that.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training import batches, scores
from training.batches import Clock, Sequences
from training.models import MPNET, CrossEncoder, save_half
from training.records import UNLABELLED, Pair, read_pairs
from training.weights import unpack

REPEAT = {"scifact": 2, "scifact-nei": 2, "scifact-flipped": 2, "scifact-near": 2, "fm2-dev": 2}
STUDENT_ONLY = {"snli-extra"}


def gold_loss(logits: Tensor, gold: Tensor, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy; -log(1 - p(supports)) where only "not supported" is known; 0 where nothing is."""
    logs = torch.log_softmax(logits.float(), -1)
    plain = -logs.gather(1, gold.clamp(min=0)[:, None])[:, 0]
    if smoothing:
        plain = (1 - smoothing) * plain - smoothing * logs.mean(1)
    other = -torch.log((1 - logs[:, 0].exp()).clamp(min=1e-6))
    return torch.where(gold >= 0, plain, torch.where(gold == -1, other, torch.zeros_like(plain)))


@torch.inference_mode()
def predict(model: CrossEncoder, data: Sequences, half: bool = True) -> np.ndarray:
    """Logits of all rows, in row order."""
    model.eval()
    result = np.zeros((len(data.lengths), 3), dtype=np.float32)
    for index in batches.in_order(data.lengths):
        with torch.autocast(data.device.type, torch.bfloat16, enabled=half and data.device.type == "cuda"):
            result[index] = model(*data.batch(index)).float().cpu().numpy()
    return result


def fit(model: CrossEncoder, data: Sequences, gold: Tensor, rows: np.ndarray, args: argparse.Namespace) -> dict[str, float]:
    """Train in place."""
    rng = np.random.default_rng(args.seed)
    rest = [p for n, p in model.named_parameters() if p.ndim > 1 and "relative" not in n]
    small = [p for p in model.parameters() if p.ndim == 1]
    model.encoder.relative.weight.requires_grad_(False)
    optimiser = torch.optim.AdamW(
        [{"params": rest, "weight_decay": 0.01}, {"params": small, "weight_decay": 0.0}],
        lr=args.lr, betas=(0.9, 0.98), fused=data.device.type == "cuda",
    )  # fmt: skip
    total = 0
    plan: list[np.ndarray] = []
    for _ in range(args.epochs):
        plan += batches.bucketed(data.lengths, rows, args.batch, args.tokens, rng)
    plan = plan[: args.max_steps] if args.max_steps else plan
    clock = Clock(len(plan), args.max_seconds)
    model.train()
    shown = time.monotonic()
    for index in plan:
        for group in optimiser.param_groups:
            group["lr"] = args.lr * clock.factor()
        with torch.autocast(data.device.type, torch.bfloat16, enabled=data.device.type == "cuda"):
            logits = model(*data.batch(index))
        loss = gold_loss(logits, gold[torch.from_numpy(index).to(gold.device)]).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        total += len(index)
        if clock.step % 200 == 0 or time.monotonic() - shown > 20:
            shown = time.monotonic()
            print(f"step {clock.step}/{len(plan)} {clock.elapsed:.0f}s loss {loss.item():.3f} pairs {total}", flush=True)
        if not clock.tick():
            break
    return {"steps": clock.step, "planned": len(plan), "seconds": round(clock.elapsed, 1), "pairs_seen": total}


def main() -> None:
    """Train, label, score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--base", type=Path, required=True, help="folder with mpnet.safetensors and tokenizer.json")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--tokens", type=int, default=12_288)
    parser.add_argument("--lr", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-seconds", type=float, default=420)
    parser.add_argument("--max-steps", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = batches.pick_device()
    began = time.monotonic()
    pairs = [p for p in read_pairs(args.data / "pairs.jsonl.gz") if p.lang == "en"]
    held = [p for p in read_pairs(args.data / "holdout.jsonl.gz") if p.lang == "en"]
    ids = batches.teacher_ids(args.base / "vocab_map.json")
    table = batches.tokenise(args.base / "tokenizer.json", [t for p in pairs + held for t in p[:2]])

    def encode(chosen: list[Pair]) -> Sequences:
        return batches.mpnet_pairs([(table[p.premise], table[p.hypothesis]) for p in chosen], ids, device)

    data, test = encode(pairs), encode(held)
    gold = torch.tensor([p.label for p in pairs], device=device)
    rows = np.array(
        [i for i, p in enumerate(pairs) if p.label != UNLABELLED and p.source not in STUDENT_ONLY
         for _ in range(REPEAT.get(p.source, 1))]
    )  # fmt: skip
    model = CrossEncoder(MPNET)
    model.encoder.load_state_dict(unpack(args.base / "mpnet.safetensors"))
    model.to(device)
    print(f"ready after {time.monotonic() - began:.0f}s: {len(rows)} rows, mean length {data.lengths.mean():.0f}", flush=True)
    facts = fit(model, data, gold, rows, args)
    args.out.mkdir(parents=True, exist_ok=True)
    checked = predict(model, test)
    np.save(args.out / "holdout_logits.npy", checked)
    report = {"training": facts, "holdout": scores.by_slice(checked, held)}
    print(json.dumps(report, indent=1), flush=True)
    labels = predict(model, data)
    np.save(args.out / "teacher_logits.npy", labels.astype(np.float16))
    save_half(model, args.out / "teacher.safetensors")
    report["seconds_total"] = round(time.monotonic() - began, 1)
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    print(f"done after {report['seconds_total']}s", flush=True)


if __name__ == "__main__":
    main()
