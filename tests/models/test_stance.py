import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import ModelError
from lyra.core.records import Relation, Stance
from lyra.models.passages import MAX_SENTENCES
from lyra.models.shares import shares_of
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from tests.models.tiny import (
    CALIBRATION,
    PLAIN_WORDS,
    REFUTING,
    SUPPORTING,
    Outputs,
    TinyWeights,
    embedding_rows,
    write_graph,
)

LOGITS = st.floats(min_value=-80, max_value=80)


def some_pairs(count: int) -> list[tuple[str, str]]:
    rng = random.Random(3)
    words = [*PLAIN_WORDS, SUPPORTING, REFUTING, "."]
    return [(" ".join(rng.choices(words, k=rng.randint(0, 40))), " ".join(rng.choices(PLAIN_WORDS, k=8))) for _ in range(count)]


def test_the_words_of_the_fragment_decide(weights: Weights) -> None:
    stances = OnnxStance(weights).judge([(f"word1 {word}", "word2") for word in (SUPPORTING, REFUTING, "word3")])
    assert [stance.label for stance in stances] == [Relation.SUPPORTS, Relation.REFUTES, Relation.NEUTRAL]


def test_a_pair_gets_the_same_numbers_alone_and_among_fifty_others(weights: Weights) -> None:
    pairs = some_pairs(51)
    together = OnnxStance(weights, threads=3).judge(pairs)
    assert [OnnxStance(weights, threads=1).judge([pair])[0] for pair in pairs] == together


def test_stances_come_in_the_order_of_their_pairs(weights: Weights) -> None:
    pairs = some_pairs(40)
    judge = OnnxStance(weights, threads=2)
    assert judge.judge(pairs[::-1])[::-1] == judge.judge(pairs)


def test_no_pairs_load_nothing(tiny: TinyWeights, weights: Weights) -> None:
    (tiny.directory / "stance.onnx").unlink()
    judge = OnnxStance(weights)
    assert judge.info.calibration_version == "c1"
    assert judge.judge([]) == []


def test_missing_weights_are_said_when_they_are_needed(tiny: TinyWeights, weights: Weights) -> None:
    (tiny.directory / "stance.onnx").unlink()
    with pytest.raises(ModelError) as caught:
        OnnxStance(weights).judge([("word1", "word2")])
    assert caught.value.code == "weights_missing"


@given(LOGITS, LOGITS, LOGITS, st.floats(min_value=0.05, max_value=20))
def test_probabilities_sum_to_one_and_the_label_is_the_likeliest(a: float, b: float, c: float, temperature: float) -> None:
    logits = {Relation.SUPPORTS: a, Relation.REFUTES: b, Relation.NEUTRAL: c}
    stance = shares_of(logits, temperature).stance()
    likeliest = max(stance.supports, stance.refutes, stance.neutral)
    assert math.isclose(stance.supports + stance.refutes + stance.neutral, 1.0, abs_tol=1e-12)
    assert stance.raw == pytest.approx(
        math.exp(logits[stance.label] - max(a, b, c)) / sum(math.exp(x - max(a, b, c)) for x in (a, b, c))
    )
    assert stance.label is Relation.NEUTRAL or stance.nli_confidence == likeliest
    assert stance.label is not Relation.NEUTRAL or stance.neutral == likeliest or stance.supports == stance.refutes == likeliest


def test_the_likeliest_label_is_taken_however_unsure_it_is() -> None:
    logits = {Relation.SUPPORTS: 0.9, Relation.REFUTES: 0.5, Relation.NEUTRAL: 0.5}
    assert shares_of(logits, 1.0).stance().label is shares_of(logits, 0.25).stance().label is Relation.SUPPORTS
    assert shares_of(logits, 1.0).stance().supports < 0.5


def test_a_tie_takes_no_side() -> None:
    assert shares_of(dict.fromkeys(Relation, 1.5), 1.0).stance().label is Relation.NEUTRAL
    assert (
        shares_of({Relation.SUPPORTS: 2.0, Relation.REFUTES: 2.0, Relation.NEUTRAL: 0.0}, 1.0).stance().label is Relation.NEUTRAL
    )


def test_a_temperature_above_one_lowers_confidence() -> None:
    logits = {Relation.SUPPORTS: 2.0, Relation.REFUTES: 0.0, Relation.NEUTRAL: 0.0}
    assert shares_of(logits, 2.0).stance().supports == pytest.approx(math.e / (math.e + 2))
    assert shares_of(logits, 2.0).stance().raw == pytest.approx(math.e**2 / (math.e**2 + 2))


@pytest.mark.parametrize(
    ("claim", "temperature"),
    [("the word1 is word2", 2.0), ("日本語の主張です", 4.0), ("1234", 2.0), ("это слово", 2.0)],
)
def test_confidence_is_calibrated_for_the_language_of_the_claim(tiny: TinyWeights, claim: str, temperature: float) -> None:
    fragment = f"word1 word2 {SUPPORTING}"
    calibrated = OnnxStance(Weights(tiny.directory)).judge([(fragment, claim)])[0]
    tiny.stance(calibration={"version": "all", "temperature": {"en": temperature}})
    assert OnnxStance(Weights(tiny.directory)).judge([(fragment, claim)])[0] == calibrated
    assert calibrated.nli_confidence < calibrated.raw


