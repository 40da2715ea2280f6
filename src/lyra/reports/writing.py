"""Records as `structured.json`: one shape, fixed order, figures computed, unknown fields kept."""

from lyra.reports.derived import summarise
from lyra.reports.json_text import write_json_text
from lyra.reports.model import LAYERS, Claim, FiveLayers, Parameter, RuleEvaluation, Structured, Summary, Verification

Json = dict[str, object]


def structured_text(structured: Structured) -> str:
    """Return the file's text: the same for the same records, byte for byte, and valid against the schema."""
    return write_json_text(structured_json(structured))


def structured_json(structured: Structured) -> Json:
    """Return a `structured.json` as JSON-ready values. The summary and every `confidence_delta` follow from the claims."""
    return {
        "ticker": structured.ticker,
        **_filled(
            company_name=structured.company_name,
            research_id=structured.research_id,
            report_source=structured.report_source,
            kb_version=structured.kb_version,
            generated_at=structured.generated_at,
            extraction_metadata=dict(structured.extraction_metadata),
            cagr_assessment=structured.cagr_assessment,
            warning_assessment=structured.warning_assessment,
        ),
        "claims": [_claim(claim) for claim in structured.claims],
        "summary": summary_json(summarise(structured)),
        **structured.extra,
    }


def summary_json(summary: Summary) -> Json:
    """Return the summary as JSON-ready values."""
    flags = summary.warning_flags
    return {
        "total_claims": summary.total_claims,
        "competitive_advantages": summary.competitive_advantages,
        "cagr_connections": summary.cagr_connections,
        "factual_claims": summary.factual_claims,
        "average_ca_confidence": summary.average_ca_confidence,
        "confidence_distribution": {str(value): count for value, count in summary.confidence_distribution.items()},
        "fact_check_summary": {status.value: count for status, count in summary.fact_check_summary.items()},
        "warning_flags": {
            "quarterly_derived_claims": flags.quarterly_derived_claims,
            "overinterpretation_risks": flags.overinterpretation_risks,
            "confidence_distribution_anomaly": flags.confidence_distribution_anomaly,
            **flags.extra,
        },
        **summary.extra,
    }


def _filled(**fields: object) -> Json:
    """Leave out what is empty: an absent field says the same, and a file does not grow by reading and writing."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _claim(claim: Claim) -> Json:
    layers = claim.five_layer_evaluation
    return {
        "id": claim.id,
        "claim_type": claim.claim_type.value,
        "claim": claim.claim,
        **_filled(
            descriptive_label=claim.descriptive_label,
            evidence_from_report=claim.evidence_from_report,
            report_type_source=claim.report_type_source and claim.report_type_source.value,
            supported_by_facts=list(claim.supported_by_facts),
            cagr_connections=list(claim.cagr_connections),
            source_advantage=claim.source_advantage,
            parameters=[_parameter(one) for one in claim.parameters],
            rule_evaluation=_rule_evaluation(claim.rule_evaluation),
            verification=_verification(claim),
            five_layer_evaluation=_layers(layers) if layers else None,
            ai_comment=claim.ai_comment,
            verification_status=claim.verification_status and claim.verification_status.value,
            verification_attempted=list(claim.verification_attempted),
            affected_claims=list(claim.affected_claims),
        ),
        **claim.extra,
    }


def _parameter(parameter: Parameter) -> Json:
    optional = _filled(contribution=parameter.contribution, confidence=parameter.confidence, comment=parameter.comment)
    return {"name": parameter.name, **optional, **parameter.extra}


def _rule_evaluation(evaluation: RuleEvaluation) -> Json:
    if evaluation == RuleEvaluation():
        return {}
    results = [
        {"rule": f"rule_{result.rule}", "verdict": result.verdict, "reasoning": result.reasoning, **result.extra}
        for result in evaluation.results
    ]
    return {
        "applied_rules": [f"rule_{rule}" for rule in evaluation.applied_rules],
        "results": results,
        **_filled(confidence=evaluation.confidence),
        "confidence_adjustments": list(evaluation.confidence_adjustments),
        **_filled(overall_reasoning=evaluation.overall_reasoning),
        **evaluation.extra,
    }


def _verification(claim: Claim) -> Json:
    verification = claim.verification
    if verification == Verification():
        return {}
    before, after = claim.rule_evaluation.confidence, verification.final_confidence
    delta = verification.confidence_delta if before is None or after is None else after - before
    return {
        **_filled(fact_check_status=verification.fact_check_status and verification.fact_check_status.value),
        "pattern_matches": list(verification.pattern_matches),
        "pattern_rejections": list(verification.pattern_rejections),
        **_filled(final_confidence=after),
        **({} if delta is None else {"confidence_delta": delta}),
        **_filled(details=verification.details, evidence=list(verification.evidence)),
        **verification.extra,
    }


def _layers(layers: FiveLayers) -> Json:
    written: Json = {}
    for layer, judgements in LAYERS.items():
        block: Json = {name: layers.values[name] for name in judgements if name in layers.values}
        extra = layers.extra.get(layer)
        if block or extra:
            written[layer] = {**block, **(extra if isinstance(extra, dict) else {})}
    return {**written, **{name: value for name, value in layers.extra.items() if name not in LAYERS}}
