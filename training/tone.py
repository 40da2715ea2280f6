"""Fit the scores of the tone analyser to the labelled comments: `python -m training.tone`.

Regularised least squares on the pieces of each comment and the signals of the word list, solved in closed form, rounded to
whole numbers and written to `src/lyra/reports/tone_model.json`. Prints how it does on comments in a manner that was left
out, which also sets the lead from which on a reading is sure: the smallest with at most three sure readings in a hundred
against their label. Only `learn.tsv` and `tune.tsv` are read; the other parts are for measuring.
"""

import csv
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lyra.reports import tone
from lyra.reports.tone_learned import PIECES, TONES, UNIT, pieces_of

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "reports" / "tone"
MODEL = ROOT / "src" / "lyra" / "reports" / "tone_model.json"
FEWEST, RIDGE, FALSE_LIMIT = 3, 3.0, 0.03
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


def labelled() -> list[Labelled]:
    """Return the comments to learn from; those of the older tuning part count as one manner."""
    found = []
    for name in ("learn", "tune"):
        with (CORPUS / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
                folded = tone.folded(row["comment"])
                listed, settled = tone.by_list(folded)
                found.append(
                    Labelled(
                        row.get("manner", name), row["polarity"], folded, listed.polarity, settled, tone.signals(folded, listed)
                    )
                )
    return found


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


def left_out(comments: list[Labelled], rows: Matrix, wanted: Matrix) -> Matrix:
    """Return the scores of every comment of `learn.tsv` when its manner is left out; others stay zero."""
    products, scores = rows @ rows.T, np.zeros(wanted.shape)
    manners = np.array([one.manner for one in comments])
    for manner in sorted(set(manners) - {"tune"}):
        out, kept = manners == manner, manners != manner
        scores[out] = products[np.ix_(out, kept)] @ fitted(products[np.ix_(kept, kept)], wanted[kept])
    return scores


def measured(comments: list[Labelled], scores: Matrix) -> float:
    """Print how comments in a manner left out are read; return the lead from which on a reading is sure."""
    judged: list[tuple[float, str, bool]] = []
    by_manner: dict[str, list[bool]] = {}
    for one, values in zip(comments, scores, strict=True):
        if one.manner == "tune":
            continue
        read = one.listed if one.settled else TONES[int(values.argmax())]
        place = TONES.index(read)
        judged.append((float(values[place] - np.delete(values, place).max()), read, read == one.tone))
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
    comments = labelled()
    rows, pieces, names = table(comments)
    wanted = np.array([[float(one.tone == name) - 1 / len(TONES) for name in TONES] for one in comments])
    sure_from = measured(comments, left_out(comments, rows, wanted))
    coefficients = np.rint(UNIT * rows.T @ fitted(rows @ rows.T, wanted)).astype(int).tolist()
    by_name = dict(zip([*pieces, *names], coefficients, strict=True))
    model = {
        "sure_from": sure_from,
        "signals": {name: by_name[name] for name in names},
        "pieces": {piece: by_name[piece] for piece in pieces},
    }
    MODEL.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")).replace("],", "],\n") + "\n", encoding="utf-8")
    print(f"{len(comments)} comments, {len(pieces)} pieces, {MODEL.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
