"""Agreement and adjudication as JSON-ready values: the same for every interface."""

from collections.abc import Sequence

from lyra.cases.adjudication import Final, Item
from lyra.cases.agreement import Agreement, Estimate, LabelAgreement, PairAgreement
from lyra.cases.agreement_fields import FieldAgreement
from lyra.core.case_records import Adjudication
from lyra.core.times import to_text
from lyra.interfaces.presenter import Json

_DECIMALS = 6


def field_json(found: FieldAgreement) -> Json:
    """Return the agreement on one field."""
    return {"field": found.field, **agreement_json(found.agreement)}


def agreement_json(agreement: Agreement) -> Json:
    """Return agreement with its coefficients, pairs and labels; an undefined coefficient is null, with the reason."""
    return {
        "level": agreement.level.value,
        "weights": agreement.weighting.value,
        "raters": list(agreement.raters),
        "categories": list(agreement.categories),
        "units": agreement.units,
        "paired_units": agreement.paired_units,
        "ratings": agreement.ratings,
        "possible": agreement.possible,
        "not_applicable": agreement.not_applicable,
        "replicates": agreement.replicates,
        "coefficients": [estimate_json(one) for one in agreement.estimates],
        "pairs": [_pair_json(one) for one in agreement.pairs],
        "labels": [_label_json(one) for one in agreement.labels],
    }


def estimate_json(estimate: Estimate) -> Json:
    """Return one coefficient."""
    interval = estimate.interval
    return {
        "name": estimate.name,
        "value": None if estimate.value is None else round(estimate.value, _DECIMALS),
        "interval": None if interval is None else [round(bound, _DECIMALS) for bound in interval],
        "undefined": estimate.undefined,
        "replicates": estimate.replicates,
    }


def _pair_json(pair: PairAgreement) -> Json:
    return {
        "first": pair.first,
        "second": pair.second,
        "units": pair.units,
        "coefficients": [estimate_json(one) for one in pair.estimates],
        "confusion": [list(row) for row in pair.confusion],
    }


def _label_json(label: LabelAgreement) -> Json:
    return {"label": label.label, "chosen": label.chosen, "coefficients": [estimate_json(one) for one in label.estimates]}


def item_json(item: Item) -> Json:
    """Return one open label."""
    return {
        "unit": item.unit,
        "field": item.field,
        "given": [{"rater": rater, "value": value} for rater, value in item.given.items()],
        "proposed": item.proposed,
        "probabilities": [
            {"value": value, "probability": round(share, _DECIMALS)} for value, share in item.probabilities.items()
        ],
        "information": round(item.information, _DECIMALS),
    }


def decision_json(decision: Adjudication) -> Json:
    """Return a person's final word."""
    share = decision.proposed_probability
    return {
        "unit": decision.unit,
        "field": decision.field,
        "value": decision.value,
        "decided_by": decision.decided_by,
        "reason": decision.reason,
        "decided_at": None if decision.created_at is None else to_text(decision.created_at),
        "proposed": decision.proposed_value,
        "proposed_probability": None if share is None else round(share, _DECIMALS),
    }


def final_rows(labels: Sequence[Final], decisions: Sequence[Adjudication]) -> list[Json]:
    """Return the adjudicated set, one flat row for each label, with who decided it, when and why."""
    by_label = {(one.unit, one.field): one for one in decisions}
    rows: list[Json] = []
    for label in labels:
        decision = by_label.get((label.unit, label.field))
        rows.append(
            {
                "unit": label.unit,
                "field": label.field,
                "value": label.value,
                "basis": label.basis,
                "probability": round(label.probability, _DECIMALS),
                "decided_by": decision.decided_by if decision else None,
                "reason": decision.reason if decision else None,
                "decided_at": to_text(decision.created_at) if decision and decision.created_at else None,
            }
        )
    return rows
