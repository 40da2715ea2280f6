from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.cues.across import gloss
from lyra.core.cues.across_english import compared, denied, number, participle, past, present
from lyra.core.cues.across_words import lexicon, romanised
from lyra.core.cues.reading import ACROSS, JAPANESE, read


@pytest.mark.parametrize(
    ("claim", "english"),
    [
        ("運動は血圧を下げる。", "Exercise lowers blood pressure."),
        ("運動は血圧を下げない。", "Exercise does not lower blood pressure."),
        ("運動は血圧を下げなかった。", "Exercise did not lower blood pressure."),
        ("薬は高齢者の記憶力を改善した。", "Drug improved memory of older people."),
        ("緑茶は睡眠を改善する可能性がある。", "Green tea may improve sleep."),
        ("薬が子どもに効くかどうかは分かっていない。", "It is unclear whether drug is effective to children."),
        ("工場は1998年に閉鎖された。", "Factory was closed in 1998."),
        ("売上は2倍になった。", "Sales doubled."),
        ("すべての会社が賃金を上げたわけではない。", "Not all company raise wages."),
        ("患者の約4割が薬をやめた。", "About 40 % patients stopped drug."),
        ("女性は男性より昇進しにくかった。", "Women was less likely to be promoted than men."),
        ("翡翠色の蜻蛉が羽化する。", None),
        ("", None),
    ],
)
def test_a_claim_is_put_into_english_words(claim: str, english: str | None) -> None:
    assert gloss(claim) == english


def test_what_describes_a_noun_follows_it() -> None:
    assert "diet that reduced obesity" in (gloss("肥満を減らした食事は安い。") or "").lower()


def test_what_is_compared_stands_on_the_side_it_had() -> None:
    first, second = gloss("湿地は森林より大きい。"), gloss("森林は湿地より大きい。")
    assert (first, second) == ("Wetland is larger than forest.", "Forest is larger than wetland.")


def test_a_pair_across_languages_is_read_in_english_and_one_of_unknown_words_as_it_stands() -> None:
    assert read("Exercise lowered blood pressure.", "運動は血圧を下げた。").manner == ACROSS
    assert read("Exercise lowered blood pressure.", "翡翠色の蜻蛉が羽化する。").manner == JAPANESE


def test_the_lexicon_has_three_thousand_words_each_of_a_known_kind() -> None:
    entries = [word for words in lexicon().values() for word in words]
    assert len(entries) >= 3_000
    assert {word.kind for word in entries} == set("vsakdqn")
    assert all(word.text and word.english for word in entries)


def test_english_words_take_their_forms() -> None:
    assert [past("rise"), past("carry out"), past("stop")] == ["rose", "carried out", "stopped"]
    assert [participle("write"), participle("use")] == ["written", "used"]
    assert [present("be found"), present("study"), present("pass")] == ["is found", "studies", "passes"]
    assert [denied("be found", before=True), denied("can use", before=False)] == ["was not found", "can not use"]
    assert [compared("high"), compared("good"), compared("dangerous")] == ["higher", "better", "more dangerous"]


def test_numbers_and_names_are_written_as_english_text_does() -> None:
    assert [number(Fraction(3_000_000)), number(Fraction(26_000)), number(Fraction(3, 2))] == ["3 million", "26,000", "1.5"]
    assert romanised("ナポリ") == "Napori"


@given(
    st.text(st.sampled_from("はがをにでとのもない増減高低患者運動血圧下げた約3割人年、。ァアイウー不a\n"), max_size=60)
    | st.text(max_size=40)
)
def test_any_text_has_a_gloss_or_none(claim: str) -> None:
    found = gloss(claim)
    assert found is None or (found.endswith(".") and found == gloss(claim))
