"""Fit the temperatures and the screening of the judge with two doors on pairs never trained on, and write the manifest.

Promises: reads only pairs held out (`holdout`, `joint_dev`, `joint_dev_near`); runs the exported files as the product does.
Each manner (`en`: English words, `ja`: two Japanese texts, `x`: one) gets a temperature by log loss, every source that has all
three labels weighing the same, and the smallest threshold at which screening takes away none of the pairs that the whole model
rightly puts on a side. The entry of the judge in `manifest.json` is replaced; the rest of the manifest stays.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from lyra.models.doors import ACROSS, ENGLISH, JAPANESE, Said
from training import scores
from training.reader import ORDER, Judge, as_logits
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair, read_pairs

MANNERS = (ENGLISH, JAPANESE, ACROSS)
FILES = {"rest": "stance_rest.onnx", "pieces": "stance_pieces.onnx", "pieces_tokenizer": "pieces_tokenizer.json"}
KNOWN_WORDS = 30_522  # what the published English model knows of the shared tokenizer; the Japanese characters come after
FINEST = 10_000


def describe(path: Path) -> dict[str, Any]:
    """Size and sum of a file."""
    data = path.read_bytes()
    return {"file": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def entry(models: Path, args: argparse.Namespace) -> dict[str, Any]:
    """The judge's entry, neither calibrated nor screened."""
    return {
        "name": args.name, "version": args.version, **describe(models / "stance.onnx"), "max_tokens": 256,
        "vocabulary": KNOWN_WORDS, "labels": list(ORDER), "languages": ["en", "ja"],
        "rest": describe(models / FILES["rest"]),
        "pieces": {**describe(models / FILES["pieces"]), "tokenizer": describe(models / FILES["pieces_tokenizer"])},
    }  # fmt: skip


