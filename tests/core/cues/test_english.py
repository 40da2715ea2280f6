import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.cues.english import english_cues
from lyra.core.cues.english_words import kin, stem
from lyra.core.cues.names import CUES

YES, NO = 1.0, 0.0


@pytest.mark.parametrize(
    ("evidence", "claim", "cue", "value"),
    [
        # negation
        ("The ferry did not sail on Monday.", "The ferry sailed on Monday.", "negation_flip", YES),
        ("The ferry did not sail on Monday.", "The ferry never sailed on Monday.", "negation_flip", NO),
        ("He does n't sing.", "He sings.", "negation_flip", YES),
        ("The firm cannot deny that it sold the land.", "The firm sold the land.", "negation_flip", NO),
        ("Neither the cook nor the waiter saw the fire.", "The cook did not see the fire.", "negation_flip", NO),
        ("The crew failed to close the hatch.", "The crew closed the hatch.", "turned_once", YES),
        ("The bank failed in 1931.", "The bank failed in 1931.", "negation_evidence", NO),
        ("Not only the roof but also the cellar was wet.", "The roof was wet.", "negation_flip", NO),
        ("The cure is ineffective.", "The cure is effective.", "antonym", YES),
        ("The result was not impossible.", "The result was possible.", "negation_flip", NO),
        # direction
        ("The levy reduced traffic.", "The levy increased traffic.", "direction_opposed", YES),
        ("The levy reduced traffic.", "There was less traffic because of the levy.", "direction_same", YES),
        ("Rents went up in spring.", "Rents rose in spring.", "direction_same", YES),
        ("Exports to Peru grew while those to Chile shrank.", "Exports to Peru shrank.", "direction_opposed", YES),
        ("Exports to Peru grew while those to Chile shrank.", "Exports to Chile shrank.", "direction_opposed", NO),
        ("Wages fell more slowly in May.", "Wages fell faster in May.", "direction_opposed", YES),
        # comparison
        ("Zinc is lighter than lead.", "Lead is lighter than zinc.", "comparison_swapped", YES),
        ("Zinc is lighter than lead.", "Lead is heavier than zinc.", "turned_twice", YES),
        ("More girls than boys came.", "More boys than girls came.", "comparison_swapped", YES),
        ("Our team outperformed theirs in Rome.", "Our team did worse than theirs in Rome.", "direction_opposed", YES),
        ("The van is heavier than the car.", "The van is faster than the car.", "other_dimension", YES),
        ("Pills worked as well in women as in men.", "Pills worked equally in women and men.", "null_claim", YES),
        # numbers
        ("The mine employs 340 people.", "The mine employs 430 people.", "number_conflict", YES),
        ("The mine employs 340 people.", "The mine employs more than 300 people.", "number_same", YES),
        ("A quarter of the wells are dry.", "25 % of the wells are dry.", "number_same", YES),
        ("Three of the five judges agreed.", "60 % of the judges agreed.", "number_same", YES),
        ("Half of the 220 trees fell.", "110 trees fell.", "number_same", YES),
        ("The lift carries up to 8 people.", "The lift carries up to 20 people.", "number_conflict", YES),
        ("The rope is 27 metres long.", "The rope weighs 27 kilograms.", "number_same", NO),
        ("The mine employs many people.", "The mine employs 430 people.", "number_extra", YES),
        ("Two million people left.", "2,000,000 people left.", "number_same", YES),
        # time
        ("The inn was built in 1896.", "The inn was built in 1869.", "time_conflict", YES),
        ("Trams have run there since 1962.", "Trams ran there in 1980.", "number_same", YES),
        ("The mill still grinds corn.", "The mill no longer grinds corn.", "time_conflict", YES),
        ("He left before the vote.", "He left after the vote.", "turned_once", YES),
        ("The leave lasts six months.", "The leave lasts six weeks.", "time_conflict", YES),
        # certainty
        ("The paint may contain lead.", "The paint contains lead.", "hedge_gap", YES),
        ("The paint may contain lead.", "The paint possibly contains lead.", "hedge_gap", NO),
        ("The paint contains lead.", "It is proven that the paint contains lead.", "certain_claim", YES),
        ("The fair takes place in May.", "The fair takes place in May.", "hedge_claim", NO),
        # shares
        ("Some of the coins are false.", "All of the coins are false.", "quantifier_gap", YES),
        ("Some of the coins are false.", "None of the coins are false.", "quantifier_conflict", YES),
        ("All of the coins are false.", "Some of the coins are false.", "quantifier_same", YES),
        ("None of the bees survived.", "All of the bees died.", "turned_twice", YES),
        ("Three of the five judges agreed.", "Most of the judges agreed.", "quantifier_same", YES),
        # cause, population, roles, only
        ("Tea drinking was associated with better sleep.", "Tea drinking causes better sleep.", "cause_gap", YES),
        ("In a randomised trial tea improved sleep.", "Tea improves sleep.", "cause_gap", NO),
        ("The balm healed burns in rats.", "The balm healed burns in people.", "population_gap", YES),
        ("The club sued the agent.", "The agent sued the club.", "roles_swapped", YES),
        ("The club sued the agent.", "The agent was sued by the club.", "roles_swapped", NO),
        ("Anna sold the barn to Peter.", "Peter bought the barn from Anna.", "turned_once", NO),
        ("Goats eat the bark.", "Only goats eat the bark.", "only_claim", YES),
        # topic
        ("The pump moves water.", "The pump moves water.", "overlap", YES),
        ("Tin is mined there.", "Copper is mined there.", "sister", YES),
        ("Is the pump on?", "Is the pump on?", "question", YES),
    ],
)
def test_a_cue_reads_what_the_two_sentences_say(evidence: str, claim: str, cue: str, value: float) -> None:
    assert english_cues(evidence, claim)[cue] == pytest.approx(value)


@given(st.text(max_size=200), st.text(max_size=120))
def test_every_cue_is_a_number_between_nothing_and_one_for_any_text(evidence: str, claim: str) -> None:
    cues = english_cues(evidence, claim)
    assert tuple(cues) == CUES
    assert all(math.isfinite(value) and 0.0 <= value <= 1.0 for value in cues.values())


@given(
    st.lists(
        st.sampled_from("n't 's n’t not no 12 % of the half more than rise fell 1990 since a to cannot by was May all".split())
    )
)
def test_words_the_cues_go_by_in_any_order_do_no_harm(words: list[str]) -> None:
    text = " ".join(words)
    assert english_cues(text, text) == english_cues(text, text)
    assert all(0.0 <= value <= 1.0 for value in english_cues(text, text[::-1]).values())


def test_a_page_pasted_as_a_sentence_is_read_in_bounded_time() -> None:
    assert english_cues("the rate rose 12 % " * 200_000, "the rate fell")["direction_opposed"] in (NO, YES)


@pytest.mark.parametrize(
    "forms",
    ["reduce reduces reduced reducing", "rise rises rose risen rising", "carry carries carried", "stop stops stopped stopping"],
)
def test_the_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("left", "right", "related"),
    [("suppress", "suppression", True), ("farm", "farmer", True), ("car", "cart", False), ("moral", "mortal", False)],
)
def test_derived_words_are_kin_and_others_are_not(left: str, right: str, related: bool) -> None:
    assert kin(stem(left), stem(right)) is related
