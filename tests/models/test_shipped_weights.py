"""What the weights that are installed with the program must be able to do."""

import numpy as np
import pytest

from lyra.core.records import Relation
from lyra.models.embedder import OnnxEmbedder
from lyra.models.stance import OnnxStance
from lyra.models.weights import MANIFEST, Weights

pytestmark = pytest.mark.skipif(
    not (Weights().directory / MANIFEST).is_file(),
    reason="the trained weights are not in this tree (src/lyra/models/weights/manifest.json)",
)

SUPPORT = [
    (
        "In a randomised trial of 4,512 adults, daily aspirin reduced the risk of heart attack by 22 % compared with placebo.",
        "Aspirin lowers the risk of heart attack.",
    ),
    (
        "The survey found that the number of honey bee colonies fell by half between 1990 and 2010.",
        "Honey bee colonies declined.",
    ),
    ("Smoking is a major cause of lung cancer.", "Smoking causes lung cancer."),
    ("Students who slept eight hours scored higher on the memory test than those who slept five.", "Sleep improves memory."),
    ("Green tea lowered blood pressure.", "緑茶は血圧を下げる。"),
]
REFUTATION = [
    (
        "In a randomised trial of 4,512 adults, daily aspirin did not reduce the risk of heart attack compared with placebo.",
        "Aspirin lowers the risk of heart attack.",
    ),
    ("The number of honey bee colonies doubled between 1990 and 2010.", "Honey bee colonies declined."),
    ("We found no association between vaccination and autism in 650,000 children.", "Vaccination causes autism."),
    (
        "The drug increased mortality in patients with heart failure.",
        "The drug reduces mortality in patients with heart failure.",
    ),
]
ONE_WORD_DECIDES = [
    ("The mine employs 340 people.", "The mine employs 430 people.", Relation.REFUTES),
    ("Sales rose in May.", "Sales fell in May.", Relation.REFUTES),
    ("売上は三割増えた。", "売上は減った。", Relation.REFUTES),
]
DIFFERENT_THINGS = [
    ("The museum opens at nine and closes at five on weekdays.", "Aspirin lowers the risk of heart attack."),
    ("Basalt forms when lava cools quickly at the surface.", "Sleep improves memory."),
    ("The committee elected a new chair in March.", "Honey bee colonies declined."),
    ("Our method sorts one million integers in 80 milliseconds.", "Vaccination causes autism."),
]


@pytest.fixture(scope="module")
def judge() -> OnnxStance:
    return OnnxStance(Weights())


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(Weights())


@pytest.mark.parametrize("pair", SUPPORT)
def test_plain_support_is_seen(judge: OnnxStance, pair: tuple[str, str]) -> None:
    assert judge.judge([pair])[0].label is Relation.SUPPORTS


@pytest.mark.parametrize("pair", REFUTATION)
def test_plain_refutation_is_seen(judge: OnnxStance, pair: tuple[str, str]) -> None:
    assert judge.judge([pair])[0].label is Relation.REFUTES


@pytest.mark.parametrize(("fragment", "claim", "label"), ONE_WORD_DECIDES)
def test_one_word_that_decides_is_read(judge: OnnxStance, fragment: str, claim: str, label: Relation) -> None:
    assert judge.judge([(fragment, claim)])[0].label is label


@pytest.mark.parametrize("pair", DIFFERENT_THINGS)
def test_a_pair_about_different_things_is_neutral(judge: OnnxStance, pair: tuple[str, str]) -> None:
    assert judge.judge([pair])[0].label is Relation.NEUTRAL


def test_a_pair_gets_the_same_numbers_whatever_stands_beside_it(judge: OnnxStance) -> None:
    pairs = [SUPPORT[0], SUPPORT[-1], REFUTATION[-1], ONE_WORD_DECIDES[-1][:2], DIFFERENT_THINGS[0]]
    assert [judge.judge([pair])[0] for pair in pairs] == judge.judge(pairs) == judge.judge(pairs[::-1])[::-1]


def test_the_deciding_sentence_of_an_abstract_is_marked(judge: OnnxStance) -> None:
    fragment = " ".join(["The trial ran in six hospitals from 2001 to 2006.", REFUTATION[0][0], "Funding came from the state."])
    stance = judge.judge([(fragment, REFUTATION[0][1])])[0]
    assert stance.label is Relation.REFUTES
    assert stance.decisive is not None
    assert fragment[slice(*stance.decisive)] == REFUTATION[0][0]


@pytest.mark.parametrize(
    ("near", "text", "far"),
    [
        ("Aspirin and heart attacks", SUPPORT[0][0], DIFFERENT_THINGS[0][0]),
        ("decline of bees", SUPPORT[1][0], DIFFERENT_THINGS[1][0]),
        ("ミツバチの減少", "ミツバチの群れの数が半分に減った。", "美術館は平日の九時に開く。"),
    ],
)
def test_a_text_lies_nearer_to_its_subject_than_to_another(embedder: OnnxEmbedder, near: str, text: str, far: str) -> None:
    query, right, wrong = embedder.embed([near, text, far])
    assert float(query @ right) > float(query @ wrong)


def test_vectors_are_as_long_as_promised_and_repeatable(embedder: OnnxEmbedder) -> None:
    texts = [fragment for fragment, _ in (*SUPPORT, *DIFFERENT_THINGS)]
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimension)
    assert np.array_equal(vectors, np.concatenate([embedder.embed([text]) for text in texts]))
