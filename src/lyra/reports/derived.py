"""What follows from the records: contradiction, judgements, links, the summary. Nothing here is stored as truth."""

from collections.abc import Mapping
from fractions import Fraction

from lyra.reports.model import (
    JUDGEMENT_OF_RULE,
    LAYER_VALUES,
    Claim,
    ClaimType,
    FactCheck,
    ReportType,
    Structured,
    Summary,
    WarningFlags,
)
from lyra.reports.scale import RANKS, is_anomalous

RULE_FACTS, RULE_DIRECT, RULE_STRUCTURAL, RULE_INDUSTRY, RULE_SOURCE = 9, 5, 6, 11, 12
# Words that a rule's verdict uses for a judgement, beside the judgement's own.
_VERDICTS = {"pass": 0, "ok": 0, "fail": -1}
_OTHER_VERDICTS = {(4, "quantitative"): "present", (4, "qualitative"): "absent"}


def judgement_of(rule: int, verdict: str) -> str | None:
    """Return the judgement that a verdict of a rule stands for, if it says one plainly."""
    values, said = LAYER_VALUES[JUDGEMENT_OF_RULE[rule]], verdict.strip().lower()
    if said in values:
        return said
    if rule == RULE_SOURCE:  # neither source is better or worse in itself, so pass and fail say nothing of it
        return None
    return values[_VERDICTS[said]] if said in _VERDICTS else _OTHER_VERDICTS.get((rule, said))


def judgement(claim: Claim, rule: int) -> str | None:
    """Return what the five layers say under a rule; where they are silent, what the rule's result says; else None."""
    name = JUDGEMENT_OF_RULE[rule]
    value = claim.five_layer_evaluation.get(name) if claim.five_layer_evaluation else None
    if value is not None:
        return value
    result = claim.rule_evaluation.result_of(rule)
    return judgement_of(rule, result.verdict) if result else None


def layer_value(claim: Claim, rule: int) -> str | None:
    """Return what the five layers themselves say under a rule."""
    return claim.five_layer_evaluation.get(JUDGEMENT_OF_RULE[rule]) if claim.five_layer_evaluation else None


def _rule_9_fails(claim: Claim) -> bool:
    result = claim.rule_evaluation.result_of(RULE_FACTS)
    in_results = result is not None and judgement_of(RULE_FACTS, result.verdict) == "fail"
    return in_results or layer_value(claim, RULE_FACTS) == "fail"


def contradicting_facts(structured: Structured, claim: Claim) -> tuple[Claim, ...]:
    """Return the contradicted factual claims that support this claim or name it as affected, by id."""
    return tuple(
        fact
        for fact in structured.facts
        if fact_status(fact) is FactCheck.CONTRADICTED
        and (fact.id in claim.supported_by_facts or claim.id in fact.affected_claims)
    )


def fact_status(claim: Claim) -> FactCheck:
    """Return the fact check of a claim of any type; `not_checked` where nothing is said."""
    own = claim.verification_status if claim.claim_type is ClaimType.FACTUAL_CLAIM else None
    return own or claim.verification.fact_check_status or FactCheck.NOT_CHECKED


def is_contradicted(structured: Structured, claim: Claim) -> bool:
    """Return whether the facts speak against a claim: its own check, rule 9, or a contradicted fact it rests on."""
    return (
        claim.verification.fact_check_status is FactCheck.CONTRADICTED
        or _rule_9_fails(claim)
        or bool(contradicting_facts(structured, claim))
    )


def shown_status(structured: Structured, claim: Claim) -> FactCheck:
    """Return the fact check that a report shows for a claim."""
    return FactCheck.CONTRADICTED if is_contradicted(structured, claim) else fact_status(claim)


def has_strong_fit(claim: Claim) -> bool:
    """Return whether rule 11 allows 90: only a strong fit with the structure of the industry does."""
    return judgement(claim, RULE_INDUSTRY) == "strong_fit"


def is_quarterly(claim: Claim) -> bool:
    """Return whether a claim comes from a quarterly review, by its own field or by rule 12."""
    return ReportType.QUARTERLY in (claim.report_type_source, judgement(claim, RULE_SOURCE))


def source_of(structured: Structured, connection: Claim) -> int | None:
    """Return the id of the advantage that a CAGR connection rests on: what it names, else the first that names it."""
    if connection.source_advantage is not None:
        return connection.source_advantage
    return next((claim.id for claim in structured.advantages if connection.id in claim.cagr_connections), None)


def linked_connections(structured: Structured, advantage: Claim) -> tuple[Claim, ...]:
    """Return the CAGR connections that rest on an advantage, by id."""
    return tuple(one for one in structured.connections if source_of(structured, one) == advantage.id)


def section_connections(structured: Structured, advantage: Claim) -> tuple[Claim, ...]:
    """Return the CAGR connections that the section of an advantage shows: those it lists and those that name it, by id."""
    linked = {one.id for one in linked_connections(structured, advantage)}
    return tuple(one for one in structured.connections if one.id in advantage.cagr_connections or one.id in linked)


def dangling_ids(structured: Structured, claim: Claim) -> tuple[int, ...]:
    """Return the ids under `cagr_connections` and `source_advantage` that lead to no claim of the right type."""
    connections = {one.id for one in structured.connections}
    missing = [one for one in claim.cagr_connections if one not in connections]
    source = claim.source_advantage
    if source is not None and source not in {one.id for one in structured.advantages}:
        missing.append(source)
    return tuple(dict.fromkeys(missing))


def distribution(structured: Structured) -> Mapping[int, int]:
    """Return how many advantages have each value of the scale, from the highest down."""
    values = [claim.confidence for claim in structured.advantages]
    return {value: values.count(value) for value in RANKS}


def fact_counts(structured: Structured) -> Mapping[FactCheck, int]:
    """Return how many factual claims have each status."""
    statuses = [fact_status(fact) for fact in structured.facts]
    return {status: statuses.count(status) for status in FactCheck}


def summarise(structured: Structured) -> Summary:
    """Return the summary that the claims give."""
    values = [claim.confidence for claim in structured.advantages]
    counts = distribution(structured)
    scored = (*structured.advantages, *structured.connections)
    flags = WarningFlags(
        quarterly_derived_claims=sum(map(is_quarterly, scored)),
        overinterpretation_risks=sum(_is_risky(claim) for claim in scored),
        confidence_distribution_anomaly=any(is_anomalous(value, count, len(values)) for value, count in counts.items()),
        extra=structured.warning_flags_extra,
    )
    return Summary(
        total_claims=len(structured.claims),
        competitive_advantages=len(values),
        cagr_connections=len(structured.connections),
        factual_claims=len(structured.facts),
        average_ca_confidence=round(float(Fraction(sum(values), len(values))), 1) if values else None,
        confidence_distribution=counts,
        fact_check_summary=fact_counts(structured),
        warning_flags=flags,
        extra=structured.summary_extra,
    )


def _is_risky(claim: Claim) -> bool:
    layers = claim.five_layer_evaluation
    return layers is not None and layers.get("overinterpretation_risk") == "high"
