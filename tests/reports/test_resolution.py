"""Which confidence a claim keeps, for every set of patterns and every value, against a second reading of the rules."""

from dataclasses import replace
from itertools import chain, combinations

import pytest

from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.model import Claim, Structured
from lyra.reports.resolution import Resolution, breaks_cap, resolve
from tests.reports.examples import advantage, connection, document, structured

KNOWLEDGE = shipped_knowledge()
CONFIDENCES = (10, 30, 50, 70, 90)


def power_set(names: str) -> list[tuple[str, ...]]:
    words = names.split()
    return list(chain.from_iterable(combinations(words, size) for size in range(len(words) + 1)))


def oracle(rejections: frozenset[str], matches: frozenset[str], confidence: int) -> tuple[int, bool]:
    """The rules, written from the tables once more: the corrected value, and whether it is below a floor that holds."""
    if "E" in rejections:
        value, ceiling = 10, 10
    elif rejections & {"B", "C", "D"}:
        value, ceiling = min(confidence, 30), 30
    elif rejections & {"A", "F", "G"}:
        value, ceiling = min(confidence, 50), 50
    else:
        value, ceiling = confidence, 100
    noted = False
    if "IV" in matches and ceiling >= 70:
        noted = value < 70
    if matches & {"I", "II", "III", "IV", "V"} - {"IV"} and ceiling >= 50:
        noted = noted or value < 50
    return value, noted


def resolved(confidence: int, rejections: tuple[str, ...], matches: tuple[str, ...]) -> tuple[Structured, Resolution]:
    patterns = {"pattern_rejections": list(rejections), "pattern_matches": list(matches)}
    data = structured(document(advantage(1, confidence, verification=patterns)))
    return data, resolve(data, data.claims[0], KNOWLEDGE)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_every_set_of_patterns_gives_what_the_tables_say(confidence: int) -> None:
    data = structured(document(advantage(1, confidence)))
    checked = 0
    for rejections in power_set("A B C D E F G"):
        for matches in power_set("I II III IV V"):
            claim = _with_patterns(data, rejections, matches)
            whole = _whole(data, claim)
            resolution = resolve(whole, claim, KNOWLEDGE)
            expected = oracle(frozenset(rejections), frozenset(matches), confidence)
            assert (resolution.confidence, resolution.below_floor) == expected, (rejections, matches)
            assert breaks_cap(whole, claim, KNOWLEDGE) == (expected[0] < confidence)
            assert resolution.confidence <= confidence
            checked += 1
    assert checked == 2**12


def _with_patterns(data: Structured, rejections: tuple[str, ...], matches: tuple[str, ...]) -> Claim:
    claim = data.claims[0]
    return replace(claim, verification=replace(claim.verification, pattern_rejections=rejections, pattern_matches=matches))


def _whole(data: Structured, claim: Claim) -> Structured:
    return replace(data, claims=(claim,))


def test_a_contradicted_claim_has_ten_whatever_its_patterns() -> None:
    for status in ({"verification": {"fact_check_status": "contradicted"}}, {"five_layer_evaluation": _rule_9_fails()}):
        data = structured(document(advantage(1, 90, **status)))
        resolution = resolve(data, data.claims[0], KNOWLEDGE)
        assert (resolution.after_facts, resolution.confidence, resolution.floor) == (10, 10, None)


def _rule_9_fails() -> dict[str, dict[str, str]]:
    return {"layer_1_prerequisite": {"rule_9_factual_accuracy": "fail"}}


@pytest.mark.parametrize(("fit", "value"), [("strong_fit", 90), ("weak_fit", 70), ("absent", 70), (None, 70)])
def test_ninety_needs_a_strong_fit(fit: str | None, value: int) -> None:
    block = {"layer_3_evidence": {"rule_11_industry_structure": fit}}
    data = structured(document(advantage(1, 90, five_layer_evaluation=block)))
    assert resolve(data, data.claims[0], KNOWLEDGE).confidence == value


def test_a_connection_may_have_ninety_and_is_capped_like_any_claim() -> None:
    data = structured(
        document(advantage(1, 50), connection(2, 90, 1), connection(3, 47, 1, verification={"pattern_rejections": ["D"]}))
    )
    assert [resolve(data, one, KNOWLEDGE).confidence for one in data.connections] == [90, 30]


def test_floors_above_the_cap_are_void_one_by_one() -> None:
    _, low = resolved(30, ("A",), ("I", "IV"))
    assert (low.cap, low.floor, low.below_floor) == (50, 50, True)
    _, void = resolved(30, ("B",), ("IV",))
    assert (void.floor, void.below_floor) == (None, False)
