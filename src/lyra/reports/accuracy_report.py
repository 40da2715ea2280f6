"""`accuracy-report.json`: both modes on one set of records."""

from dataclasses import dataclass
from fractions import Fraction

from lyra.reports.accuracy import Block, Comparison, FailureReason, Verdict, judge
from lyra.reports.human import HumanEvaluation, HumanScore
from lyra.reports.knowledge import Knowledge
from lyra.reports.leakage import HeldOut, Revalued, hold_out, without_leakage
from lyra.reports.matching import NO_OVERRIDES, Matching, Overrides, match_advantages, match_connections
from lyra.reports.model import Claim, Structured
from lyra.reports.simplified import Simplified, simplified_checks
from lyra.reports.suggestions import deviation_analysis, suggestions

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class HumanSource:
    """A person's scores, the name of the file they come from, and the pairs set by hand."""

    evaluation: HumanEvaluation
    name: str
    overrides: Overrides = NO_OVERRIDES
    overrides_name: str = ""


@dataclass(frozen=True, slots=True)
class Full:
    """The comparison with a person."""

    source: HumanSource
    advantages: Matching
    connections: Matching
    verdict: Verdict
    held_out: HeldOut
    revalued: tuple[Revalued, ...]
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The whole result; full mode decides where there is one."""

    structured: Structured
    generated_at: str
    full: Full | None
    simplified: Simplified

    @property
    def mode(self) -> str:
        """Return which mode decides."""
        return "simplified" if self.full is None else "full"

    @property
    def passed(self) -> bool:
        """Return whether the deciding mode passes; warnings pass."""
        return self.simplified.overall_status != "fail" if self.full is None else self.full.verdict.passed


def measure(
    structured: Structured, knowledge: Knowledge, human: HumanSource | None, generated_at: str, given: Structured | None = None
) -> Accuracy:
    """Return the accuracy of the records, compared with a person's scores where there are some.

    With scores of a person the tested ticker is held out of the knowledge: also from the values, which need the records as they
    were before verification, `given`. Raises InvalidInput for overrides that name a claim or a score that is not there.
    """
    if human is None:
        return Accuracy(structured, generated_at, None, simplified_checks(structured, knowledge))
    kept, held_out = hold_out(knowledge, structured)
    measured, revalued = without_leakage(structured, given, kept, held_out)
    advantages = match_advantages(measured, human.evaluation.advantages, human.overrides, human.overrides_name)
    connections = match_connections(measured, human.evaluation.connections, human.overrides, human.overrides_name)
    verdict = judge(Block(advantages.comparisons), Block(connections.comparisons))
    full = Full(human, advantages, connections, verdict, held_out, revalued, suggestions(advantages, connections, held_out))
    return Accuracy(structured, generated_at, full, simplified_checks(structured, kept))


def accuracy_json(accuracy: Accuracy) -> Json:
    """Return the report as JSON-ready values, valid against its schema."""
    structured = accuracy.structured
    return {
        "schema_version": "1",
        "research_id": structured.research_id,
        "ticker": structured.ticker,
        "mode": accuracy.mode,
        "generated_at": accuracy.generated_at,
        "kb_version": structured.kb_version,
        "full_mode_results": None if accuracy.full is None else _full(accuracy.full),
        "simplified_mode_results": _simplified(accuracy.simplified),
    }


def _full(full: Full) -> Json:
    held_out = full.held_out
    return {
        "y_data_source": full.source.name,
        "claim_matching": _matching(full.advantages, len(full.source.evaluation.advantages)),
        "cagr_matching": _matching(full.connections, len(full.source.evaluation.connections)),
        "advantage_accuracy": _block(Block(full.advantages.comparisons)),
        "cagr_accuracy": _block(Block(full.connections.comparisons)),
        "overall_verdict": "pass" if full.verdict.passed else "fail",
        "pass_criteria": dict(full.verdict.criteria.values()),
        "failure_reasons": [_reason(reason) for reason in full.verdict.reasons],
        "improvement_suggestions": list(full.suggestions),
        "leakage_guard": {
            "held_out_ticker": held_out.ticker,
            "held_out_scores": list(held_out.scores),
            "held_out_patterns": list(held_out.patterns),
            "ai_knowledge": held_out.ai_knowledge,
            "revalued": [{"claim_id": one.claim_id, "verified": one.verified, "measured": one.measured} for one in full.revalued],
        },
        "assumptions": [
            {"line": int(one.path), "found": one.found, "taken": one.taken} for one in full.source.evaluation.assumptions
        ],
    }


def _matching(matching: Matching, humans: int) -> Json:
    return {
        "ai_claims_total": len(matching.comparisons) + len(matching.unmatched_ai),
        "y_evaluations_total": humans,
        "matched": len(matching.comparisons),
        "unmatched_ai": len(matching.unmatched_ai),
        "missing_in_ai": len(matching.missing_in_ai),
        "unmatched_ai_claims": [_claim(claim) for claim in matching.unmatched_ai],
        "missing_in_ai_evaluations": [_human(human) for human in matching.missing_in_ai],
        "review": [
            {"claim_id": one.claim.id, "y_text": one.human.text, "y_line": one.human.line, "margin": _rounded(one.margin)}
            for one in matching.review
        ],
    }


def _claim(claim: Claim) -> Json:
    return {"claim_id": claim.id, "claim": claim.claim, "ai_confidence": claim.confidence}


def _human(human: HumanScore) -> Json:
    return {"y_number": human.number, "y_text": human.text, "y_confidence": human.score, "y_line": human.line}


def _block(block: Block) -> Json | None:
    if not block.comparisons:
        return None
    return {
        "comparisons": [_comparison(one) for one in block.comparisons],
        "mean_abs_deviation": _figure(block.mean),
        "max_abs_deviation": block.largest,
        "mean_signed_deviation": _figure(block.signed_mean),
        "direction_bias": str(block.bias),
    }


def _comparison(one: Comparison) -> Json:
    return {
        "claim_id": one.claim.id,
        "ai_confidence": one.claim.confidence,
        "y_confidence": one.human.score,
        "deviation": one.deviation,
        "severity": one.severity.value,
        "deviation_analysis": deviation_analysis(one),
        "y_number": one.human.number,
        "y_text": one.human.text,
        "y_line": one.human.line,
        "similarity": _rounded(one.similarity),
        "margin": _rounded(one.margin),
        "matched_by": "override" if one.margin is None else "text",
    }


def _reason(reason: FailureReason) -> Json:
    return {"code": reason.code, "block": reason.block, "value": _figure(reason.value), "limit": _figure(reason.limit)}


def _simplified(simplified: Simplified) -> Json:
    return {
        "checks": [
            {
                "check_id": check.check_id,
                "name": check.name,
                "severity": check.severity,
                "status": check.status,
                "value": check.value,
                "threshold": check.threshold,
                "affected_claims": list(check.claims),
            }
            for check in simplified.checks
        ],
        "overall_status": simplified.overall_status,
        "warning_count": simplified.warning_count,
        "critical_count": simplified.critical_count,
    }


def _figure(value: Fraction | int | None) -> float | None:
    return None if value is None else round(float(value), 2)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
