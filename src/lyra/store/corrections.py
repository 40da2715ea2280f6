"""What people say about claims and edges: rejections, and right answers kept as samples."""

from dataclasses import dataclass

from lyra.core.errors import NotFound
from lyra.core.records import Relation
from lyra.core.samples import NliSample
from lyra.store.database import Row, optional_text
from lyra.store.session import Session

# What the model said at first stands in the first sample of an edge; until there is one, in the edge itself.
_SAMPLE = """
    INSERT INTO nli_corrections (
        correction_id, edge_id, claim_id, task_id, premise, hypothesis, predicted_label, predicted_confidence, predicted_raw,
        nli_supports, nli_refutes, nli_neutral, nli_model, nli_model_version, calibration_version,
        correct_label, reason, corrected_at)
    SELECT ?1, e.edge_id, e.claim_id, c.task_id, coalesce(s.premise, f.fragment_text), coalesce(s.hypothesis, c.claim_text),
           coalesce(s.predicted_label, e.nli_label), coalesce(s.predicted_confidence, e.nli_confidence),
           coalesce(s.predicted_raw, e.nli_confidence_raw), e.nli_supports, e.nli_refutes, e.nli_neutral,
           e.nli_model, e.nli_model_version, e.calibration_version, ?2, ?3, ?4
    FROM edges e JOIN claims c ON c.claim_id = e.claim_id JOIN fragments f ON f.fragment_id = e.fragment_id
    LEFT JOIN nli_corrections s ON s.correction_seq =
        (SELECT min(correction_seq) FROM nli_corrections WHERE edge_id = e.edge_id)
    WHERE e.edge_id = ?5
"""
_SAMPLES = """
    SELECT correction_id, edge_id, claim_id, task_id, premise, hypothesis, predicted_label, predicted_confidence, predicted_raw,
           nli_supports, nli_refutes, nli_neutral, nli_model, nli_model_version, calibration_version,
           correct_label, reason, corrected_at
    FROM nli_corrections
"""


@dataclass(frozen=True, slots=True)
class CorrectedEdge:
    """An edge as a correction found it."""

    edge_id: str
    claim_id: str
    task_id: str
    relation: Relation
    nli_confidence: float
    edge_human_corrected: bool


class Corrections:
    """Writes what people say. Every call is part of the caller's transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def reject(self, claim_id: str, reason: str, cause_id: str) -> None:
        """Mark a claim as not adopted, with the reason."""
        self._adopt(claim_id, "not_adopted", reason, self._session.now())
        self._session.remember(claim_id, "rejected", {"reason": reason}, cause_id)

    def restore(self, claim_id: str, reason: str | None, cause_id: str) -> None:
        """Mark a claim as adopted again; the timeline keeps why it was not."""
        self._adopt(claim_id, "adopted", None, None)
        self._session.remember(claim_id, "restored", {"reason": reason}, cause_id)

    def _adopt(self, claim_id: str, status: str, reason: str | None, rejected_at: str | None) -> None:
        self._database.run(
            "UPDATE claims SET claim_adoption_status = ?, claim_rejection_reason = ?, claim_rejected_at = ? WHERE claim_id = ?",
            (status, reason, rejected_at, claim_id),
        )

    def edge(self, edge_id: str) -> CorrectedEdge:
        """Return an edge, or raise NotFound."""
        row = self._database.row(
            "SELECT e.edge_id, e.claim_id, c.task_id, e.relation, e.nli_confidence, e.edge_human_corrected"
            " FROM edges e JOIN claims c ON c.claim_id = e.claim_id WHERE e.edge_id = ?",
            (edge_id,),
        )
        if row is None:
            raise NotFound("unknown_edge", edge_id=edge_id)
        found, claim_id, task_id, relation, weight, corrected = row
        return CorrectedEdge(
            str(found), str(claim_id), str(task_id), Relation(str(relation)), float(weight or 0.0), bool(corrected)
        )

    def correct(self, edge: CorrectedEdge, relation: Relation, reason: str | None, cause_id: str) -> None:
        """Give an edge its right relation with full weight, and keep the sample: what the model said, and what is right."""
        now = self._session.now()
        self._database.run(_SAMPLE, (cause_id, relation, reason, now, edge.edge_id))
        self._database.run(
            "UPDATE edges SET relation = ?1, nli_label = ?1, nli_confidence = 1.0, edge_human_corrected = 1,"
            " edge_correction_reason = ?2, edge_corrected_at = ?3, edge_correction_id = ?4 WHERE edge_id = ?5",
            (relation, reason, now, cause_id, edge.edge_id),
        )
        payload = {"edge_id": edge.edge_id, "from": edge.relation.value, "to": relation.value, "reason": reason}
        self._session.remember(edge.claim_id, "corrected", payload, cause_id)

    def count_corrected(self, task_id: str) -> int:
        """Return how many edges of a task people have corrected."""
        return self._database.count(
            "SELECT count(*) FROM edges e JOIN claims c ON c.claim_id = e.claim_id"
            " WHERE c.task_id = ? AND e.edge_human_corrected = 1",
            (task_id,),
        )

    def samples(self, edge_id: str | None = None) -> list[NliSample]:
        """Return the samples, of one edge or of all, in the order they were given."""
        rows = self._database.rows(f"{_SAMPLES} WHERE ?1 IS NULL OR edge_id = ?1 ORDER BY correction_seq", (edge_id,))
        return [_sample(row) for row in rows]

    def rejection_of(self, claim_id: str) -> str | None:
        """Return why a claim is not adopted; None while it is. Raises NotFound for an unknown claim."""
        row = self._database.row(
            "SELECT claim_adoption_status, claim_rejection_reason FROM claims WHERE claim_id = ?", (claim_id,)
        )
        if row is None:
            raise NotFound("unknown_claim", claim_id=claim_id)
        return None if row[0] == "adopted" else optional_text(row[1]) or ""


def _sample(row: Row) -> NliSample:
    ids, numbers, rest = row[:6], [float(value or 0.0) for value in row[7:12]], row[12:]
    correction_id, edge_id, claim_id, task_id, premise, hypothesis = map(str, ids)
    model, version, calibration, correct_label, reason, corrected_at = rest
    return NliSample(
        correction_id=correction_id,
        edge_id=edge_id,
        claim_id=claim_id,
        task_id=task_id,
        premise=premise,
        hypothesis=hypothesis,
        predicted_label=Relation(str(row[6])),
        predicted_confidence=numbers[0],
        predicted_raw=numbers[1],
        probabilities=(numbers[2], numbers[3], numbers[4]),
        model=str(model),
        model_version=str(version),
        calibration_version=optional_text(calibration),
        correct_label=Relation(str(correct_label)),
        reason=optional_text(reason),
        corrected_at=str(corrected_at),
    )
