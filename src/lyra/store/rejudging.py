"""Judging edges again: which ones a model may speak about once more, and writing what it says."""

from collections.abc import Mapping
from dataclasses import dataclass

from lyra.core.dependence import RETRACTION
from lyra.core.records import Claim, ModelInfo, Relation, Stance
from lyra.store.database import optional_text
from lyra.store.edges import Edges, cache_version, judgement
from lyra.store.session import Session

_EDGES = """
    SELECT e.edge_id, e.fragment_id, f.fragment_text, f.fragment_language, e.relation, e.nli_confidence,
           e.nli_model, e.nli_model_version, e.calibration_version, e.cause_id
    FROM edges e JOIN fragments f ON f.fragment_id = e.fragment_id
    WHERE e.claim_id = ? AND e.edge_human_corrected = 0 AND e.nli_model <> ? ORDER BY e.edge_id
"""
_UPDATE = """
    UPDATE edges SET relation = ?, nli_label = ?, nli_confidence = ?, nli_confidence_raw = ?, nli_supports = ?,
           nli_refutes = ?, nli_neutral = ?, nli_decisive_start = ?, nli_decisive_end = ?, nli_model = ?,
           nli_model_version = ?, calibration_version = ?, claim_language = ?, fragment_language = ?, cause_id = ?
    WHERE edge_id = ? AND edge_human_corrected = 0
"""


@dataclass(frozen=True, slots=True)
class StoredEdge:
    """An edge that a model made, with what it is about."""

    edge_id: str
    fragment_id: str
    text: str
    language: str
    relation: Relation
    nli_confidence: float
    model: str
    model_version: str
    calibration_version: str | None
    cause_id: str | None

    def is_by(self, model: ModelInfo) -> bool:
        """Return whether this very model, in this version and calibration, made the edge."""
        made_by = ModelInfo(model.kind, self.model, self.model_version, self.calibration_version)
        return cache_version(made_by) == cache_version(model)


class Rejudging:
    """Replaces what models said. Edges that a person corrected, and those that a rule made, are never touched."""

    def __init__(self, session: Session, edges: Edges) -> None:
        self._session = session
        self._database = session.database
        self._edges = edges

    def edges(self, claim_id: str) -> list[StoredEdge]:
        """Return the edges of a claim that a model made and no person corrected."""
        return [
            StoredEdge(
                edge_id=str(edge_id),
                fragment_id=str(fragment_id),
                text=str(text),
                language=str(language),
                relation=Relation(str(relation)),
                nli_confidence=float(weight or 0.0),
                model=str(model),
                model_version=str(version),
                calibration_version=optional_text(calibration),
                cause_id=optional_text(cause_id),
            )
            for edge_id, fragment_id, text, language, relation, weight, model, version, calibration, cause_id in (
                self._database.rows(_EDGES, (claim_id, RETRACTION))
            )
        ]

    def replace(
        self, claim: Claim, before: Mapping[str, StoredEdge], stances: Mapping[str, Stance], model: ModelInfo, cause_id: str
    ) -> int:
        """Write what a model says now about the edges in `before`, both by fragment id, and remember what was said before.

        One transaction; returns how many edges were written. An edge that a person has corrected meanwhile stays as it is.
        """
        with self._session.transaction():
            self._edges.keep(claim, stances, model)
            written = [
                (before[fragment_id], stance)
                for fragment_id, stance in stances.items()
                if self._write(claim, before[fragment_id], stance, model, cause_id)
            ]
            if written:
                payload = {"model": f"{model.name}/{model.version}", **_summary(written)}
                self._session.remember(claim.claim_id, "rejudged", payload, cause_id)
                self._edges.sum_up(claim.task_id)
        return len(written)

    def _write(self, claim: Claim, edge: StoredEdge, stance: Stance, model: ModelInfo, cause_id: str) -> int:
        values = (*judgement(stance, model), claim.language, edge.language, cause_id, edge.edge_id)
        return self._database.run(_UPDATE, values)


def _summary(written: list[tuple[StoredEdge, Stance]]) -> dict[str, object]:
    return {
        "edges": len(written),
        "changed": sum(edge.relation is not stance.label for edge, stance in written),
        "judgements": [
            {
                "edge_id": edge.edge_id,
                "from": edge.relation.value,
                "to": stance.label.value,
                "nli_confidence_before": edge.nli_confidence,
                "nli_confidence": stance.nli_confidence,
                "model_before": edge.model,
                "model_version_before": edge.model_version,
                "cause_before": edge.cause_id,
            }
            for edge, stance in written
        ],
    }
