"""Everything a number follows from, in full precision, so that a stranger's program can compute it again."""

import re

from lyra.core.confidence import INTERVAL_MASS, Confidence
from lyra.core.dependence import RETRACTION
from lyra.core.lexicon import CJK
from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.near_duplicates import CHARACTERS, CJK_SHARE, LEAST_RESEMBLANCE, LEAST_SHINGLES, WORDS
from lyra.core.records import Evidence
from lyra.core.timeline import TimelineEvent
from lyra.core.times import to_text
from lyra.interfaces.presenter import Json, document, evidence_json, group_json

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")


def provenance(materials: Materials, history: tuple[TimelineEvent, ...]) -> Json:
    """Return the claims with their values and the edges behind them, the rules by which both belong together, and the history."""
    return document(
        task_id=materials.task.task_id,
        question=materials.task.question,
        created_at=to_text(materials.task.created_at),
        rules=_rules(),
        claims=[_claim(material) for material in materials.claims],
        citations=[
            {"citing_page_id": one.citing_page_id, "cited_page_id": one.cited_page_id, "citation_source": one.source}
            for one in materials.citations
        ],
        history=[_event(event) for event in history],
    )


def _rules() -> Json:
    return {
        "prior": {"alpha": 1.0, "beta": 1.0},
        "interval_mass": INTERVAL_MASS,
        "near_duplicates": {
            "least_resemblance": LEAST_RESEMBLANCE,
            "least_shingles": LEAST_SHINGLES,
            "shingle_words": WORDS,
            "shingle_characters": CHARACTERS,
            "cjk_share": CJK_SHARE,
            "cjk_characters": _ESCAPED.sub(lambda code: chr(int(code[1] or code[2], 16)), CJK),
            "leaves_out_model": RETRACTION,
        },
    }


def _claim(material: ClaimMaterial) -> Json:
    independent = material.independent
    return {
        "claim_id": material.claim.claim_id,
        "text": material.claim.text,
        "origin_page_id": material.claim.origin_page_id,
        "values": _values(material.values) | {"interval": list(material.values.interval)},
        "independent_sources": material.independent_sources,
        "refuting_sources": material.refuting_sources,
        "independent": _values(independent.values)
        | {
            "sources": independent.sources,
            "refuting_sources": independent.refuting_sources,
            "groups": [
                group_json(group) | {"supports": group.supports, "refutes": group.refutes} for group in independent.groups
            ],
        },
        "edges": [_edge(edge) for edge in material.evidence],
    }


def _values(values: Confidence) -> Json:
    names = "alpha beta confidence uncertainty controversy evidence_count supporting_count refuting_count neutral_count".split()
    return {name: getattr(values, name) for name in names}


def _edge(edge: Evidence) -> Json:
    """Return an edge as in every other output, its probabilities unrounded, with what groups it by origin."""
    supports, refutes, neutral = edge.probabilities
    exact: Json = {
        "nli_confidence": edge.nli_confidence,
        "nli_confidence_raw": edge.nli_confidence_raw,
        "probabilities": {"supports": supports, "refutes": refutes, "neutral": neutral},
        "work_keys": list(edge.work_keys),
        "sole_citation": edge.sole_citation,
    }
    shown = evidence_json(edge) | exact
    # Where a document lies on somebody's disk is no part of what is passed on.
    locator = shown["locator"]
    if isinstance(locator, dict):
        shown["locator"] = {name: value for name, value in locator.items() if name != "path"}
    if edge.url.startswith("file:"):
        shown["url"] = None
    return shown


def _event(event: TimelineEvent) -> Json:
    return {
        "event_seq": event.event_seq,
        "claim_id": event.claim_id,
        "event_type": event.event_type,
        "payload": dict(event.payload),
        "cause_id": event.cause_id,
        "created_at": event.created_at,
    }
