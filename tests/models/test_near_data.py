"""What training takes for beside the point, and how the way from a claim to a label is scored."""

from collections.abc import Sequence

import numpy as np
import pytest

from lyra.core.fragments import MAX_TOKENS, estimate_tokens
from lyra.core.sentences import split_sentences
from training import whole_way
from training.near_data import Counts, Maker, joined
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair
from training.whole_way import Found, Held, outspoken

TOPICS = ("Rain fell on {}. The river rose.", "Bread was baked in {}. It was sold.", "A train left {}. It was late.")
PLACES = ("Ulm", "Bonn", "Trier", "Kiel", "Jena", "Hof", "Essen", "Celle")


class ByTopic:
    """Texts of one topic are near each other, but not the same."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), 3 + len(texts)))
        for number, text in enumerate(texts):
            topic = next(i for i, one in enumerate(TOPICS) if text.startswith(one.split()[0]))
            rows[number, topic], rows[number, 3 + number] = 0.8, 0.6
        return rows


def pairs() -> list[Pair]:
    texts = [(topic.format(place), place) for topic in TOPICS for place in PLACES]
    return [Pair(text, f"Something is known of {place} there.", REFUTES, "own-en_news") for text, place in texts]


def maker() -> Maker:
    return Maker(pairs(), ByTopic(), 7)  # type: ignore[arg-type]  # it embeds


def test_what_is_near_and_shares_no_claim_is_neutral() -> None:
    made = maker().make("en", "en", Counts(near=24, beside=0, among=0), "")
    known = {(pair.premise, pair.hypothesis) for pair in pairs()}
    assert len(made) == 24
    for pair in made:
        own = next(
            p.premise for p in pairs() if p.hypothesis == pair.hypothesis and p.premise.split()[0] == pair.premise.split()[0]
        )
        assert pair.label == NEUTRAL
        assert pair.premise != own
        assert (pair.premise, pair.hypothesis) not in known


def test_a_passage_beside_the_point_is_neutral_and_one_with_the_evidence_keeps_its_label() -> None:
    made = maker().make("en", "en", Counts(near=0, beside=24, among=24), "dev-")
    texts = {pair.hypothesis: {p.premise for p in pairs() if p.hypothesis == pair.hypothesis} for pair in made}
    assert {pair.source for pair in made} == {"dev-beside-en", "dev-among-en"}
    for pair in made:
        told = any(text in pair.premise for text in texts[pair.hypothesis])
        assert len(split_sentences(pair.premise)) > 3
        assert estimate_tokens(pair.premise) <= MAX_TOKENS
        assert (pair.label, told) == ((REFUTES, True) if pair.source == "dev-among-en" else (NEUTRAL, False))


def test_a_text_with_most_of_the_claims_words_is_passed_over() -> None:
    beside = maker().beside(Pair("Rain fell on Ulm. The river rose.", "Rain fell on a river that rose.", SUPPORTS, "own-en_news"))
    assert beside
    assert not [text for text in beside if text.startswith("Rain")]


def test_sentences_are_joined_as_their_language_does() -> None:
    assert joined(["It rains.", "It pours."]) == "It rains. It pours."
    assert joined(["雨が降る。", "川が増水した。"]) == "雨が降る。川が増水した。"


def test_the_way_from_a_claim_to_a_label_counts_what_was_not_found() -> None:
    found = [Found("c", gold, "t", ["t"], ["t"]) for gold in (SUPPORTS, REFUTES, NEUTRAL, NEUTRAL)]
    f1, precision, recall = whole_way.f1(Held(found, wanted=4), [SUPPORTS, SUPPORTS, REFUTES, NEUTRAL])
    assert precision == pytest.approx(1 / 3)
    assert recall == 0.25
    assert f1 == pytest.approx(2 / 7)


def test_a_side_counts_from_its_bound_on() -> None:
    narrow, wide = np.array([[0.1, 0.1, 0.8], [0.9, 0.05, 0.05]]), np.array([[0.3, 0.1, 0.6]])
    assert outspoken("narrow", 0.5)(narrow, wide) == SUPPORTS
    assert outspoken("wide", 0.0)(narrow, wide) == NEUTRAL
    assert outspoken("mean", 0.5)(narrow, wide) == SUPPORTS
    assert outspoken("mean", 0.7)(narrow, wide) == NEUTRAL
