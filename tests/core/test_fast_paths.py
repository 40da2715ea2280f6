"""Shortcuts for plain ASCII, and arithmetic on arrays: never another answer than the long way."""

import unicodedata
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core import terms
from lyra.core.beta import central_interval
from lyra.core.beta_many import central_intervals
from lyra.core.decimals import written
from lyra.core.identity import fragment_id, fragment_id_of, hash_of_normalised, normalise_text, text_hash
from lyra.core.language import detect_language
from lyra.core.near_duplicates import (
    LEAST_RESEMBLANCE,
    LEAST_SHINGLES,
    near_duplicates,
    resemblance,
    shingles,
)
from lyra.core.near_groups import near_duplicate_groups
from lyra.core.outlines import Outlines, outlines

words = st.lists(st.sampled_from("the of der die und el los y DER's 'x a_b l' e o rain 2021 10.5".split()), max_size=40).map(
    " ".join
)
ascii_texts = st.text(st.characters(max_codepoint=127), max_size=200) | words


@given(ascii_texts, st.booleans())
def test_ascii_is_normalised_as_any_text(text: str, long: bool) -> None:
    text = f"{'A sentence of some length. ' * 20}{text}" if long else text
    assert normalise_text(text) == " ".join(unicodedata.normalize("NFKC", text).split())


@given(ascii_texts)
def test_ascii_gives_the_terms_that_any_text_gives(text: str) -> None:
    assert terms.index_terms(text) == " ".join(term for run in terms._runs(text) for term in terms._terms(run))


@given(ascii_texts.filter(lambda text: any(map(str.isalpha, text))))
def test_ascii_is_of_the_language_that_it_is_of_beside_another_space(text: str) -> None:
    assert detect_language(text) == detect_language(f"{text} \u2003")


@given(ascii_texts)
def test_ascii_has_the_shingles_that_any_text_has(text: str) -> None:
    assert shingles(text) == shingles(f"{text} \u2003")


@given(st.text(max_size=60))
def test_a_fragment_has_one_address_however_it_is_computed(text: str) -> None:
    digest = hash_of_normalised(normalise_text(text))
    assert (digest, fragment_id_of(digest)) == (text_hash(text), fragment_id(text))


numbers = st.floats() | st.floats(0.0, 1.0) | st.sampled_from([0.0, -0.0, 1.0, 1 / 128, 0.9999995, 0.99999949, 5e-7, 1e-300])


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_numbers_are_written_together_as_one_by_one(rows: list[tuple[float, float]]) -> None:
    template = b'{"one":%.6f,"two":%.6f}'
    assert written(template, np.array(rows)) == [template % row for row in rows]


shapes = st.tuples(st.floats(1.0, 400.0), st.floats(1.0, 400.0))


@settings(max_examples=50)
@given(st.lists(shapes, min_size=1, max_size=20))
def test_many_intervals_at_once_are_those_one_by_one(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array([one for one, _ in pairs]), np.array([two for _, two in pairs])
    found = central_intervals(a, b, 0.9)
    for row, (one, two) in zip(found, pairs, strict=True):
        assert tuple(row) == pytest.approx(central_interval(one, two, 0.9), abs=1e-9)


def test_extreme_shapes_are_computed_as_well() -> None:
    a, b = np.array([1.0, 1.0, 5000.0, 1e5, 3e5, 20000.0]), np.array([1.0, 5000.0, 1.0, 1e5, 3e5, 3.0])
    expected = [central_interval(float(one), float(two), 0.9) for one, two in zip(a, b, strict=True)]
    assert central_intervals(a, b, 0.9) == pytest.approx(np.array(expected), abs=1e-9)


# Near-duplicates


@st.composite
def pairs_of_texts(draw: st.DrawFn) -> tuple[str, str]:
    vocabulary = draw(st.sampled_from(["abcdefgh", "あいうえお雨大麦風土", "ab"]))
    joined = "" if vocabulary[0] == "あ" else " "
    first = draw(st.lists(st.sampled_from(vocabulary), min_size=1, max_size=60))
    second = list(first)
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(second) - 1))
        change = draw(st.sampled_from(["put", "drop", "add"]))
        if change == "put":
            second[place] = "z"
        elif change == "drop" and len(second) > 1:
            del second[place]
        else:
            second.insert(place, draw(st.sampled_from(vocabulary)))
    return joined.join(first), joined.join(second)


