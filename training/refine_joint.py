"""Go on from the stored form of the stance model with two doors, on a part of its material and on new pairs.

The weights are used as they will be stored from the first step on. Writes `stance.npz` and `scores.json` with the scores
before and after.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from training import batches, scores, stored
from training.door_data import Readers, Tables
from training.train_joint import arguments, fit, material, nearest_japanese, predict
from training.two_doors import TwoDoors

TABLES = Tables(
    words={"own-en_measures": 1.5, "own-en_virus": 1.0, "own-en_passages": 1.0, "own-en_general": 1.0, "own-pubmed": 1.0,
           "own-en_findings": 1.0, "own-en_trials": 1.0, "own-": 0.5, "pubmed-answer": 0.5, "scifact": 0.7, "evidence": 0.25,
           "near-scifact": 0.35, "near-": 0.6, "beside-": 0.5, "among-": 0.6,
           "mnli-": 0.15, "snli-": 0.06, "cad-": 0.1, "fever": 0.06, "fm2": 0.15, "negative-": 0.2, "synthetic-wide": 0.1,
           "contrast-en": 0.15, "scitail": 0.1, "negnli": 0.15, "perspectrum": 0.1, "padded": 0.1},
    pieces={"own-ja_measures": 1.5, "own-ja_general": 1.5, "own-cross_general": 1.0, "own-pubmed_ja": 1.0, "own-jsts": 0.5,
            "own-": 0.7, "near-": 0.8, "beside-": 0.6, "among-": 0.7, "jsick": 0.5, "contrast-ja": 0.2, "pawsx": 0.3,
            "negative-ja": 0.3, "jsts": 0.3, "janli": 0.1, "jamp": 0.1},
    english_as_pieces={"own-en_measures": 0.7, "own-en_general": 0.7, "own-en_findings": 0.7, "own-": 0.3, "near-scifact": 0.05,
                       "near-": 0.15, "beside-": 0.1, "among-": 0.1, "mnli-": 0.06,
                       "evidence": 0.1, "scifact": 0.1, "pubmed-answer": 0.1, "synthetic-wide": 0.05},
    other=0.05,
)  # fmt: skip


def main() -> None:
    """Refine and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, nargs="+", required=True, help="stance.npz to go on from; of several, their mean")
    parser.add_argument("--quick", action="store_true", help="leave out the scores before")
    own, rest = parser.parse_known_args()
    args = arguments(rest)
    torch.manual_seed(args.seed)
    device = batches.pick_device()
    began = time.monotonic()
    pairs, held = material(args)
    readers = Readers(args.base, device)
    doors = TABLES.doors(readers, pairs, args.epochs, args.seed)
    model = TwoDoors(Tokenizer.from_file(str(readers.pieces)).get_vocab_size())
    stored.load(model, *own.stance)
    model.to(device)
    model.set_coarse()
    plain = [p for p in held if p.lang == "en"]
    plain_data, held_data = readers.read(plain, False), readers.read(held, True)
    report: dict[str, Any] = {}

    def score(when: str) -> None:
        for name, data, rows in (("words", plain_data, plain), ("pieces", held_data, held)):
            said = predict(model, data, name == "pieces")
            np.save(args.out / f"{when}_{name}.npy", said.astype(np.float16))
            report[f"{when}, {name}"] = scores.by_slice(said[:, :3], rows)
            for source, row in report[f"{when}, {name}"].items():
                print(f"{when:7} {name:7} {source:22} " + " ".join(f"{k} {v}" for k, v in row.items()), flush=True)

    args.out.mkdir(parents=True, exist_ok=True)
    print(f"ready after {time.monotonic() - began:.0f}s: {doors[0].times.sum():.0f} + {doors[1].times.sum():.0f}", flush=True)
    if not own.quick:
        score("before")
    switch = nearest_japanese(readers.pieces, model.pieces.table.weight.detach())
    report["training"] = fit(model, doors, switch, args)
    stored.write(model, args.out / "stance.npz")
    print(json.dumps(report["training"]), f"stored after {time.monotonic() - began:.0f}s", flush=True)
    score("after")
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
