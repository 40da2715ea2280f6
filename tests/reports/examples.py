"""Structured reports for tests: one that is consistent in every respect, and pieces to change it with."""

import copy
from typing import Any

from lyra.reports.model import Structured
from lyra.reports.reading import structured_from

Json = dict[str, Any]

LAYERS: Json = {
    "layer_1_prerequisite": {"rule_9_factual_accuracy": "pass", "rule_3_relative_advantage": "pass"},
    "layer_2_nature": {
        "rule_1_capability_vs_result": "capability",
        "rule_2_noun_test": "pass",
        "rule_8_strategy_vs_advantage": "advantage",
    },
    "layer_3_evidence": {
        "rule_4_quantitative": "present",
        "rule_7_pure_competitor": "present",
        "rule_10_negative_case": "present",
        "rule_11_industry_structure": "strong_fit",
    },
    "layer_4_cagr": {
        "rule_5_directness": "direct",
        "rule_6_structural_vs_complementary": "structural",
        "verifiability": "high",
    },
    "layer_5_source": {"rule_12_source_type": "initial", "overinterpretation_risk": "low"},
}


def advantage(claim_id: int, confidence: int, **changes: Any) -> Json:
    """An advantage on which everything agrees."""
    claim: Json = {
        "id": claim_id,
        "claim_type": "competitive_advantage",
        "claim": f"密な配送網による即日納品の仕組み その{claim_id}",
        "descriptive_label": f"配送網{claim_id}",
        "evidence_from_report": "拠点は30か所。\n平均納期は4時間。",
        "report_type_source": "initial",
        "rule_evaluation": {
            "applied_rules": ["rule_4", "rule_11"],
            "results": [{"rule": "rule_4", "verdict": "present", "reasoning": "納期の数値がある"}],
            "confidence": confidence,
        },
        "verification": {
            "fact_check_status": "verified",
            "pattern_matches": [],
            "pattern_rejections": [],
            "final_confidence": confidence,
            "confidence_delta": 0,
        },
        "five_layer_evaluation": copy.deepcopy(LAYERS),
    }
    return merged(claim, changes)


def connection(claim_id: int, confidence: int, source: int, **changes: Any) -> Json:
    """A CAGR connection on which everything agrees."""
    claim: Json = {
        "id": claim_id,
        "claim_type": "cagr_connection",
        "claim": f"納期短縮から客数増を経た売上成長 その{claim_id}",
        "descriptive_label": f"納期から客数{claim_id}",
        "source_advantage": source,
        "parameters": [
            {"name": f"売上成長寄与{claim_id}", "contribution": "+2%", "confidence": confidence, "comment": "客数の実績がある。"}
        ],
        "rule_evaluation": {
            "results": [{"rule": "rule_6", "verdict": "structural", "reasoning": "拠点網は構造的"}],
            "confidence": confidence,
        },
    }
    return merged(claim, changes)


def fact(claim_id: int, status: str = "verified", **changes: Any) -> Json:
    """A factual claim."""
    claim: Json = {"id": claim_id, "claim_type": "factual_claim", "claim": f"拠点数は{claim_id}0か所"}
    claim["verification_status"] = status
    return merged(claim, changes)


def merged(value: Json, changes: Json) -> Json:
    """A copy with changes put in; nested objects are merged, None removes a field."""
    result = copy.deepcopy(value)
    for name, change in changes.items():
        if isinstance(change, dict) and isinstance(result.get(name), dict):
            result[name] = merged(result[name], change)
        elif change is None:
            result.pop(name, None)
        else:
            result[name] = change
    return result


def document(*claims: Json, **changes: Any) -> Json:
    """A whole structured.json."""
    top: Json = {
        "ticker": "NORTH",
        "company_name": "ノース物流（架空）",
        "research_id": "research-1",
        "report_source": "架空のアナリストレポート",
        "kb_version": "v1.0.0",
        "generated_at": "2026-02-17T10:00:00Z",
        "claims": list(claims),
    }
    return merged(top, changes)


def consistent() -> Json:
    """Five advantages, three connections and four facts that break no check."""
    return document(
        advantage(1, 90, cagr_connections=[11], supported_by_facts=[21], verification={"pattern_matches": ["IV"]}),
        advantage(2, 70, cagr_connections=[12, 13], supported_by_facts=[22], verification={"pattern_matches": ["I"]}),
        advantage(3, 50, verification={"pattern_rejections": ["A"]}),
        advantage(
            4,
            30,
            report_type_source="quarterly",
            five_layer_evaluation={"layer_5_source": {"rule_12_source_type": "quarterly", "overinterpretation_risk": "high"}},
            verification={"pattern_rejections": ["B"], "pattern_matches": ["I"]},
        ),
        advantage(5, 10, supported_by_facts=[23], verification={"fact_check_status": "contradicted"}),
        connection(11, 80, 1),
        connection(12, 60, 2),
        connection(13, 50, 2),
        fact(21),
        fact(22, "unverifiable"),
        fact(23, "contradicted", affected_claims=[5]),
        fact(24, "not_checked"),
    )


def structured(value: Json) -> Structured:
    """The records of a value."""
    return structured_from(value).structured