@settings(max_examples=400)
@given(pairs_of_texts(), st.sampled_from(["", " é"]))
def test_outlines_never_tell_nearly_the_same_texts_apart(texts: tuple[str, str], ending: str) -> None:
    first, second = texts[0], texts[1] + ending  # one text may be ASCII, the other not
    if near_duplicates([first, second]):
        drawn = outlines([first, second, "something else"])
        assert drawn.alike(np.array([0, 1, 0]), np.array([1, 0, 2])).tolist() == [True, True, False]


def test_outlines_tell_most_other_texts_apart() -> None:
    texts = [" ".join(f"word{(number * 37 + at * at) % 997}" for at in range(40)) for number in range(40)]
    pairs = list(combinations(range(len(texts)), 2))
    doubtful = outlines(texts).alike(*np.array(pairs).T)
    exact = [pair for pair in pairs if resemblance(*(shingles(texts[at]) for at in pair)) >= LEAST_RESEMBLANCE]
    assert doubtful.sum() <= len(exact) + len(pairs) // 100


def test_owners_are_doubtful_of_whose_own_texts_two_are_alike() -> None:
    texts = [" ".join(f"word{number * 100 + at}" for at in range(30)) for number in range(5)]
    places, owners = [0, 1, 2, 0, 3, 4, 4, 1, 2, 1], [7, 7, 7, 8, 8, 9, 9, 5, 5, 5]
    assert outlines(texts).doubtful(np.array(places), np.array(owners), 10) == {9, 5}
    assert outlines(texts).doubtful(np.array(places), np.array(owners), 2) == {9}
    assert outlines(texts).doubtful(np.array([], np.intp), np.array([], np.int64), 10) == set()


def test_an_outline_does_not_depend_on_what_is_drawn_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["", "Rain, rain: " * 9, "\x00 ÿ " * 20, "雨が降る。" * 9, "a-b_c " * 30, "the end"] * 3
    together = _plainly(outlines(texts))
    monkeypatch.setattr("lyra.core.outlines._BYTES_AT_ONCE", 10)
    assert _plainly(outlines(texts)) == together == [one for text in texts for one in _plainly(outlines([text]))]
    assert _plainly(outlines(texts[:4]).and_then(outlines(texts[4:]))) == together
    assert _plainly(outlines([])) == []


def _plainly(drawn: Outlines) -> list[tuple[list[int], float]]:
    return list(zip(drawn.bits.tolist(), drawn.least.tolist(), strict=True))


def test_a_short_text_is_like_none_not_even_itself() -> None:
    short = "one two three"
    assert not outlines([short]).alike(np.array([0]), np.array([0])).any()
    assert len(shingles(short)) < LEAST_SHINGLES


def test_groups_among_many_are_those_that_counting_finds() -> None:
    base = [" ".join(f"w{(number * 131 + at * 17) % 5003}" for at in range(45)) for number in range(60)]
    texts = [*base, *(text.replace(text.split()[5], "changed") for text in base[::3]), base[0].replace("w", "W"), "too short"]
    pairs = near_duplicates(texts)
    parent = list(range(len(texts)))
    for one, other in pairs:
        old, new = parent[other], parent[one]
        parent = [new if root == old else root for root in parent]
    expected = sorted([at for at in range(len(texts)) if parent[at] == root] for root in set(parent))
    assert near_duplicate_groups(texts) == sorted(group for group in expected if len(group) > 1)
    assert near_duplicate_groups([]) == near_duplicate_groups(["alone, quite alone"]) == []
