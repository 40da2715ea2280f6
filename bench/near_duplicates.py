"""Near-duplicate grouping beside datasketch: the same shingles, the same number of hashes, the same bands."""

from random import Random

from datasketch import MinHash, MinHashLSH

from bench.corpus import Texts
from bench.figures import Figure, Sizes, limited, measured
from lyra.core.near_duplicates import LEAST_SHINGLES, shingles
from lyra.core.near_groups import near_duplicate_groups

_HASHES, _BANDS, _ROWS = 128, 32, 4
_BASELINE_AT_MOST = 10_000


def texts_with_copies(count: int) -> list[str]:
    """Return texts of 48 words, every tenth a lightly edited copy of an earlier one."""
    rng = Random(3)
    texts = list(Texts(21).abstracts(count, 48))
    for at in range(10, count, 10):
        words = texts[rng.randrange(at)].split()
        words[rng.randrange(len(words))] = "changed"
        texts[at] = " ".join(words)
    return texts


def with_datasketch(texts: list[str]) -> set[frozenset[int]]:
    """Return the groups that datasketch finds: sketches, an index, a query for each, and the pairs joined."""
    index = MinHashLSH(num_perm=_HASHES, params=(_BANDS, _ROWS))
    parent = list(range(len(texts)))

    def root(at: int) -> int:
        while parent[at] != at:
            at = parent[at]
        return at

    for at, text in enumerate(texts):
        own = shingles(text)
        if len(own) < LEAST_SHINGLES:
            continue
        sketch = MinHash(num_perm=_HASHES)
        sketch.update_batch([shingle.encode() for shingle in own])
        for other in index.query(sketch):
            parent[max(root(at), root(other))] = min(root(at), root(other))
        index.insert(at, sketch)
    groups: dict[int, set[int]] = {}
    for at in range(len(texts)):
        groups.setdefault(root(at), set()).add(at)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def figures(sizes: Sizes) -> list[Figure]:
    """Return what grouping costs. The cost of datasketch per text does not fall with their number: a tenth is measured."""
    texts = texts_with_copies(sizes.duplicates)
    ours, groups = measured(lambda: near_duplicate_groups(texts))
    part = texts[: max(_BASELINE_AT_MOST, len(texts) // 10)]
    seconds, theirs = measured(lambda: with_datasketch(part))
    mine = {frozenset(group) for group in near_duplicate_groups(part)}
    agree = len(mine & theirs) / max(1, len(mine))
    ratio = (seconds / len(part)) / (ours / len(texts))
    return [
        Figure(f"near-duplicates of {len(texts):,} fragments", ours, "CPU s"),
        Figure(f"  groups found, {len(groups):,}; the same as datasketch's", agree, "share"),
        limited(sizes, Figure("  against datasketch", ratio, "x", at_least=10.0)),
    ]