def test_without_calibration_the_raw_probability_is_given(tiny: TinyWeights) -> None:
    tiny.stance(calibration=None)
    judge = OnnxStance(Weights(tiny.directory))
    stance = judge.judge([(f"word1 {SUPPORTING}", "word2")])[0]
    assert judge.info.calibration_version is None
    assert stance.nli_confidence == stance.raw


def test_the_sentence_that_decides_is_marked(weights: Weights) -> None:
    text = f"  Word1 word2 word3. Word4 {SUPPORTING} word5. Word6 word7.\n"
    stance = OnnxStance(weights).judge([(text, "word9")])[0]
    assert stance.label is Relation.SUPPORTS
    assert stance.decisive is not None
    assert text[slice(*stance.decisive)] == f"Word4 {SUPPORTING} word5."


def test_the_deciding_sentence_is_found_in_japanese(weights: Weights) -> None:
    text = "日本語の日本語。日本の否の否。語の語。"
    stance = OnnxStance(weights).judge([(text, "日本語")])[0]
    assert stance.label is Relation.REFUTES
    assert stance.decisive is not None
    assert text[slice(*stance.decisive)] == "日本の否の否。"


def test_no_sentence_decides_a_neutral_or_single_one(weights: Weights) -> None:
    pairs = [("Word1 word2. Word3 word4.", "word5"), (f"Word1 {REFUTING} word2.", "word5"), ("", "word5")]
    assert [stance.decisive for stance in OnnxStance(weights).judge(pairs)] == [None, None, None]


def test_of_equal_sentences_the_first_decides(weights: Weights) -> None:
    stance = OnnxStance(weights).judge([(f"Word1 {REFUTING}. Word1 {REFUTING}.", "word5")])[0]
    assert stance.decisive == (0, 13)


def test_a_text_of_a_million_sentences_is_judged_by_its_beginning(weights: Weights) -> None:
    text = f"Word1 {SUPPORTING}. " * 800_000
    stance = OnnxStance(weights, threads=1).judge([(text, "word2")])[0]
    assert len(text) > 10_000_000
    assert stance.label is Relation.SUPPORTS
    assert stance.decisive is not None
    assert 0 <= stance.decisive[0] < stance.decisive[1] <= MAX_SENTENCES * 15


def test_a_long_claim_leaves_room_for_the_fragment(weights: Weights) -> None:
    stance = OnnxStance(weights).judge([(f"{SUPPORTING} " * 20, "word2 " * 500_000)])[0]
    assert stance.label is Relation.SUPPORTS


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\x00", "\ud800", "[SEP]", "🙂", "ﷺ" * 500, "x" * 5000])
def test_any_text_can_be_judged(weights: Weights, text: str) -> None:
    for stance in OnnxStance(weights, threads=1).judge([(text, "word1"), ("word1", text), (text, text)]):
        assert math.isclose(stance.supports + stance.refutes + stance.neutral, 1.0, abs_tol=1e-12)


@pytest.mark.parametrize("text", ["", "  ", "…!?", "\u200b", "---"])
def test_a_text_without_words_says_nothing_and_is_told_nothing(tiny: TinyWeights, weights: Weights, text: str) -> None:
    said = f"word1 {SUPPORTING}"
    nothing = Stance(label=Relation.NEUTRAL, supports=0.0, refutes=0.0, neutral=1.0, raw=1.0)
    pairs = [(text, "word1"), (said, text), (f"{said}. {said}.", text), (text, text), (said, "word1")]
    *empty, spoken = OnnxStance(weights, threads=1).judge(pairs)
    assert empty == [nothing] * 4
    assert spoken.label is Relation.SUPPORTS


def test_the_order_of_the_labels_is_the_manifests(tiny: TinyWeights) -> None:
    tiny.stance(labels=["refutes", "supports", "neutral"])
    assert OnnxStance(Weights(tiny.directory)).judge([(SUPPORTING, "word1")])[0].label is Relation.REFUTES


@pytest.mark.parametrize("changes", [{"labels": ["yes", "no", "neutral"]}, {"labels": None}, {"labels": ["supports"] * 3}])
def test_labels_that_are_not_the_three_relations_break_the_manifest(tiny: TinyWeights, changes: dict[str, object]) -> None:
    tiny.stance(**changes)
    with pytest.raises(ModelError, match=r"models\.stance\.labels"):
        OnnxStance(Weights(tiny.directory)).judge([("word1", "word2")])


def test_a_calibration_without_english_breaks_the_manifest(tiny: TinyWeights) -> None:
    tiny.stance(calibration=CALIBRATION | {"temperature": {"ja": 2.0}})
    with pytest.raises(ModelError, match=r"models\.stance\.calibration"):
        OnnxStance(Weights(tiny.directory)).judge([("word1", "word2")])


def test_an_embedder_is_no_judge(tiny: TinyWeights) -> None:
    write_graph(tiny.directory / "stance.onnx", Outputs(embedding_rows()))
    tiny.stance()
    with pytest.raises(ModelError) as caught:
        OnnxStance(Weights(tiny.directory)).judge([("word1", "word2")])
    assert caught.value.code == "model_wrong_kind"
    assert "stance.onnx does not work as stance" in str(caught.value)
