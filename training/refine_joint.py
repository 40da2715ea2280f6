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
from training.batches import Sequences
from training.records import Pair
from training.train_joint import Door, arguments, fit, material, nearest_japanese, piece_pairs, predict, times_of
from training.two_doors import TwoDoors

WORD_TIMES = {"own-en_findings": 5.0, "own-en_trials": 4.0, "own-": 1.5, "scifact": 1.0, "evidence": 0.5, "mnli-": 0.35,
              "snli-": 0.12, "cad-": 0.2, "fever": 0.12, "fm2": 0.3, "negative-": 0.2, "synthetic-wide": 0.25, "contrast-en": 0.3,
              "scitail": 0.2, "padded": 0.1, "negnli": 0.3, "scone": 0.1, "perspectrum": 0.2}  # fmt: skip
PIECE_TIMES = {"own-ja_results": 5.0, "own-cross_findings": 4.0, "own-jsts": 1.0, "own-": 2.0, "jsick": 1.0, "contrast-ja": 0.4,
               "synthetic-ja": 0.1, "janli": 0.2, "jamp": 0.2, "pawsx": 0.5, "negative-ja": 0.7, "jsts": 0.5}  # fmt: skip
PIECE_ENGLISH = {"own-en_findings": 3.0, "own-en_trials": 1.0, "own-": 0.7, "mnli-": 0.1, "evidence": 0.2, "scifact": 0.3,
                 "synthetic-wide": 0.1}  # fmt: skip


def main() -> None:
    """Refine and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, required=True, help="stance.npz to go on from")
    parser.add_argument("--quick", action="store_true", help="leave out the scores before")
    own, rest = parser.parse_known_args()
    args = arguments(rest)
    torch.manual_seed(args.seed)
    device = batches.pick_device()
    began = time.monotonic()
    pairs, held = material(args)
    ids = batches.mpnet_ids(args.base / "vocab_map.json")
    pieces = args.base / "muse_tokenizer.json"

    def words(chosen: list[Pair]) -> Sequences:
        table = batches.tokenise(args.base / "tokenizer.json", [t for p in chosen for t in p[:2]])
        return batches.mpnet_pairs([(table[p.premise], table[p.hypothesis]) for p in chosen], ids, device)

    def door(chosen: list[Pair], times: np.ndarray, by_pieces: bool) -> Door:
        # A pair seen less than once in an epoch is kept with that chance: what is never drawn need not be tokenised.
        rng = np.random.default_rng(args.seed)
        kept = np.flatnonzero(rng.random(len(times)) < times * args.epochs)
        some = [chosen[i] for i in kept]
        data = piece_pairs(pieces, some, device) if by_pieces else words(some)
        gold = torch.tensor([p.label for p in some], device=device)
        often = np.maximum(times[kept], 1.0 / args.epochs)
        return Door(data, gold, often, torch.tensor([p.lang == "en" for p in some], device=device))

    english = [p for p in pairs if p.lang == "en"]
    others = [p for p in pairs if p.lang != "en"]
    by_word = door(english, times_of(english, WORD_TIMES, 0.1), False)
    times = np.concatenate([times_of(others, PIECE_TIMES, 0.1), times_of(english, PIECE_ENGLISH, 0.0)])
    by_piece = door(others + english, times, True)
    model = TwoDoors(Tokenizer.from_file(str(pieces)).get_vocab_size())
    stored.load(model, own.stance)
    model.to(device)
    model.set_coarse()
    plain = [p for p in held if p.lang == "en"]
    plain_data, held_data = words(plain), piece_pairs(pieces, held, device)
    report: dict[str, Any] = {}

    def score(when: str) -> None:
        for name, data, rows in (("words", plain_data, plain), ("pieces", held_data, held)):
            said = predict(model, data, name == "pieces")
            np.save(args.out / f"{when}_{name}.npy", said.astype(np.float16))
            report[f"{when}, {name}"] = scores.by_slice(said[:, :3], rows)
            for source, row in report[f"{when}, {name}"].items():
                print(f"{when:7} {name:7} {source:22} " + " ".join(f"{k} {v}" for k, v in row.items()), flush=True)

    args.out.mkdir(parents=True, exist_ok=True)
    print(f"ready after {time.monotonic() - began:.0f}s: {by_word.times.sum():.0f} + {by_piece.times.sum():.0f}", flush=True)
    if not own.quick:
        score("before")
    switch = nearest_japanese(pieces, model.pieces.table.weight.detach())
    report["training"] = fit(model, (by_word, by_piece), switch, args)
    stored.write(model, args.out / "stance.npz")
    print(json.dumps(report["training"]), f"stored after {time.monotonic() - began:.0f}s", flush=True)
    score("after")
    (args.out / "scores.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
