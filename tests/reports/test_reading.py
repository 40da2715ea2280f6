"""structured.json: read tolerantly with a list of assumptions, refused with path and expectation, written in one way."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from lyra.core.errors import InvalidInput
from lyra.reports.derived import contradicting_facts, is_contradicted, is_quarterly, judgement, source_of, summarise
from lyra.reports.model import ClaimType, FactCheck
from lyra.reports.reading import read_structured, structured_from
from lyra.reports.validation import problems
from lyra.reports.writing import structured_json, structured_text
from tests.reports.examples import Json, advantage, connection, consistent, document, fact, structured
from tests.reports.strategies import any_report


def assumed(value: Json) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in structured_from(value).assumptions]


def test_a_file_in_the_usual_shape_needs_no_assumption() -> None:
    assert structured_from(consistent()).assumptions == ()


def test_writing_and_reading_again_gives_the_same_records_and_bytes() -> None:
    first = structured(consistent())
    text = structured_text(first)
    again = read_structured(text.encode(), "structured.json")
    assert (again.structured, again.assumptions) == (first, ())
    assert structured_text(again.structured) == text
    assert problems(json.loads(text), "structured") == []


@settings(max_examples=30, deadline=None)
@given(any_report())
def test_whatever_can_be_read_is_written_validly_and_reads_the_same(value: Json) -> None:
    first = structured_from(value).structured
    written = structured_json(first)
    assert problems(written, "structured") == []
    assert structured_from(json.loads(json.dumps(written))).structured == first


def test_unknown_fields_are_kept_wherever_they_stand() -> None:
    value = consistent()
    value["own"], value["claims"][0]["own"] = {"a": [1, None]}, None
    value["claims"][0]["verification"]["own"] = 1.5
    value["claims"][0]["rule_evaluation"]["results"][0]["own"] = "x"
    value["claims"][0]["five_layer_evaluation"]["layer_1_prerequisite"]["own"] = True
    value["claims"][0]["five_layer_evaluation"]["layer_9"] = {}
    value["claims"][5]["parameters"][0]["own"] = []
    value["summary"] = {"own": 1, "warning_flags": {"own": 2}}
    written: Any = structured_json(structured(value))
    claim = written["claims"][0]
    assert (written["own"], claim["own"], claim["verification"]["own"]) == ({"a": [1, None]}, None, 1.5)
    assert claim["rule_evaluation"]["results"][0]["own"] == "x"
    assert claim["five_layer_evaluation"]["layer_1_prerequisite"]["own"] is True
    assert claim["five_layer_evaluation"]["layer_9"] == {}
    assert written["claims"][5]["parameters"][0]["own"] == []
    assert (written["summary"]["own"], written["summary"]["warning_flags"]["own"]) == (1, 2)


def test_a_flat_claim_is_read_and_every_step_listed() -> None:
    value = {
        "symbol": "NORTH",
        "claims": [
            {
                "claim_id": "#1",
                "title": "配送網",
                "final_confidence": 70,
                "label": "おおむね納得",
                "fact_check_status": "Verified",
                "rule_summary": {
                    "rule01": "PASS（仕組み）",
                    "rule09": "N/A（なし）",
                    "ルール11": {"result": "PASS", "comment": "合致"},
                },
                "pattern_matches": "パターンIV: 構造",
                "supported_by_facts": 3,
            },
            {"id": 2, "claim": "成長", "source_advantage": "C1", "confidence": {"score": 60}},
        ],
        "factual_claims": [{"id": "NORTH-FACT-003", "claim": "拠点数", "verification_status": "refuted"}],
    }
    reading = structured_from(value)
    first, second, third = reading.structured.claims
    assert (first.id, first.claim, first.confidence, first.claim_type) == (1, "配送網", 70, ClaimType.COMPETITIVE_ADVANTAGE)
    assert [(one.rule, one.verdict, one.reasoning) for one in first.rule_evaluation.results] == [
        (1, "PASS", "仕組み"),
        (11, "PASS", "合致"),
    ]
    assert (first.verification.pattern_matches, first.supported_by_facts) == (("IV",), (3,))
    assert first.verification.fact_check_status is FactCheck.VERIFIED
    assert (second.claim_type, second.source_advantage, second.confidence) == (ClaimType.CAGR_CONNECTION, 1, 60)
    assert (third.id, third.verification_status) == (3, FactCheck.CONTRADICTED)
    said = {(one.code, one.path) for one in reading.assumptions}
    assert {
        ("field_name", "symbol"),
        ("field_name", "claims[0].claim_id"),
        ("id", "claims[0].id"),
        ("field_place", "claims[0].final_confidence"),
        ("pattern", "claims[0].verification.pattern_matches[0]"),
        ("list", "claims[0].supported_by_facts"),
        ("left_out", "claims[0].rule_evaluation.rule09"),
        ("claim_type", "claims[1]"),
        ("claim_list", "factual_claims"),
        ("value", "claims[2].verification_status"),
    } <= said


def test_flat_layers_and_words_for_nothing_are_read() -> None:
    layers = {"rule_2_noun_test": "FAIL", "layer_3_evidence": {"rule_4_quantitative": "N/A", "rule_7_pure_competitor": None}}
    value = document(advantage(1, 50, five_layer_evaluation=None))
    value["claims"][0]["five_layer_evaluation"] = layers
    claim = structured(value).claims[0]
    assert claim.five_layer_evaluation and dict(claim.five_layer_evaluation.values) == {"rule_2_noun_test": "fail"}
    assert ("not_evaluated", "claims[0].five_layer_evaluation.layer_3_evidence.rule_4_quantitative") in assumed(value)
    assert structured(document(advantage(1, 50, five_layer_evaluation=None))).claims[0].five_layer_evaluation is None


def test_figures_that_do_not_follow_from_the_claims_are_named_and_computed() -> None:
    value = consistent()
    value["summary"] = {"total_claims": 99, "confidence_distribution": {"90": 4}, "average_ca_confidence": 50}
    value["claims"][0]["verification"]["confidence_delta"] = -20
    assert assumed(value) == [
        ("figure", "summary.total_claims"),
        ("figure", "summary.confidence_distribution"),
        ("figure", "claims[0].verification.confidence_delta"),
    ]
    written: Any = structured_json(structured(value))
    assert written["summary"]["total_claims"] == 12
    assert written["claims"][0]["verification"]["confidence_delta"] == 0


def test_half_characters_are_replaced() -> None:
    reading = read_structured(
        b'{"ticker": "N", "claims": [{"id": 1, "claim_type": "factual_claim", "claim": "x\\ud800"}]}', "structured.json"
    )
    assert reading.structured.claims[0].claim == "x\ufffd"
    assert [one.code for one in reading.assumptions] == ["character"]


def claim_with(**changes: object) -> Json:
    return document(advantage(1, 50, **changes))


BAD: dict[str, tuple[Json, str, dict[str, object]]] = {
    "confidence 85": (
        claim_with(rule_evaluation={"confidence": 85}),
        "report_confidence_off_scale",
        {"where": "claims[0].rule_evaluation.confidence", "found": "85"},
    ),
    "confidence as text": (
        claim_with(verification={"final_confidence": "70%"}),
        "report_confidence_off_scale",
        {"where": "claims[0].verification.final_confidence", "found": '"70%"'},
    ),
    "connection at 95": (document(connection(2, 95, 1)), "report_confidence_off_scale", {"found": "95"}),
    "connection at 50.5": (
        document(connection(2, 50, 1, rule_evaluation={"confidence": 50.5})),
        "report_confidence_off_scale",
        {"found": "50.5"},
    ),
    "no confidence": (
        claim_with(rule_evaluation={"confidence": None}, verification={"final_confidence": None}),
        "report_confidence_missing",
        {"where": "claims[0]"},
    ),
    "ids that repeat": (
        document(advantage(1, 50), fact(1)),
        "report_id_repeated",
        {"where": "claims[1].id", "first": "claims[0]"},
    ),
    "no claims": (document(), "report_no_claims", {}),
    "claims gone": ({"ticker": "N"}, "report_field_missing", {"field": "claims"}),
    "no ticker": (document(advantage(1, 50), ticker=None), "report_field_missing", {"where": "$", "field": "ticker"}),
    "empty claim": (claim_with(claim=" \n"), "report_text_empty", {"where": "claims[0].claim"}),
    "unknown type": (claim_with(claim_type="opinion"), "report_value_unknown", {"where": "claims[0].claim_type"}),
    "unknown judgement": (
        claim_with(five_layer_evaluation={"layer_2_nature": {"rule_2_noun_test": "maybe"}}),
        "report_value_unknown",
        {"where": "claims[0].five_layer_evaluation.layer_2_nature.rule_2_noun_test", "expected": "pass, fail"},
    ),
    "rule 13": (
        claim_with(rule_evaluation={"results": [{"rule": "rule_13", "verdict": "pass"}]}),
        "report_value_unknown",
        {"expected": "rule_1, …, rule_12"},
    ),
    "claims as text": (document(claims="none"), "report_wrong_type", {"where": "claims", "expected": "array"}),
    "text as number": (claim_with(claim=7), "report_wrong_type", {"where": "claims[0].claim", "expected": "string"}),
    "id of ten digits": (claim_with(id=1234567890), "report_value_unknown", {"where": "claims[0].id", "expected": "≤ 999999999"}),
    "id as word": (claim_with(id="first"), "report_wrong_type", {"where": "claims[0].id", "expected": "integer"}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_with_its_place_and_what_was_expected(name: str) -> None:
    value, code, told = BAD[name]
    with pytest.raises(InvalidInput) as refusal:
        read_structured(json.dumps(value).encode(), "in.json")
    assert refusal.value.code == code
    assert {key: refusal.value.params[key] for key in told} == told
    for lang in ("en", "ja"):
        sentence = refusal.value.sentence(lang)
        assert sentence.startswith("in.json") and "{" not in sentence


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe", "report_not_utf8"),
        (b"", "broken_json"),
        (b"{", "broken_json"),
        (b'{"a": 1, "a": 2}', "broken_json"),
        (b'{"a": NaN}', "broken_json"),
        (b'{"a": 1e999}', "broken_json"),
        (b"[" * 100_000, "broken_json"),
        (b"[]", "report_wrong_type"),
        (b"1" * 5000, "broken_json"),
    ],
)
def test_what_is_no_json_object_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_structured(data, "in.json")
    assert refusal.value.code == code


def test_a_byte_order_mark_is_read_over() -> None:
    assert read_structured(b"\xef\xbb\xbf" + json.dumps(consistent()).encode(), "x").structured.ticker == "NORTH"


# What follows from the records


def test_a_claim_is_contradicted_by_its_check_by_rule_9_or_by_a_fact() -> None:
    rule_9 = {"results": [{"rule": "rule_9", "verdict": "fail", "reasoning": "誤り"}]}
    value = document(
        advantage(1, 50),
        advantage(2, 50, verification={"fact_check_status": "contradicted"}),
        advantage(3, 50, five_layer_evaluation={"layer_1_prerequisite": {"rule_9_factual_accuracy": "fail"}}),
        advantage(4, 50, rule_evaluation=rule_9),
        advantage(5, 50, supported_by_facts=[21]),
        advantage(6, 50),
        fact(21, "contradicted", affected_claims=[6, 8]),
        fact(22),
        advantage(7, 50, supported_by_facts=[22, 99]),
        connection(8, 60, 1),
    )
    data = structured(value)
    assert [claim.id for claim in (*data.advantages, *data.connections) if is_contradicted(data, claim)] == [2, 3, 4, 5, 6, 8]
    affected = data.claim(6)
    assert affected and [one.id for one in contradicting_facts(data, affected)] == [21]


def test_missing_layers_are_read_from_the_results_and_never_guessed() -> None:
    rules = [("rule_1", "fail"), ("rule_4", "quantitative"), ("rule_11", "PASS"), ("rule_12", "quarterly"), ("rule_8", "PARTIAL")]
    results = [{"rule": rule, "verdict": verdict, "reasoning": ""} for rule, verdict in rules]
    claim = structured(document(advantage(1, 50, five_layer_evaluation=None, rule_evaluation={"results": results}))).claims[0]
    said = {rule: judgement(claim, rule) for rule in range(1, 13)}
    told = {1: "result", 4: "present", 11: "strong_fit", 12: "quarterly"}
    assert said == {rule: told.get(rule) for rule in range(1, 13)}
    assert is_quarterly(claim)


def test_a_connection_without_a_source_belongs_to_whoever_names_it() -> None:
    orphan = connection(3, 60, 1)
    del orphan["source_advantage"]
    data = structured(document(advantage(1, 50), advantage(2, 50, cagr_connections=[3]), orphan))
    assert source_of(data, data.connections[0]) == 2


def test_the_summary_counts_what_the_claims_say() -> None:
    summary = summarise(structured(consistent()))
    assert (summary.total_claims, summary.competitive_advantages, summary.cagr_connections, summary.factual_claims) == (
        12,
        5,
        3,
        4,
    )
    assert summary.average_ca_confidence == 50.0
    assert dict(summary.confidence_distribution) == {90: 1, 70: 1, 50: 1, 30: 1, 10: 1}
    flags = summary.warning_flags
    assert (flags.quarterly_derived_claims, flags.overinterpretation_risks, flags.confidence_distribution_anomaly) == (1, 1, True)


@pytest.mark.parametrize(
    ("counts", "anomaly"),
    [
        ({90: 1, 70: 5, 50: 7, 30: 5, 10: 1}, False),
        ({90: 0, 70: 4, 50: 10, 30: 5, 10: 1}, True),  # 50 % is exactly 15 points above 35 %
        ({90: 0, 70: 6, 50: 9, 30: 4, 10: 1}, False),
    ],
)
def test_fifteen_points_from_the_base_rate_are_an_anomaly_on_the_unrounded_share(counts: dict[int, int], anomaly: bool) -> None:
    values = [value for value, count in counts.items() for _ in range(count)]
    data = structured(document(*(advantage(number, value) for number, value in enumerate(values, start=1))))
    assert summarise(data).warning_flags.confidence_distribution_anomaly is anomaly