def read_all(models: Path, manifest: dict[str, Any], pairs: list[Pair]) -> tuple[Judge, list[Said]]:
    """Run all pairs by a manifest that is not yet written."""
    with tempfile.TemporaryDirectory() as folder:
        for path in models.iterdir():
            if path.name != "manifest.json":
                (Path(folder) / path.name).symlink_to(path.resolve())
        (Path(folder) / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        judge = Judge(Path(folder))
        return judge, judge.read([(p.premise, p.hypothesis) for p in pairs])


def threshold(neutral: np.ndarray, side: np.ndarray) -> float:
    """The smallest first probability of neutral, from a half on, that none of the pairs on a side reaches."""
    if not side.any():
        return 1.0
    return min(1.0, max(0.5, (math.floor(float(neutral[side].max()) * FINEST) + 1) / FINEST))


def shift(logits: np.ndarray, pairs: list[Pair], temperature: dict[str, float]) -> tuple[float, float]:
    """What added to the logits of supports and refutes gives the least log loss, every manner and source weighing the same.

    Only printed: `blend.py --shift` puts it into the weights.
    """
    rows = [i for i, pair in enumerate(pairs) if pair.label >= 0]
    warm = np.array([temperature[pairs[i].lang] for i in rows])[:, None]
    slices = [(pairs[i].lang, pairs[i].source) for i in rows]
    sizes, sources = Counter(slices), Counter(lang for lang, _ in set(slices))
    weight = np.array([1.0 / sizes[one] / sources[one[0]] for one in slices])
    gold = np.array([pairs[i].label for i in rows])

    def loss(found: tuple[float, float]) -> float:
        moved = scores.softmax((logits[rows] + np.array([*found, 0.0])) / warm)
        return float((weight * -np.log(np.clip(moved[np.arange(len(rows)), gold], 1e-9, 1))).sum())

    steps = [round(step, 2) for step in np.arange(-0.5, 1.21, 0.1).tolist()]
    return min(((a, b) for a in steps for b in steps), key=loss)


def balanced(pairs: list[Pair]) -> list[int]:
    """Rows of the sources with all three labels: what is neutral throughout knows nothing of how sure a side may be."""
    labels = {source: {p.label for p in pairs if p.source == source} for source in {p.source for p in pairs}}
    return [i for i, pair in enumerate(pairs) if labels[pair.source] >= {SUPPORTS, REFUTES, NEUTRAL}]


def fit(judge: Judge, said: list[Said], pairs: list[Pair]) -> tuple[dict[str, float], dict[str, Any]]:
    """Temperature per manner, and the screen."""
    logits, guesses = judge.logits(said), judge.guesses(said)
    read = [pair._replace(lang=one.manner) for pair, one in zip(pairs, said, strict=True)]
    rows = balanced(read)
    told = [read[i] for i in rows]
    temperature = {manner: round(scores.fit_temperature(logits[rows], told, manner), 3) for manner in MANNERS}
    warm = round(scores.fit_temperature(guesses, [pair._replace(lang="all") for pair in read], "all"), 3)
    first = scores.softmax(guesses, warm)[:, 2]
    gold = np.array([pair.label for pair in pairs])
    side = (gold >= 0) & (gold < 2) & (logits.argmax(1) == gold)
    manner = np.array([one.manner for one in said])
    least = {name: threshold(first[manner == name], side[manner == name]) for name in MANNERS}
    print("shift of supports and refutes with the least log loss:", *shift(logits[rows], told, temperature))
    return temperature, {"temperature": warm, "neutral": least}


def show(judge: Judge, said: list[Said], pairs: list[Pair]) -> None:
    """Scores per source: of the whole model, of its guess, and as the product judges; the share that is screened."""
    texts = [(p.premise, p.hypothesis) for p in pairs]
    whole, product = (as_logits(judge.probabilities(texts, said, screening)) for screening in (False, True))
    tables = [scores.by_slice(found, pairs) for found in (whole, judge.guesses(said), product)]
    away = np.array([judge.screened(one) for one in said])
    print(f"{'source':24} {'n':>5} {'acc':>6} {'F1':>6} {'calib':>6} {'guess':>6} {'product':>7} {'calib':>6} {'screened':>8}")
    for source, row in tables[0].items():
        here = np.array([pair.source == source for pair in pairs])
        guess, last = tables[1][source], tables[2][source]
        print(
            f"{source:24} {row['n']:5.0f} {row['acc']:6.3f} {row['macro_f1']:6.3f} {row['ece']:6.3f} {guess['acc']:6.3f} "
            f"{last['acc']:7.3f} {last['ece']:6.3f} {away[here].mean():8.3f}"
        )
    manner, gold = np.array([one.manner for one in said]), np.array([pair.label for pair in pairs])
    right = judge.logits(said).argmax(1) == gold
    for name in MANNERS:
        for what, rows in (("neutral", gold == 2), ("right sides", (gold >= 0) & (gold < 2) & right)):
            chosen = rows & (manner == name)
            if chosen.any():
                print(f"{name}: {away[chosen].mean():.4f} of {int(chosen.sum())} {what} screened")


def main() -> None:
    """Fit, write, show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with the exported files and a manifest.json")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders written by prepare.py and joint_data.py")
    parser.add_argument("--name", default="lyra-stance-mpnet")
    parser.add_argument("--version", default="5")
    parser.add_argument("--limit", type=int, default=0, help="about this many pairs (for a quick try)")
    args = parser.parse_args()
    names = ("holdout.jsonl.gz", "joint_dev.jsonl.gz", "joint_dev_near.jsonl.gz")
    pairs = [pair for folder in args.data for name in names if (folder / name).exists() for pair in read_pairs(folder / name)]
    pairs = pairs[:: max(1, len(pairs) // args.limit)] if args.limit else pairs
    path = args.models / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["models"]["stance"] = judge_entry = entry(args.models, args)
    judge, said = read_all(args.models, manifest, pairs)
    temperature, screen = fit(judge, said, pairs)
    judge_entry["calibration"] = {"version": f"temperature-{args.version}", "temperature": temperature}
    judge_entry["screen"] = screen
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({"temperature": temperature, "screen": screen}, indent=1))
    show(Judge(args.models), said, pairs)


if __name__ == "__main__":
    main()
