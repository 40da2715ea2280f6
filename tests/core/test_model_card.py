"""What a model's configuration says: its kind, its labels in any order and case, its window."""

from collections.abc import Callable
from itertools import permutations

import pytest

from lyra.core.errors import InvalidInput
from lyra.core.model_card import FIRST_TOKEN, MEAN, ModelCard, ModelFiles, Wanted, read_card
from lyra.core.records import Relation

MEANINGS = {"entailment": Relation.SUPPORTS, "neutral": Relation.NEUTRAL, "contradiction": Relation.REFUTES}


def card(
    outputs: tuple[str, ...] = tuple(MEANINGS),
    architecture: str = "DebertaV2ForSequenceClassification",
    wanted: Wanted | None = None,
    beside: dict[str, dict[str, object]] | None = None,
    config: dict[str, object] | None = None,
) -> ModelCard:
    """The card of a model; `beside` holds its `tokenizer` configuration and its `pooling`."""
    named = {str(number): name for number, name in enumerate(outputs)}
    stated = {"architectures": [architecture], "id2label": named, "max_position_embeddings": 512, **(config or {})}
    other, asked = beside or {}, wanted or Wanted()
    files = ModelFiles(stated, other.get("tokenizer", {}), other.get("pooling", {}), "pooling" in other)
    return read_card("some/model", files, asked.kind, asked.labels)


@pytest.mark.parametrize("order", list(permutations(MEANINGS)))
@pytest.mark.parametrize("spell", [str.lower, str.upper, str.title])
def test_the_three_labels_are_read_in_any_order_and_case(order: tuple[str, ...], spell: Callable[[str], str]) -> None:
    assert card(tuple(map(spell, order))).labels == tuple(MEANINGS[name] for name in order)


def test_labels_of_fact_checking_models_are_read_too() -> None:
    assert card(("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")).labels == tuple(Relation)


def test_outputs_without_names_are_refused_until_a_person_names_them() -> None:
    unnamed = ("LABEL_0", "LABEL_1", "LABEL_2")
    with pytest.raises(InvalidInput) as refusal:
        card(unnamed)
    assert refusal.value.code == "model_labels_unclear"
    assert "some/model" in str(refusal.value)
    named = card(unnamed, wanted=Wanted(labels=("contradiction", "neutral", "entailment")))
    assert named.labels == (Relation.REFUTES, Relation.NEUTRAL, Relation.SUPPORTS)


@pytest.mark.parametrize("labels", [("yes", "no", "maybe"), ("entailment", "neutral"), ("neutral",) * 3])
def test_names_that_are_not_the_three_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        card(wanted=Wanted(labels=labels))
    assert refusal.value.code == "model_labels_unclear"


@pytest.mark.parametrize(
    ("outputs", "architecture"),
    [
        (("POSITIVE", "NEGATIVE"), "DistilBertForSequenceClassification"),
        (("joy", "anger", "fear"), "BertForSequenceClassification"),
        (("entailment", "not_entailment"), "DebertaForSequenceClassification"),
        ((), "BertForTokenClassification"),
        ((), "LlamaForCausalLM"),
        ((), "BertForMaskedLM"),
        ((), "?"),
    ],
)
def test_a_model_for_something_else_is_refused_by_name(outputs: tuple[str, ...], architecture: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        card(outputs, architecture)
    assert refusal.value.code == "model_of_no_use"
    assert "some/model" in str(refusal.value)
    assert architecture in str(refusal.value)


@pytest.mark.parametrize("config", [{"architectures": None}, {"architectures": "BertModel"}, {"id2label": {"a": "b"}}])
def test_a_configuration_that_says_nothing_useful_is_refused(config: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        card(config=config)


def test_one_output_makes_a_re_ranker() -> None:
    assert card(("LABEL_0",)).kind == "reranker"


def test_a_plain_encoder_makes_an_embedder_and_so_does_a_sentence_model_of_any_architecture() -> None:
    assert card((), "BertModel") == ModelCard("embedder", 512)
    assert card((), "MPNetForMaskedLM", beside={"pooling": {"pooling_mode_mean_tokens": True}}).pooling == MEAN
    assert card((), "BertModel", beside={"pooling": {"pooling_mode_cls_token": True}}).pooling == FIRST_TOKEN
    with pytest.raises(InvalidInput, match="pooling_mode_max_tokens"):
        card((), "BertModel", beside={"pooling": {"pooling_mode_max_tokens": True}})


def test_the_wrong_kind_is_refused_with_the_right_one() -> None:
    with pytest.raises(InvalidInput) as refusal:
        card(wanted=Wanted(kind="reranker"))
    assert str(refusal.value).startswith("The model some/model works as stance, not as reranker")


@pytest.mark.parametrize(
    ("config", "tokenizer", "window"),
    [
        ({}, {}, 512),
        ({"max_position_embeddings": 8192}, {}, 512),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta"}, {}, 512),
        ({"max_position_embeddings": 130, "model_type": "roberta"}, {}, 128),
        ({}, {"model_max_length": 256}, 256),
        ({}, {"model_max_length": 1e30}, 512),
        ({"max_position_embeddings": "many"}, {"model_max_length": None}, 512),
        ({"max_position_embeddings": 1}, {}, 8),
    ],
)
def test_the_window_is_the_smallest_limit(config: dict[str, object], tokenizer: dict[str, object], window: int) -> None:
    assert card(beside={"tokenizer": tokenizer}, config=config).max_tokens == window
