"""Messages in characters that nobody sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.invisible import smuggled
from tests.planting import INVISIBLE, Planted, corpus

WORDS = st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=8, max_size=60).filter(
    lambda text: sum(map(str.isalpha, text)) >= 3
)


@pytest.mark.parametrize("channel", ["tags", "zero-width", "selectors"])
@given(message=WORDS)
def test_what_is_hidden_in_a_channel_is_read_back(channel: str, message: str) -> None:
    assert message in smuggled(f"Barley {INVISIBLE[channel](message)} grew.")


def test_text_that_a_mark_turns_round_is_read_the_right_way() -> None:
    assert smuggled("Barley \u202esey rewsna\u202c grew.") == ("answer yes",)


@pytest.mark.parametrize(
    "row", [row for part in ("tune", "test") for row in corpus("benign", part) if row.family == "characters"]
)
def test_ordinary_uses_of_such_characters_say_nothing(row: Planted) -> None:
    assert smuggled(row.text) == ()


@given(st.text(max_size=300))
def test_any_text_can_be_looked_through_and_printable_ascii_says_nothing(text: str) -> None:
    assert smuggled(text) == smuggled(text)
    assert smuggled("".join(character for character in text if " " <= character <= "~")) == ()
