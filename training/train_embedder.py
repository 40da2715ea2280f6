"""Fine-tune the small model as a bi-encoder for claim-to-evidence retrieval.

Loss: in-batch ranking with hard negatives, plus KL to the similarity distribution of the larger
published sentence model (English, against forgetting), plus a ranking loss on Japanese similarity
scores. Writes `embedder.safetensors` (float16) and `scores.json` to --out. Of the base model, the
fine-tuned one and mixtures of both, the best on the hold-out is written.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from training import batches, scores
from training.batches import Clock, Sequences
from training.models import MINILM, MPNET, Embedder, grown, save_half
from training.records import read_jsonl
from training.weights import unpack

SCALE = 20.0
REPEAT = {"scifact": 4, "pubmedqa-l": 3, "pubmedqa-ni-qa": 2, "jsick": 3, "jsts": 2}


@torch.inference_mode()
def embed(model: Embedder, data: Sequences) -> Tensor:
    """Vectors of all rows, in row order, on the device."""
    model.eval()
    result: Tensor | None = None
    for index in batches.in_order(data.lengths):
        with torch.autocast(data.device.type, torch.bfloat16, enabled=data.device.type == "cuda"):
            vectors = model(*data.batch(index)).float()
        if result is None:
            result = torch.zeros(len(data.lengths), vectors.shape[1], device=data.device)
        result[torch.from_numpy(index).to(data.device)] = vectors
    if result is None:
        raise ValueError("no texts")
    return result


def plan_batches(kinds: list[str], size: int, epochs: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Batches of one kind each, so that in-batch negatives are of the same field."""
    groups: dict[str, list[int]] = defaultdict(list)
    for row, kind in enumerate(kinds):
        groups[kind] += [row] * REPEAT.get(kind, 1)
    plan: list[np.ndarray] = []
    for _ in range(epochs):
        epoch: list[np.ndarray] = []
        for kind in sorted(groups):
            order = rng.permutation(groups[kind])
            epoch += [b for b in (order[i : i + size] for i in range(0, len(order), size)) if len(b) > 1]
        plan += [epoch[i] for i in rng.permutation(len(epoch))]
    return plan


def order_loss(cosine: Tensor, score: Tensor) -> Tensor:
    """Pairs with a higher score must have a higher cosine (CoSENT)."""
    difference = (cosine[None, :] - cosine[:, None]) * SCALE
    wrong = difference[score[:, None] > score[None, :] + 0.02]
    return torch.logsumexp(torch.cat([torch.zeros(1, device=cosine.device), wrong]), 0)


class Rows:
    """Token numbers of queries, texts and hard negatives in one table of distinct texts."""

    def __init__(self, rows: list[Any], pairs: list[Any], table: dict[str, np.ndarray], device: torch.device) -> None:
        texts = [t for r in rows for t in r[:3] if t] + [t for p in pairs for t in p[:2]]
        self.texts = list(dict.fromkeys(texts))
        number = {text: i for i, text in enumerate(self.texts)}
        self.query = np.array([number[r[0]] for r in rows])
        self.text = np.array([number[r[1]] for r in rows])
        self.hard = np.array([number[r[2]] if r[2] else -1 for r in rows])
        self.left = np.array([number[p[0]] for p in pairs])
        self.right = np.array([number[p[1]] for p in pairs])
        self.score = torch.tensor([p[2] for p in pairs], device=device)
        self.english = np.array([r[4] == "en" for r in rows])
        self.tokens = [table[t] for t in self.texts]
        self.data = batches.singles(self.tokens, device)


def fit(model: Embedder, rows: Rows, guide: Tensor | None, kinds: list[str], args: argparse.Namespace) -> dict[str, float]:
    """Train in place."""
    rng = np.random.default_rng(args.seed)
    word = [model.encoder.word.weight]
    rest = [p for n, p in model.named_parameters() if n != "encoder.word.weight"]
    device = rows.data.device
    optimiser = torch.optim.AdamW(
        [{"params": rest, "factor": 1.0}, {"params": word, "factor": 3.0}], lr=args.lr, weight_decay=0.01,
        fused=device.type == "cuda",
    )  # fmt: skip
    plan = plan_batches(kinds, args.batch, args.epochs, rng)
    plan = plan[: args.max_steps] if args.max_steps else plan
    clock = Clock(len(plan), args.max_seconds)
    model.train()
    shown = time.monotonic()
    for index in plan:
        for group in optimiser.param_groups:
            group["lr"] = args.lr * clock.factor() * group["factor"]
        hard = rows.hard[index]
        docs = np.concatenate([rows.text[index], hard[hard >= 0]])
        similar = rng.choice(len(rows.left), min(128, len(rows.left)), replace=False)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            q, d = model(*rows.data.batch(rows.query[index])), model(*rows.data.batch(docs))
            a, b = model(*rows.data.batch(rows.left[similar])), model(*rows.data.batch(rows.right[similar]))
        found = q @ d.T * SCALE
        same = (docs[None, :] == rows.text[index][:, None]) | (docs[None, :] == rows.query[index][:, None])
        again = rows.query[index][:, None] == rows.query[index][None, :]
        same[:, : len(index)] |= again
        np.fill_diagonal(same, False)
        found = found.masked_fill(torch.from_numpy(same).to(device), -1e4)
        target = torch.arange(len(index), device=device)
        loss = torch.nn.functional.cross_entropy(found, target)
        loss = loss + 0.5 * torch.nn.functional.cross_entropy(found[:, : len(index)].T, target)
        if guide is not None and rows.english[index[0]]:
            wanted = guide[torch.from_numpy(rows.query[index]).to(device)] @ guide[torch.from_numpy(docs).to(device)].T
            soft = torch.softmax(wanted * SCALE, -1)
            logs = torch.log_softmax(q @ d.T * SCALE, -1)
            loss = loss + args.guide * (soft * (torch.log(soft.clamp(min=1e-8)) - logs)).sum(-1).mean()
        loss = loss + args.japanese * order_loss((a * b).sum(-1), rows.score[torch.from_numpy(similar).to(device)])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        if clock.step % 200 == 0 or time.monotonic() - shown > 20:
            shown = time.monotonic()
            print(f"step {clock.step}/{len(plan)} {clock.elapsed:.0f}s loss {loss.item():.3f}", flush=True)
        if not clock.tick():
            break
    return {"steps": clock.step, "planned": len(plan), "seconds": round(clock.elapsed, 1)}


