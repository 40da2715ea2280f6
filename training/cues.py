"""Learn how the model's logits and the cues are weighed together, from training parts and slices never trained on.

Two steps: `python -m training.cues read` reads the cues of every pair and runs the stance graph on it (some minutes),
`python -m training.cues learn` learns the weigher, prints what it scores beside the logits alone, and writes `cues.json`.
Everything is numpy with fixed seeds: the same pairs give the same coefficients.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from lyra.core.cues.names import CUES
from lyra.core.cues.reading import read
from lyra.models.stance import reading_of
from lyra.models.weights import Weights
from training.cue_material import collect
from training.cue_scores import table
from training.reader import Judge
from training.weigher_fit import Net, fit, joined

MANNERS = ("en", "ja", "cross")
# English pairs are judged better without: on effects in unseen fields and on irrelevant neighbours (see README).
SHIPPED = ("ja", "cross")
SCALE = 0.5
# How much all pairs of a source weigh together, whatever their number: ordinary pairs keep the weigher from overdoing it.
SHARE = {
    "mnli-matched-dev": 7.0, "snli-dev": 6.0, "breaking-nli": 0.7, "holdout-scifact": 3.0, "holdout-scifact-wide": 2.0,
    "scifact-neighbours": 0.6, "own": 6.0, "contrast-en": 1.0, "effects": 0.5, "holdout-jsick": 3.0, "holdout-synthetic-ja": 0.8,
    "contrast-ja": 1.0,
}  # fmt: skip

# Japanese has fewer pairs to learn from: pulled back more.
DECAY = {"en": 0.001, "ja": 0.003, "cross": 0.003}


def read_all(args: argparse.Namespace) -> None:
    """Write logits and cues of the whole material to --out."""
    material = collect(args.data, args.prepared)
    readings = [read(pair.premise, pair.hypothesis) for pair in material.pairs]
    judge = Judge(args.models)
    np.savez_compressed(
        args.out / "cues.npz",
        logits=judge.logits(judge.read([(pair.premise, pair.hypothesis) for pair in material.pairs])).astype(np.float32),
        cues=np.array([[reading.cues[name] for name in CUES] for reading in readings], dtype=np.float32),
        manner=np.array([reading.manner for reading in readings]),
        label=np.array([pair.label for pair in material.pairs]),
        source=np.array([pair.source for pair in material.pairs]),
        part=np.array(material.parts),
    )


def inputs(found: dict[str, np.ndarray]) -> np.ndarray:
    """What the weigher takes: centred logits, then the cues."""
    logits = found["logits"].astype(np.float64)
    centred: np.ndarray = (logits - logits.mean(1, keepdims=True)) * SCALE
    return np.concatenate([centred, found["cues"].astype(np.float64)], 1)


def weights(found: dict[str, np.ndarray], chosen: np.ndarray) -> np.ndarray:
    """One weight per pair: the share of its source, spread over the chosen pairs of it."""
    result = np.zeros(len(chosen))
    for source in np.unique(found["source"][chosen]):
        here = chosen & (found["source"] == source)
        result[here] = SHARE.get(str(source), 0.5) / here.sum()
    return result


def rows_for(found: dict[str, np.ndarray], manner: str) -> np.ndarray:
    """The pairs a manner learns from. Across languages there are few: it learns from the English ones as well."""
    mine: np.ndarray = found["manner"] == manner
    return mine | (found["manner"] == "en") if manner == "cross" else mine


def learn(args: argparse.Namespace) -> None:
    """Fit, score, write."""
    with np.load(args.out / "cues.npz") as stored:
        found = dict(stored)
    features, label = inputs(found), found["label"]
    coefficients: dict[str, Any] = {}
    weighed = found["logits"].astype(np.float64).copy()
    for manner in MANNERS:
        mine = rows_for(found, manner)
        args.decay = DECAY[manner]
        for last in (False, True):  # first without the pairs that choose, to be scored on them; then with all
            chosen = mine & ((found["part"] == "fit") | (last & (found["part"] == "choose")))
            weight = weights(found, chosen)
            if manner == "cross":
                weight[chosen & (found["manner"] == "cross")] *= args.cross
            nets = [fit(features[chosen], label[chosen], weight[chosen], args, seed) for seed in range(args.nets)]
            net = joined(nets)
            if not last:
                here = found["manner"] == manner
                weighed[here] = net.outputs(features[here])
        if manner in args.shipped:
            coefficients[manner] = stored_form(net)
    warm = reading_of(Weights(args.models)).temperature
    for line in table(found, weighed, {"en": warm["en"], "ja": warm["ja"], "cross": warm["x"]}):
        print(line)
    text = json.dumps({"schema_version": 1, "coefficients": coefficients}, separators=(",", ":")) + "\n"
    (args.out / "cues.json").write_text(text, encoding="utf-8")
    print(f"{len(text)} bytes in {args.out / 'cues.json'}")


def stored_form(net: Net) -> dict[str, Any]:
    """A net as it is stored, by the names of the cues it goes by."""
    used = [i for i in range(len(CUES)) if np.abs(net.hidden[3 + i]).max() > 0 or np.abs(net.direct[3 + i]).max() > 0]
    rows = [0, 1, 2, *(3 + i for i in used)]
    hidden = np.concatenate([net.hidden[rows].T, net.bias[:, None]], 1)
    output = np.concatenate([net.direct[rows].T, net.output.T, net.offset[:, None]], 1)
    return {
        "cues": [CUES[i] for i in used],
        "scale": SCALE,
        "hidden": np.round(hidden, 4).tolist(),
        "output": np.round(output, 4).tolist(),
    }


def main() -> None:
    """Read or learn."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=("read", "learn"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the public data sets")
    parser.add_argument("--prepared", type=Path, help="folder written by prepare.py")
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--shipped", nargs="+", choices=MANNERS, default=SHIPPED, help="the manners whose coefficients are written"
    )
    parser.add_argument("--nets", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--steps", type=int, default=3_000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--cross", type=float, default=4.0, help="how much more a pair across languages weighs than its share")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    (read_all if args.step == "read" else learn)(args)


if __name__ == "__main__":
    main()
