"""Fit the scores of the tone analyser to the labelled comments: `python -m training.tone`.

Regularised least squares on the pieces of each comment, the signals of the word list, and how near it is to the others by
the vectors of a sentence encoder; solved in closed form. Writes `src/lyra/reports/tone_model.json` (whole numbers) and
`tone_vectors.npz`. Prints how it does on comments in a manner that was left out, which also sets the lead from which on a
reading is sure: the smallest with at most two sure readings in a hundred against their label. `learn.tsv`, `tune.tsv`,
the former blind parts `unseen.tsv` and `blind.tsv` and comments that the program composes are learned from; `test.tsv` and
`blind2.tsv` are for measuring.

`--encoder FOLDER` cuts the encoder anew from the published files (see `tone_encoder.py`; needs the training environment);
without it the encoder in `tone_vectors.npz` is kept.
"""

import argparse
import csv
import hashlib
import io
import json
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lyra.reports import tone
from lyra.reports.comments import compose
from lyra.reports.model import LAYER_VALUES, Claim, ClaimType, FiveLayers
from lyra.reports.tone_learned import PIECES, TONES, UNIT, pieces_of
from lyra.reports.tone_vectors import SPREAD, WEIGHT, arrays_of, encoded, encoder_of

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "reports" / "tone"
MODEL = ROOT / "src" / "lyra" / "reports" / "tone_model.json"
VECTORS = MODEL.with_name("tone_vectors.npz")
FEWEST, RIDGE, FALSE_LIMIT = 3, 3.0, 0.02
AXES, LEVELS = 128, 127
# How many claims with random layers have their comments composed.
COMPOSED = 40
BY_CONFIDENCE = {90: "positive", 70: "positive", 50: "mixed", 30: "negative", 10: "negative"}
ALWAYS_IN = ("tune", "composed")
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One comment with its tone and the manner it is written in, folded, and what the word list makes of it."""

    manner: str
    tone: str
    text: str
    listed: str
    settled: bool
    signals: dict[str, float]
    views: tuple[str, ...]


def labelled() -> list[Labelled]:
    """Return the comments to learn from; those of each older part count as one manner."""
    found = []
    for name in ("learn", "tune", "unseen", "blind"):
        with (CORPUS / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
            found += [made_ready(row.get("manner", name), row["polarity"], tone.folded(row["comment"])) for row in rows]
    return found


def composed() -> list[Labelled]:
    """Return comments as the program itself composes them, each with the tone that goes with its confidence."""
    chosen = [{name: value} for name, values in LAYER_VALUES.items() for value in values]
    random = Random(COMPOSED)
    chosen += [{name: random.choice(values) for name, values in LAYER_VALUES.items()} for _ in range(COMPOSED)]
    texts: dict[str, str] = {}
    for kind, layers in product((ClaimType.COMPETITIVE_ADVANTAGE, ClaimType.CAGR_CONNECTION), chosen):
        claim = Claim(1, kind, "x", five_layer_evaluation=FiveLayers(layers))
        texts |= {tone.folded(compose(claim, value)): name for value, name in BY_CONFIDENCE.items()}
    return [made_ready("composed", name, text) for text, name in texts.items()]


def made_ready(manner: str, name: str, folded: str) -> Labelled:
    """Return a folded comment with what the word list makes of it."""
    listed, settled = tone.by_list(folded)
    return Labelled(manner, name, folded, listed.polarity, settled, tone.signals(folded, listed), tone.views_of(folded))


def table(comments: list[Labelled]) -> tuple[Matrix, list[str], list[str]]:
    """Return one row for each comment, and the names of its columns: pieces that occur often enough, then signals."""
    held = [list(dict.fromkeys(piece for _, piece in pieces_of(one.text))) for one in comments]
    often = Counter(piece for pieces in held for piece in pieces)
    pieces = sorted(piece for piece, count in often.items() if count >= FEWEST)
    names = sorted({name for one in comments for name in one.signals})
    place = {name: column for column, name in enumerate([*pieces, *names])}
    rows = np.zeros((len(comments), len(place)))
    for row, (one, held_here) in enumerate(zip(comments, held, strict=True)):
        known = [place[piece] for piece in held_here if piece in place]
        rows[row, known] = PIECES / np.sqrt(len(known) or 1)
        for name, value in one.signals.items():
            rows[row, place[name]] = value
    return rows, pieces, names


def fitted(products: Matrix, wanted: Matrix) -> Matrix:
    """Return the share of each comment in the coefficients."""
    return np.asarray(np.linalg.solve(products + RIDGE * np.eye(len(products)), wanted), dtype=np.float64)


def short_vectors(comments: list[Labelled], arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the views of all comments as short vectors in eight bits, with what shortens a vector."""
    encoder = encoder_of(arrays)
    vectors = {text: encoded(encoder, text) for text in dict.fromkeys(text for one in comments for text in one.views)}
    views = np.array([[vectors[text] for text in one.views] for one in comments], dtype=np.float64)
    centre = views.mean((0, 1))
    away = (views - centre).reshape(-1, views.shape[-1])
    axes = np.linalg.eigh(away.T @ away)[1][:, -AXES:].astype(np.float16)
    short = (views - centre) @ axes.astype(np.float64)
    step = np.abs(short).max() / LEVELS
    eight = np.rint(short / step).astype(np.int8)
    return {"centre": centre.astype(np.float32), "axes": axes, "views": eight, "views_step": np.float32(step)}