def check(model: Embedder, sets: list[Sequences], relevant: list[list[int]], score: np.ndarray) -> dict[str, float]:
    """Retrieval on hold-out claims and rank correlation on held-out Japanese pairs."""
    docs, queries, left, right = sets
    found = (embed(model, queries) @ embed(model, docs).T).cpu().numpy()
    cosine = (embed(model, left) * embed(model, right)).sum(1).cpu().numpy()
    return {**scores.ranking(found, relevant), "spearman_ja": round(scores.spearman(cosine, score), 4)}


def best_mixture(
    model: Embedder, start: dict[str, Tensor], judge: Callable[[], dict[str, float]], report: dict[str, Any]
) -> dict[str, Tensor]:
    """Average fine-tuned and base weights in a few shares; return the best state on the hold-out."""
    tuned = {k: v.detach().cpu().clone() for k, v in model.encoder.state_dict().items()}
    best, best_value = tuned, -1.0
    report["mixtures"] = {}
    for share in (1.0, 0.8, 0.6):
        mixed = {k: share * tuned[k] + (1 - share) * start[k] for k in tuned}
        mixed["word.weight"][MINILM.vocab :] = tuned["word.weight"][MINILM.vocab :]
        model.encoder.load_state_dict(mixed)
        result = judge()
        report["mixtures"][str(share)] = result
        value = result["ndcg@10"] + result["recall@10"] + 0.5 * result["spearman_ja"]
        if value > best_value + 0.005:
            best, best_value, report["chosen_share"] = mixed, value, share
    return best


def make_guide(base: Path, rows: Rows, device: torch.device) -> Tensor:
    """Vectors of the larger published sentence model for all texts."""
    large = Embedder(MPNET).to(device)
    large.encoder.load_state_dict(unpack(base / "mpnet.safetensors"))
    ids = batches.mpnet_ids(base / "vocab_map.json")
    return embed(large, batches.singles(rows.tokens, device, ids)).clone()


def main() -> None:
    """Train, compare with the base model, write the best mixture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--base", type=Path, required=True, help="folder with both base models and tokenizer.json")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--lr", type=float, default=6e-5)
    parser.add_argument("--guide", type=float, default=1.0)
    parser.add_argument("--japanese", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-seconds", type=float, default=200)
    parser.add_argument("--max-steps", type=int, default=0)
    parser.add_argument("--max-docs", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device, began = batches.pick_device(), time.monotonic()
    raw = list(read_jsonl(args.data / "retrieval.jsonl.gz"))
    similar = list(read_jsonl(args.data / "similarity.jsonl.gz"))
    held = [s for s in similar if zlib.crc32(str(s[0]).encode()) % 20 == 3]
    kept = [s for s in similar if zlib.crc32(str(s[0]).encode()) % 20 != 3]
    search = json.loads(gzip.decompress((args.data / "search.json.gz").read_bytes()))
    if args.max_docs:
        raw, search["docs"] = raw[:: len(raw) // args.max_docs], search["docs"][: args.max_docs]
    texts = [t for r in raw for t in r[:3]] + [t for s in similar for t in s[:2]] + search["docs"] + search["queries"]
    table = batches.tokenise(args.base / "tokenizer.json", texts)
    rows = Rows(raw, kept, table, device)
    added = json.loads((args.base / "vocab_map.json").read_text(encoding="utf-8"))["added"]
    start = grown(unpack(args.base / "minilm.safetensors"), len(added))
    model = Embedder(replace(MINILM, vocab=MINILM.vocab + len(added)), dropout=0.1).to(device)
    model.encoder.load_state_dict(start)
    sets = [batches.singles([table[t] for t in part], device) for part in
            (search["docs"], search["queries"], [s[0] for s in held], [s[1] for s in held])]  # fmt: skip
    golden = np.array([s[2] for s in held])

    def judge() -> dict[str, float]:
        return check(model, sets, search["relevant"], golden)

    report: dict[str, Any] = {"base": judge()}
    print(f"ready after {time.monotonic() - began:.0f}s: {len(raw)} rows, {len(rows.texts)} texts", report, flush=True)
    guide = make_guide(args.base, rows, device) if args.guide > 0 else None
    print(f"guide ready after {time.monotonic() - began:.0f}s", flush=True)
    report["training"] = fit(model, rows, guide, [r[3] for r in raw], args)
    best = best_mixture(model, start, judge, report)
    model.encoder.load_state_dict(best)
    args.out.mkdir(parents=True, exist_ok=True)
    save_half(model, args.out / "embedder.safetensors")
    report["seconds_total"] = round(time.monotonic() - began, 1)
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1), flush=True)


if __name__ == "__main__":
    main()
