"""What nobody can see is taken out; nothing else is changed."""

from hypothesis import given
from hypothesis import strategies as st

from lyra.providers.cleaning import clean_line, clean_text


def test_line_ends_of_every_system_become_one() -> None:
    assert clean_text("a\r\nb\rc\u2028d\x0ce\x85f\u2029g") == "a\nb\nc\nd\ne\nf\n\ng"


def test_hidden_characters_are_removed() -> None:
    hidden = "\x00\u200b\u200d\u2060\ufeff\u00ad\u202e\u2066\U000e0041\ud800\x1b"
    assert clean_text(f"vita{hidden}min") == "vitamin"


def test_a_single_variation_selector_stays_and_a_run_of_them_goes() -> None:
    assert clean_text("葛\U000e0100城") == "葛\U000e0100城"
    assert clean_text("x\ufe01\ufe02\ufe03y") == "xy"


def test_text_is_not_normalised() -> None:
    text = "ｶﾞ ① ﬁ e\u0301　Ａ"
    assert clean_text(text) == text


@given(st.text())
def test_cleaning_twice_changes_nothing_and_the_result_can_be_stored(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert "\r" not in cleaned
    assert "\n" not in clean_line(text)
