"""Groups of nearly the same text among very many: sampled first (MinHash), then counted exactly.

Broder's min-wise hashes find the pairs worth looking at; what counts as nearly the same is `near_duplicates`' own measure.
"""

from collections.abc import Iterator, Sequence

from lyra.core.near_duplicates import LEAST_RESEMBLANCE, LEAST_SHINGLES, resemblance, shingle_list, shingles

# Texts of which 0.7 of the shingles are the same share at least one of 32 bands of 4 hashes with a probability of 0.9998.
_HASHES, _BANDS = 128, 32
_SEED = 42
# Shingles are made for so many texts at a time; of the others only their samples are kept.
_AT_ONCE = 5_000


def near_duplicate_groups(texts: Sequence[str]) -> list[list[int]]:
    """Return the groups of positions, in order, of texts that are nearly the same, directly or through others.

    Texts that stand alone are in no group.
    """
    parent = list(range(len(texts)))
    for first, second in _candidates(texts):
        one, other = _root(parent, first), _root(parent, second)
        if one != other and _nearly_the_same(texts[first], texts[second]):
            parent[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = {}
    for at in range(len(texts)):
        groups.setdefault(_root(parent, at), []).append(at)
    return [group for _, group in sorted(groups.items()) if len(group) > 1]


def _candidates(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions, the smaller first, whose texts may be nearly the same."""
    from rensa import RMinHash, RMinHashLSH  # noqa: PLC0415 - native code that little else needs

    index = RMinHashLSH(LEAST_RESEMBLANCE, _HASHES, _BANDS)
    for start in range(0, len(texts), _AT_ONCE):
        cut = [shingle_list(text) for text in texts[start : start + _AT_ONCE]]
        places = [at for at, own in enumerate(cut) if len(own) >= LEAST_SHINGLES]
        samples = RMinHash.from_token_sets([cut[at] for at in places], _HASHES, _SEED)
        for at, sample in zip(places, samples, strict=True):
            for other in index.query(sample):
                yield other, start + at
            index.insert(start + at, sample)


def _nearly_the_same(first: str, second: str) -> bool:
    one, other = shingles(first), shingles(second)
    return min(len(one), len(other)) >= LEAST_SHINGLES and resemblance(one, other) >= LEAST_RESEMBLANCE


def _root(parent: list[int], at: int) -> int:
    while parent[at] != at:
        parent[at] = parent[parent[at]]
        at = parent[at]
    return at
