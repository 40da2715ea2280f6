"""`structured.json` as records: read tolerantly, with a list of what was assumed. Values are never guessed."""

from collections.abc import Mapping
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.reports.assumptions import Assumption, Assumptions
from lyra.reports.derived import summarise
from lyra.reports.json_text import parse_json
from lyra.reports.model import (
    LAYERS,
    Claim,
    ClaimType,
    FactCheck,
    FiveLayers,
    Parameter,
    ReportType,
    RuleEvaluation,
    RuleResult,
    Structured,
    Verification,
)
from lyra.reports.shapes import Json, settle
from lyra.reports.validation import validate
from lyra.reports.writing import summary_json

_TOP = (
    "ticker",
    "company_name",
    "research_id",
    "report_source",
    "kb_version",
    "generated_at",
    "cagr_assessment",
    "warning_assessment",
)
_TOP_BLOCKS = ("extraction_metadata", "claims", "summary")
_FLAGS = ("quarterly_derived_claims", "overinterpretation_risks", "confidence_distribution_anomaly")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds, and what was assumed on the way."""

    structured: Structured
    assumptions: tuple[Assumption, ...]


def read_structured(data: bytes, where: str) -> Reading:
    """Return the records of a `structured.json`. Raises InvalidInput with the path in the file and what was expected there.

    Known variants of names, places and spellings are read and listed. Confidences off their scale, ids that repeat, and claims
    without text, type or confidence are refused. Figures that follow from the claims are computed, whatever the file says.
    """
    return structured_from(parse_json(data, where), where)


def structured_from(value: object, where: str = "structured.json") -> Reading:
    """Return the records of a parsed `structured.json`, as `read_structured` does."""
    noted = Assumptions()
    whole = _whole_characters(value, "", noted)
    if not isinstance(whole, dict):
        raise InvalidInput("report_wrong_type", path=where, where="$", found=type(whole).__name__, expected="object")
    settled = settle(whole, noted)
    validate(settled, "structured", where)
    structured = _structured(settled)
    _refuse_unusable(structured, where)
    _compare_figures(settled, structured, noted)
    return Reading(structured, tuple(noted))


def _whole_characters(value: object, path: str, noted: Assumptions) -> object:
    """Replace half characters, which JSON can hold and no file can."""
    if isinstance(value, str):
        if value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value):
            return value
        noted.add("character", path.lstrip(".") or "$", "\\ud800–\\udfff", "\ufffd")
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    if isinstance(value, list):
        return [_whole_characters(one, f"{path}[{at}]", noted) for at, one in enumerate(value)]
    if isinstance(value, dict):
        keys = [str(_whole_characters(key, path, noted)) for key in value]
        return {key: _whole_characters(one, f"{path}.{key}", noted) for key, one in zip(keys, value.values(), strict=True)}
    return value


def _refuse_unusable(structured: Structured, where: str) -> None:
    seen: dict[int, int] = {}
    for at, claim in enumerate(structured.claims):
        if claim.id in seen:
            raise InvalidInput(
                "report_id_repeated", path=where, where=f"claims[{at}].id", id=claim.id, first=f"claims[{seen[claim.id]}]"
            )
        seen[claim.id] = at
        if claim.claim_type is ClaimType.FACTUAL_CLAIM:
            continue
        if claim.verification.final_confidence is None and claim.rule_evaluation.confidence is None:
            raise InvalidInput("report_confidence_missing", path=where, where=f"claims[{at}]", id=claim.id)


def _compare_figures(settled: Json, structured: Structured, noted: Assumptions) -> None:
    summary = _object(settled, "summary")
    for name, computed in summary_json(summarise(structured)).items():
        said = summary.get(name)
        if said is None or name in structured.summary_extra:
            continue
        if isinstance(computed, dict) and isinstance(said, dict):
            differs = any(said.get(key) not in (None, figure) for key, figure in computed.items())
        else:
            differs = said != computed
        if differs:
            noted.add("figure", f"summary.{name}", said, computed)
    for at, claim in enumerate(structured.claims):
        before, after = claim.rule_evaluation.confidence, claim.verification.final_confidence
        said_delta = claim.verification.confidence_delta
        if None not in (before, after, said_delta) and (after or 0) - (before or 0) != said_delta:
            noted.add("figure", f"claims[{at}].verification.confidence_delta", said_delta, (after or 0) - (before or 0))


def _structured(value: Json) -> Structured:
    summary = _object(value, "summary")
    flags = _object(summary, "warning_flags")
    figures = summary_json(summarise(_EMPTY))
    return Structured(
        **{name: _text(value, name) for name in _TOP},
        claims=tuple(_claim(one) for one in _objects(value, "claims")),
        extraction_metadata=_object(value, "extraction_metadata"),
        summary_extra=_rest(summary, figures),
        warning_flags_extra=_rest(flags, dict.fromkeys(_FLAGS)),
        extra=_rest(value, dict.fromkeys((*_TOP, *_TOP_BLOCKS))),
    )


_EMPTY = Structured("", "", "", "", "", "", ())


def _claim(value: Json) -> Claim:
    known = {name for name in Claim.__dataclass_fields__ if name != "extra"}
    source, own = value.get("report_type_source"), value.get("verification_status")
    return Claim(
        id=_number(value, "id") or 0,
        claim_type=ClaimType(_text(value, "claim_type")),
        claim=_text(value, "claim"),
        descriptive_label=_text(value, "descriptive_label"),
        evidence_from_report=_text(value, "evidence_from_report"),
        report_type_source=ReportType(str(source)) if source else None,
        supported_by_facts=_numbers(value, "supported_by_facts"),
        cagr_connections=_numbers(value, "cagr_connections"),
        source_advantage=_number(value, "source_advantage"),
        parameters=tuple(_parameter(one) for one in _objects(value, "parameters")),
        rule_evaluation=_rule_evaluation(_object(value, "rule_evaluation")),
        verification=_verification(_object(value, "verification")),
        five_layer_evaluation=_layers(_object(value, "five_layer_evaluation")) if "five_layer_evaluation" in value else None,
        ai_comment=_text(value, "ai_comment"),
        verification_status=FactCheck(str(own)) if own else None,
        verification_attempted=_texts(value, "verification_attempted"),
        affected_claims=_numbers(value, "affected_claims"),
        extra=_rest(value, dict.fromkeys(known)),
    )


def _parameter(value: Json) -> Parameter:
    names = ("name", "contribution", "confidence", "comment")
    return Parameter(
        name=_text(value, "name"),
        contribution=_text(value, "contribution"),
        confidence=_number(value, "confidence"),
        comment=_text(value, "comment"),
        extra=_rest(value, dict.fromkeys(names)),
    )


def _rule_evaluation(value: Json) -> RuleEvaluation:
    adjustments = value.get("confidence_adjustments")
    names = ("applied_rules", "results", "confidence", "confidence_adjustments", "overall_reasoning")
    return RuleEvaluation(
        applied_rules=tuple(_rule_number(rule) for rule in _texts(value, "applied_rules")),
        results=tuple(
            RuleResult(
                rule=_rule_number(_text(one, "rule")),
                verdict=_text(one, "verdict"),
                reasoning=_text(one, "reasoning"),
                extra=_rest(one, dict.fromkeys(("rule", "verdict", "reasoning"))),
            )
            for one in _objects(value, "results")
        ),
        confidence=_number(value, "confidence"),
        confidence_adjustments=tuple(adjustments) if isinstance(adjustments, list) else (),
        overall_reasoning=_text(value, "overall_reasoning"),
        extra=_rest(value, dict.fromkeys(names)),
    )


def _verification(value: Json) -> Verification:
    status = value.get("fact_check_status")
    names = [name for name in Verification.__dataclass_fields__ if name != "extra"]
    return Verification(
        fact_check_status=FactCheck(str(status)) if status else None,
        pattern_matches=_texts(value, "pattern_matches"),
        pattern_rejections=_texts(value, "pattern_rejections"),
        final_confidence=_number(value, "final_confidence"),
        confidence_delta=_number(value, "confidence_delta"),
        details=_text(value, "details"),
        evidence=_texts(value, "evidence"),
        extra=_rest(value, dict.fromkeys(names)),
    )


def _layers(value: Json) -> FiveLayers:
    values: dict[str, str] = {}
    extra: Json = _rest(value, LAYERS)
    for layer, judgements in LAYERS.items():
        block = _object(value, layer)
        values |= {name: str(block[name]) for name in judgements if name in block}
        if rest := _rest(block, judgements):
            extra[layer] = rest
    return FiveLayers(values, extra)


def _rule_number(rule: str) -> int:
    return int(rule.removeprefix("rule_"))


def _rest(value: Json, known: Mapping[str, object]) -> Json:
    return {name: content for name, content in value.items() if name not in known}


def _object(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _objects(value: Json, name: str) -> list[Json]:
    found = value.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(value: Json, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _texts(value: Json, name: str) -> tuple[str, ...]:
    found = value.get(name)
    return tuple(str(one) for one in found) if isinstance(found, list) else ()


def _number(value: Json, name: str) -> int | None:
    found = value.get(name)
    return int(found) if isinstance(found, (int, float)) else None


def _numbers(value: Json, name: str) -> tuple[int, ...]:
    found = value.get(name)
    return tuple(int(one) for one in found if isinstance(one, (int, float))) if isinstance(found, list) else ()
