"""Which model reads a pair."""

import pytest

from lyra.core.model_choice import choose_judge, judge_texts
from lyra.core.records import ModelInfo, Relation
from tests.fakes import KeywordStance

ENGLISH = ModelInfo("stance", "english", "1", None, ("en",))
JAPANESE = ModelInfo("stance", "japanese", "1", None, ("ja",))
BOTH = ModelInfo("stance", "both", "1", None, ("en", "ja"))
ANY = ModelInfo("stance", "any", "1")


@pytest.mark.parametrize(
    ("claim", "fragment", "chosen"),
    [
        ("en", "en", 0),
        ("ja", "ja", 1),
        ("ja", "en", 2),
        ("en", "ja", 2),
        ("en", "und", 0),
        ("und", "ja", 1),
        ("und", "und", None),
    ],
)
def test_the_first_model_that_reads_both_sides_judges(claim: str, fragment: str, chosen: int | None) -> None:
    assert choose_judge([ENGLISH, JAPANESE, BOTH], claim, fragment) == chosen


def test_a_pair_that_no_specialist_reads_is_left_to_the_general_judge() -> None:
    assert choose_judge([ENGLISH, JAPANESE], "ja", "en") is None
    assert choose_judge([], "en", "en") is None


def test_a_model_that_names_no_language_reads_every_one() -> None:
    assert choose_judge([JAPANESE, ANY], "de", "fr") == 1


class Reader(KeywordStance):
    def __init__(self, info: ModelInfo) -> None:
        super().__init__()
        self.info = info


def test_texts_of_several_languages_come_back_in_order_each_by_its_own_model() -> None:
    general, english, japanese = Reader(ANY), Reader(ENGLISH), Reader(JAPANESE)
    pairs = [
        ("猫は昼間に寝る。", "猫は昼間に寝る。"),
        ("Cats sleep.", "Cats sleep."),
        ("😀", "!"),
        ("Cats do not sleep.", "Cats sleep."),
        ("Cats sleep.", "猫は昼間に寝る。"),
    ]
    found = judge_texts(general, [english, japanese], pairs)
    assert [one.label for one in found[:4:3]] == [Relation.SUPPORTS, Relation.REFUTES]
    assert (japanese.judged, english.judged) == ([pairs[0]], [pairs[1], pairs[3]])
    assert general.judged == [pairs[2], pairs[4]]
    assert judge_texts(general, [english], []) == []
