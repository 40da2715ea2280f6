"""Train the stance model with two doors from the published English encoder and the multilingual pieces.

English pairs come through the word door; Japanese pairs, pairs of two languages and a part of the English ones through
the piece door. In some English pairs that come as pieces, pieces are exchanged for their nearest Japanese ones. In the
last part of the run the weights are used as they will be stored (`four_bits.py`). Writes `stance.npz` (the stored form),
`dev_logits.npz` and `scores.json`. The learning rate reaches zero at the last step or at --max-seconds.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training import batches, scores, stored
from training.batches import Clock, Sequences
from training.door_data import Door, Readers, Tables, drawn
from training.losses import gold_loss
from training.records import UNLABELLED, Pair, read_pairs
from training.two_doors import TwoDoors
from training.weights import unpack

TO_TRAIN_ON, TO_CHOOSE_BY = ("pairs", "joint."), ("holdout", "joint_dev")
TABLES = Tables(
    words={"own-": 4.0, "scifact": 2.0, "fm2-dev": 2.0, "snli-extra": 1.0},
    pieces={"own-jsts": 3.0, "own-": 5.0, "jsick-train": 3.0, "synthetic-ja": 0.7, "jsts-near": 2.0, "pawsx": 2.0,
            "negative-ja": 1.5, "jamp": 1.0, "janli": 1.0, "contrast-ja": 1.0},
    english_as_pieces={"own-": 2.0, "mnli-": 0.7, "snli-": 0.3, "cad-": 0.5, "fever": 0.4, "negative-": 0.3, "scifact": 0.7,
                       "evidence": 0.5, "synthetic-wide": 0.4, "contrast-en": 0.5, "scitail": 0.5, "padded": 0.2},
    other=1.0,
)  # fmt: skip


def nearest_japanese(tokenizer: Path, table: Tensor, least: float = 0.5) -> Tensor:
    """For each piece its nearest Japanese one where it is an English word and near enough, else itself."""
    made = Tokenizer.from_file(str(tokenizer))
    pieces = [made.id_to_token(i) for i in range(made.get_vocab_size())]
    english = torch.tensor([i for i, p in enumerate(pieces) if re.fullmatch(r"▁[a-z]{3,}", p)], device=table.device)
    words = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]{2,}|[\u4e00-\u9fff]")
    japanese = torch.tensor([i for i, p in enumerate(pieces) if words.fullmatch(p)], device=table.device)
    unit = torch.nn.functional.normalize(table - table.mean(0), dim=-1)
    best, which = (unit[english] @ unit[japanese].T).max(-1)
    result = torch.arange(len(pieces), device=table.device)
    result[english[best >= least]] = japanese[which[best >= least]]
    return result


@torch.inference_mode()
def predict(model: TwoDoors, data: Sequences, by_pieces: bool) -> np.ndarray:
    """Logits and first guesses of all rows, in row order."""
    model.eval()
    result = np.zeros((len(data.lengths), 6), dtype=np.float32)
    for index in batches.in_order(data.lengths):
        ids, mask, _ = data.batch(index)
        with torch.autocast(data.device.type, torch.bfloat16, enabled=data.device.type == "cuda"):
            result[index] = torch.cat(model(ids, mask, by_pieces), -1).float().cpu().numpy()
    return result


def optimiser_of(model: TwoDoors, lr: float, fused: bool) -> torch.optim.AdamW:
    """Three speeds: the transformer, the table of pieces, and what joins the two."""
    model.encoder.relative.weight.requires_grad_(False)
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        speed = (
            2.0 if name.startswith("pieces.table") else 5.0 if name.startswith(("pieces.", "classify", "early", "dense")) else 1.0
        )
        groups.setdefault((speed, 0.01 if parameter.ndim > 1 else 0.0), []).append(parameter)
    settings = [{"params": p, "lr": lr * s, "speed": s, "weight_decay": d} for (s, d), p in groups.items()]
    return torch.optim.AdamW(settings, lr=lr, betas=(0.9, 0.98), fused=fused)


def fit(model: TwoDoors, doors: tuple[Door, Door], switch: Tensor, args: argparse.Namespace) -> dict[str, float]:
    """Train in place."""
    rng = np.random.default_rng(args.seed)
    device = doors[0].gold.device
    optimiser = optimiser_of(model, args.lr, device.type == "cuda")
    plan: list[tuple[int, np.ndarray]] = []
    for _ in range(args.epochs):
        epoch = [
            (which, index)
            for which, door in enumerate(doors)
            for index in batches.bucketed(door.data.lengths, drawn(door.times, rng), args.batch, args.tokens, rng)
        ]
        plan += [epoch[i] for i in rng.permutation(len(epoch))]
    plan = plan[: args.max_steps] if args.max_steps else plan
    clock = Clock(len(plan), args.max_seconds)
    model.train()
    shown, total, losses = time.monotonic(), 0, [0.0, 0.0]
    for which, index in plan:
        if not model.coarse and max(clock.step / clock.steps, clock.elapsed / clock.seconds) >= args.coarse_from:
            model.set_coarse()
            print(f"coarse from step {clock.step}", flush=True)
        for group in optimiser.param_groups:
            group["lr"] = args.lr * group["speed"] * clock.factor()
        door = doors[which]
        ids, mask, _ = door.data.batch(index)
        where = torch.from_numpy(index).to(device)
        if which and args.switch:
            chance = args.switch * torch.rand(len(index), 1, device=device).round() * door.english[where][:, None]
            ids = torch.where(torch.rand(ids.shape, device=device) < chance, switch[ids], ids)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            logits, guess = model(ids, mask, bool(which))
        gold = door.gold[where]
        loss = gold_loss(logits, gold, smoothing=args.smoothing).mean() + args.early * gold_loss(guess, gold).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        total += len(index)
        if time.monotonic() - shown > 15:
            losses[which] = loss.item()
            shown = time.monotonic()
            print(
                f"step {clock.step}/{len(plan)} {clock.elapsed:.0f}s door {which} loss {losses[which]:.3f} pairs {total}",
                flush=True,
            )
        if not clock.tick():
            break
    return {"steps": clock.step, "planned": len(plan), "seconds": round(clock.elapsed, 1), "pairs_seen": total}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What can be chosen, from the command line or from `given`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders with *.jsonl.gz files of pairs")
    parser.add_argument("--base", type=Path, required=True, help="mpnet.safetensors, tokenizer.json, vocab_map.json, muse.*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=24_576)
    parser.add_argument("--lr", type=float, default=6e-5)
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--switch", type=float, default=0.4, help="share of pieces exchanged in half of the English pairs")
    parser.add_argument("--early", type=float, default=0.25, help="weight of the first guess")
    parser.add_argument("--coarse-from", type=float, default=0.55)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-seconds", type=float, default=540)
    parser.add_argument("--max-steps", type=int, default=0)
    parser.add_argument("--max-pairs", type=int, default=0, help="for a trial: at most so many pairs")
    return parser.parse_args(given)


def stored_pairs(folders: list[Path], names: tuple[str, ...]) -> list[Pair]:
    """All pairs of the files whose names begin so."""
    files = [path for folder in folders for path in sorted(folder.glob("*.jsonl.gz"))]
    return [pair for path in files if path.name.startswith(names) for pair in read_pairs(path)]


def material(args: argparse.Namespace) -> tuple[list[Pair], list[Pair]]:
    """Pairs to train on and pairs to choose by."""
    pairs = [p for p in stored_pairs(args.data, TO_TRAIN_ON) if p.label != UNLABELLED]
    held = stored_pairs(args.data, TO_CHOOSE_BY)
    if args.max_pairs:
        pairs = [pairs[i] for i in np.random.default_rng(0).permutation(len(pairs))[: args.max_pairs]]
        held = held[:: max(1, len(held) // 40)]
    return pairs, held


def main() -> None:
    """Train and score."""
    args = arguments()
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = batches.pick_device()
    began = time.monotonic()
    pairs, held = material(args)
    readers = Readers(args.base, device)
    doors = TABLES.doors(readers, pairs, args.epochs, args.seed)
    size = Tokenizer.from_file(str(readers.pieces)).get_vocab_size()
    model = TwoDoors(size)
    model.encoder.load_state_dict(unpack(args.base / "mpnet.safetensors"))
    model.open_second_door(args.base / "muse.npz")
    model.to(device)
    switch = nearest_japanese(readers.pieces, model.pieces.table.weight.detach())
    print(
        f"ready after {time.monotonic() - began:.0f}s: {doors[0].times.sum():.0f} by words, {doors[1].times.sum():.0f} by pieces "
        f"an epoch, "
        f"{int((switch != torch.arange(size, device=device)).sum())} pieces with a Japanese neighbour",
        flush=True,
    )
    facts = fit(model, doors, switch, args)
    if not model.coarse:
        model.set_coarse()
    args.out.mkdir(parents=True, exist_ok=True)
    plain = [p for p in held if p.lang == "en"]
    said = {"words": predict(model, readers.read(plain, False), False), "pieces": predict(model, readers.read(held, True), True)}
    np.savez_compressed(args.out / "dev_logits.npz", **said)
    report: dict[str, Any] = {"training": facts}
    for name, rows in (("words", plain), ("pieces", held)):
        report |= {name: scores.by_slice(said[name][:, :3], rows), f"{name}, early": scores.by_slice(said[name][:, 3:], rows)}
    stored.write(model, args.out / "stance.npz")
    report["seconds_total"] = round(time.monotonic() - began, 1)
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    for name in list(report)[1:5]:
        for source, row in report[name].items():
            print(f"{name:14} {source:22} " + " ".join(f"{k} {v}" for k, v in row.items()), flush=True)
    print(json.dumps(facts), f"done after {report['seconds_total']}s", flush=True)


if __name__ == "__main__":
    main()
