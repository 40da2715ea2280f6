"""Trails: everything that happened to a claim, an edge or a domain, in order, with what caused it."""

import json
from collections.abc import Iterable, Sequence

from lyra.core.domain_patterns import matches
from lyra.core.trail import Contribution, TrailEvent, in_order
from lyra.store.database import Row, optional_text
from lyra.store.session import Session

# Every time an edge was judged again, with what was said before and after.
_AGAIN = """
    SELECT t.event_seq, t.created_at, t.cause_id, j.value AS entry FROM edges x
    JOIN claim_timeline t ON t.claim_id = x.claim_id AND t.event_type = 'rejudged'
    JOIN json_each(t.payload, '$.judgements') j
    WHERE x.edge_id = ?1 AND j.value ->> '$.edge_id' = ?1
"""
# What was said at first: before the first time it was judged again, else before the first correction.
_EDGE_MADE = f"""
    SELECT e.created_at, 'judged', coalesce(a.entry ->> '$.cause_before', e.cause_id),
           json_object('edge_id', e.edge_id, 'claim_id', e.claim_id, 'fragment_id', e.fragment_id,
           'model', coalesce(a.entry ->> '$.model_before', e.nli_model),
           'model_version', coalesce(a.entry ->> '$.model_version_before', e.nli_model_version),
           'label', coalesce(a.entry ->> '$.from', s.predicted_label, e.nli_label),
           'nli_confidence', coalesce(a.entry ->> '$.nli_confidence_before', s.predicted_confidence, e.nli_confidence))
    FROM edges e LEFT JOIN nli_corrections s ON s.correction_seq =
        (SELECT min(correction_seq) FROM nli_corrections WHERE edge_id = e.edge_id)
    LEFT JOIN ({_AGAIN} ORDER BY t.event_seq LIMIT 1) a
    WHERE e.edge_id = ?1
"""
_REJUDGED = f"SELECT created_at, 'rejudged', cause_id, entry FROM ({_AGAIN}) ORDER BY event_seq"
_CORRECTIONS = """
    SELECT corrected_at, 'corrected', correction_id, json_object('edge_id', edge_id, 'predicted_label', predicted_label,
           'predicted_confidence', predicted_confidence, 'correct_label', correct_label, 'reason', reason)
    FROM nli_corrections WHERE edge_id = ? ORDER BY correction_seq
"""
_PAGE_EVENTS = """
    SELECT created_at, event_type, cause_id, json_set(payload, '$.page_id', page_id) FROM domain_events
    WHERE page_id IN (SELECT page_id FROM extracted_from WHERE fragment_id = ?) ORDER BY event_seq
"""
_ORIGIN_EVENTS = """
    SELECT created_at, event_type, cause_id, json_set(payload, '$.page_id', page_id) FROM domain_events
    WHERE page_id = (SELECT claim_origin_page FROM claims WHERE claim_id = ?) ORDER BY event_seq
"""
_TIMELINE = "SELECT created_at, event_type, cause_id, payload FROM claim_timeline WHERE claim_id = ? ORDER BY event_seq"
_DOMAIN_EVENTS = """
    SELECT created_at, event_type, cause_id, json_set(payload, '$.domain', domain, '$.page_id', page_id)
    FROM domain_events WHERE domain = ? ORDER BY event_seq
"""
_OVERRIDES = """
    SELECT created_at, action, cause_id,
           json_object('domain_pattern', domain_pattern, 'decision', decision, 'rule_id', rule_id, 'reason', reason),
           domain_pattern
    FROM domain_override_events ORDER BY event_seq
"""
_CONTRIBUTIONS = """
    SELECT edge_id, relation, nli_confidence, nli_model, nli_model_version, calibration_version, cause_id, created_at,
           edge_human_corrected, edge_correction_id
    FROM edges WHERE claim_id = ? ORDER BY created_at, edge_id
"""


class Trails:
    """Read-only view of the histories."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def of_claim(self, claim_id: str) -> list[TrailEvent]:
        """Return what happened to a claim and to the page it was extracted from."""
        return in_order([self._events("claim", _TIMELINE, claim_id), self._events("page", _ORIGIN_EVENTS, claim_id)])

    def of_edge(self, edge_id: str) -> list[TrailEvent]:
        """Return how an edge came about, its corrections, and what happened to the pages that carry its text."""
        fragment_id = str(self._database.value("SELECT fragment_id FROM edges WHERE edge_id = ?", (edge_id,)))
        own = [event for sql in (_EDGE_MADE, _REJUDGED, _CORRECTIONS) for event in self._events("edge", sql, edge_id)]
        return in_order([own, self._events("page", _PAGE_EVENTS, fragment_id)])

    def of_domain(self, domain: str) -> list[TrailEvent]:
        """Return what was decided about a domain, by people and by the program, and what happened to its pages."""
        decided = [row for row in self._database.rows(_OVERRIDES) if matches(str(row[4]), domain)]
        return in_order([self._events("domain", _DOMAIN_EVENTS, domain), _as_events("override", (row[:4] for row in decided))])

    def contributions(self, claim_id: str) -> list[Contribution]:
        """Return the edges behind the numbers of a claim, each with what caused it."""
        return [
            Contribution(
                edge_id=str(row[0]),
                relation=str(row[1]),
                nli_confidence=float(row[2] or 0.0),
                model=str(row[3]),
                model_version=str(row[4]),
                calibration_version=optional_text(row[5]),
                cause_id=optional_text(row[6]),
                created_at=str(row[7]),
                edge_human_corrected=bool(row[8]),
                correction_id=optional_text(row[9]),
            )
            for row in self._database.rows(_CONTRIBUTIONS, (claim_id,))
        ]

    def knows_domain(self, domain: str) -> bool:
        """Return whether a page of a domain was ever seen."""
        return bool(self._database.value("SELECT 1 FROM domains WHERE domain = ?", (domain,)))

    def _events(self, source: str, sql: str, key: str) -> list[TrailEvent]:
        return _as_events(source, self._database.rows(sql, (key,)))


def _as_events(source: str, rows: Iterable[Row | Sequence[object]]) -> list[TrailEvent]:
    return [
        TrailEvent(str(at), source, str(event_type), None if cause_id is None else str(cause_id), json.loads(str(payload)))
        for at, event_type, cause_id, payload in rows
    ]
