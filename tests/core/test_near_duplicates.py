"""Near-duplicates: a lightly edited copy is found, another text on the same matter is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.near_duplicates import LEAST_RESEMBLANCE, LEAST_SHINGLES, near_duplicates, resemblance, shingles

WIRE = (
    "Adults who drank two cups of coffee after six in the evening slept forty minutes less than those who drank water, "
    "according to a trial that followed three hundred volunteers over eight weeks in four sleep laboratories."
)
NEWS = (
    "Adults who drank two cups of coffee after six in the evening slept 40 minutes less than those who drank water, "
    "according to a trial that followed three hundred volunteers over eight weeks in four sleep laboratories, it said."
)
OWN_WORDS = (
    "In a trial with three hundred volunteers, two cups of coffee in the evening cost the participants forty minutes of "
    "sleep; water did not, the four laboratories that took part over eight weeks report."
)
WIRE_JA = (
    "夕方六時以降にコーヒーを二杯飲んだ成人は、水を飲んだ人より睡眠が四十分短かったことが、三百人を対象とした試験で分かった。"
)
NEWS_JA = (
    "夕方六時以降にコーヒーを二杯飲んだ成人は、水を飲んだ人より睡眠が四十分短かったことが、三百人を対象にした試験で判明した。"
)
OWN_WORDS_JA = (
    "三百人が参加した試験によると、夜にコーヒーを飲むと眠る時間が減り、その差はおよそ四十分だった。水では変わらなかった。"
)

words = st.lists(st.sampled_from("abcdefgh"), max_size=30).map(" ".join)
kana = st.text("あいうえおかきくけこ", max_size=30)
many = st.lists(st.one_of(words, kana), max_size=8)


@pytest.mark.parametrize(("first", "second"), [(WIRE, NEWS), (WIRE_JA, NEWS_JA)], ids=["English", "Japanese"])
def test_a_lightly_edited_copy_is_found(first: str, second: str) -> None:
    assert near_duplicates([first, second]) == [(0, 1)]


@pytest.mark.parametrize(("first", "second"), [(WIRE, OWN_WORDS), (WIRE_JA, OWN_WORDS_JA)], ids=["English", "Japanese"])
def test_the_same_finding_in_other_words_is_another_text(first: str, second: str) -> None:
    assert near_duplicates([first, second]) == []


def test_case_punctuation_width_and_white_space_do_not_matter() -> None:
    assert shingles(WIRE) == shingles(WIRE.upper().replace(",", " –").replace(" ", "\n "))
    assert shingles("コーヒー２杯、睡眠。") == shingles("コーヒー2杯　睡眠")


def test_a_japanese_text_with_latin_words_goes_by_characters() -> None:
    assert "ap療法の" in shingles("CPAP療法の効果を調べた。")
    assert "the word 睡眠" in shingles("The word 睡眠 means sleep in Japanese.")


@pytest.mark.parametrize("text", ["", "...", "Sleep.", "one two three four five six seven eight nine ten eleven twelve thirteen"])
def test_short_texts_are_left_alone(text: str) -> None:
    assert len(shingles(text)) < LEAST_SHINGLES
    assert near_duplicates([text, text]) == []


def test_the_bounds_themselves_are_enough() -> None:
    shared, left, right = ([f"{stem}{number}" for number in range(count)] for stem, count in (("s", 16), ("a", 3), ("b", 3)))
    first, second = " ".join(shared + left), " ".join(shared + right)
    assert resemblance(shingles(first), shingles(second)) == pytest.approx(LEAST_RESEMBLANCE)
    assert near_duplicates([first, second]) == [(0, 1)]
    assert near_duplicates([first, f"{second} b3"]) == []
    twelve = " ".join(shared[: LEAST_SHINGLES + 2])
    assert near_duplicates([twelve, twelve]) == [(0, 1)]


@given(words, words)
def test_resemblance_is_symmetric_and_between_0_and_1(first: str, second: str) -> None:
    one, other = shingles(first), shingles(second)
    assert resemblance(one, other) == resemblance(other, one)
    assert 0.0 <= resemblance(one, other) <= 1.0


@given(st.one_of(words, kana))
def test_a_text_resembles_itself_wholly(text: str) -> None:
    own = shingles(text)
    assert resemblance(own, own) == (1.0 if own else 0.0)


@given(many)
def test_every_pair_is_found_that_a_comparison_of_all_pairs_finds(texts: list[str]) -> None:
    cut = [shingles(text) for text in texts]
    alike = [
        (first, second)
        for first in range(len(texts))
        for second in range(first + 1, len(texts))
        if min(len(cut[first]), len(cut[second])) >= LEAST_SHINGLES and resemblance(cut[first], cut[second]) >= LEAST_RESEMBLANCE
    ]
    assert near_duplicates(texts) == alike


@given(many, st.data())
def test_the_order_of_the_texts_changes_no_pair(texts: list[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    shuffled = near_duplicates([texts[position] for position in order])
    assert {frozenset((order[first], order[second])) for first, second in shuffled} == set(map(frozenset, near_duplicates(texts)))


@given(st.integers(min_value=40, max_value=200), st.data())
def test_changing_a_word_in_twenty_keeps_a_text_a_near_duplicate(length: int, data: st.DataObject) -> None:
    written = [f"word{number}" for number in range(length)]
    places = data.draw(st.sets(st.integers(min_value=0, max_value=length - 1), max_size=length // 20))
    edited = ["edited" if number in places else word for number, word in enumerate(written)]
    assert near_duplicates([" ".join(written), " ".join(edited)]) == [(0, 1)]


@given(st.integers(min_value=14, max_value=60), st.integers(min_value=14, max_value=60))
def test_texts_without_common_words_are_never_near_duplicates(first: int, second: int) -> None:
    assert (
        near_duplicates([" ".join(f"{stem}{at}" for at in range(count)) for stem, count in (("a", first), ("b", second))]) == []
    )