def near_each_other(short: dict[str, NDArray[Any]]) -> Matrix:
    """Return how near each comment is to each other one, summed over the views."""
    views = short["views"] * float(short["views_step"])
    found = np.zeros((len(views), len(views)))
    for view in range(views.shape[1]):
        rows = views[:, view]
        lengths = (rows * rows).sum(1)
        found += np.exp(-SPREAD * np.maximum(lengths[:, None] + lengths[None] - 2 * rows @ rows.T, 0))
    return found


def left_out(comments: list[Labelled], products: Matrix, wanted: Matrix) -> Matrix:
    """Return the scores of every comment when its manner is left out; those of `ALWAYS_IN` stay zero."""
    scores = np.zeros(wanted.shape)
    manners = np.array([one.manner for one in comments])
    for manner in sorted(set(manners) - set(ALWAYS_IN)):
        out, kept = manners == manner, manners != manner
        scores[out] = products[np.ix_(out, kept)] @ fitted(products[np.ix_(kept, kept)], wanted[kept])
    return scores


def lead_of(values: Matrix, name: str) -> float:
    """Return by how much the score of a tone is ahead of the next one; negative where it is behind."""
    place = TONES.index(name)
    return float(values[place] - np.delete(values, place).max())


def measured(comments: list[Labelled], scores: Matrix) -> float:
    """Print how comments in a manner left out are read; return the lead from which on a reading is sure."""
    judged: list[tuple[float, str, bool]] = []
    by_manner: dict[str, list[bool]] = {}
    for one, values in zip(comments, scores, strict=True):
        if one.manner in ALWAYS_IN:
            continue
        keeps = one.settled and lead_of(values, one.listed) > -tone.OVERRULED
        read = one.listed if keeps else TONES[int(values.argmax())]
        judged.append((lead_of(values, read), read, read == one.tone))
        by_manner.setdefault(one.manner, []).append(read == one.tone)
    for manner, answers in by_manner.items():
        print(f"{manner:12} {len(answers):5} right {sum(answers) / len(answers):.3f}")
    decided = sorted(((lead, right) for lead, read, right in judged if read in TONES[:2]), reverse=True)
    sure_from, false, sure = 1.0, 0, 0
    for number, (lead, right) in enumerate(decided, 1):
        false += not right
        if false / len(judged) > FALSE_LIMIT:
            break
        sure_from, sure = lead, number
    total = sum(right for *_, right in judged) / len(judged)
    against = sum(not right for _, right in decided) / len(judged)
    print(f"manner left out: right {total:.3f}, against the label {against:.3f}; sure from {sure_from:.3f}: {sure} readings")
    return round(sure_from, 3)


def main() -> int:
    """Fit, print and write; returns the exit code."""
    parser = argparse.ArgumentParser(description="Fit the scores of the tone analyser.")
    parser.add_argument("--encoder", type=Path, help="folder with sp.model and weights.npz of the published encoder")
    given = parser.parse_args()
    if given.encoder is None:
        arrays = arrays_of(VECTORS.read_bytes())
    else:
        from training.tone_encoder import cut  # noqa: PLC0415 - needs the training environment

        arrays = cut(given.encoder)
    comments = [*labelled(), *composed()]
    rows, pieces, names = table(comments)
    wanted = np.array([[float(one.tone == name) - 1 / len(TONES) for name in TONES] for one in comments])
    short = short_vectors(comments, arrays)
    letters = rows @ rows.T
    print("without the vectors:")
    measured(comments, left_out(comments, letters, wanted))
    print("with the vectors:")
    products = letters + WEIGHT * near_each_other(short)
    sure_from = measured(comments, left_out(comments, products, wanted))
    shares = fitted(products, wanted)
    stored = io.BytesIO()
    np.savez_compressed(stored, allow_pickle=False, **{**arrays, **short, "shares": shares.astype(np.float32)})
    VECTORS.write_bytes(stored.getvalue())
    coefficients = np.rint(UNIT * rows.T @ shares).astype(int).tolist()
    by_name = dict(zip([*pieces, *names], coefficients, strict=True))
    model = {
        "sure_from": sure_from,
        "vectors": {"bytes": len(stored.getvalue()), "sha256": hashlib.sha256(stored.getvalue()).hexdigest()},
        "signals": {name: by_name[name] for name in names},
        "pieces": {piece: by_name[piece] for piece in pieces},
    }
    MODEL.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")).replace("],", "],\n") + "\n", encoding="utf-8")
    sizes = [path.stat().st_size // 1000 for path in (MODEL, VECTORS)]
    print(f"{len(comments)} comments, {len(pieces)} pieces, {sizes[0]} and {sizes[1]} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
