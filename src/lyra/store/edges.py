"""Stance edges: what was judged, once per (fragment, claim); and the numbers that follow from them."""

from collections.abc import Iterable, Mapping, Sequence

from lyra.core.confidence import Confidence, checked_confidence, posterior
from lyra.core.identity import text_hash
from lyra.core.records import Claim, ModelInfo, Relation, Stance
from lyra.store.database import Value, placeholders
from lyra.store.session import Session
from lyra.store.set_aside import anything_set_aside, counted_sighting, left_out_fragments

_INSERT = """
    INSERT OR IGNORE INTO edges (
        edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,
        nli_supports, nli_refutes, nli_neutral, nli_decisive_start, nli_decisive_end,
        nli_model, nli_model_version, calibration_version, source_domain_category, target_domain_category,
        cause_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        (SELECT d.domain_category FROM extracted_from o JOIN pages p ON p.page_id = o.page_id
         JOIN domains d ON d.domain = p.domain WHERE o.occurrence_seq = ({sighting})),
        (SELECT d.domain_category FROM claims c JOIN pages p ON p.page_id = c.claim_origin_page
         JOIN domains d ON d.domain = p.domain WHERE c.claim_id = ?),
        ?, ?)
"""
_CONFIDENCES = """
    SELECT c.claim_id,
           coalesce(sum(CASE e.relation WHEN 'supports' THEN e.nli_confidence END), 0.0),
           coalesce(sum(CASE e.relation WHEN 'refutes' THEN e.nli_confidence END), 0.0),
           count(CASE e.relation WHEN 'supports' THEN 1 END),
           count(CASE e.relation WHEN 'refutes' THEN 1 END),
           count(CASE e.relation WHEN 'neutral' THEN 1 END)
    FROM claims c LEFT JOIN {edges} e ON e.claim_id = c.claim_id WHERE c.task_id = ? {claims} GROUP BY c.claim_id
"""
_WITHOUT_LEFT_OUT = f"WITH left_out AS ({left_out_fragments()})" + _CONFIDENCES.format(
    edges="(SELECT * FROM edges WHERE fragment_id NOT IN (SELECT fragment_id FROM left_out))",
    claims="AND c.claim_id IN (SELECT o.claim_id FROM left_out l JOIN edges o ON o.fragment_id = l.fragment_id)",
)


class Edges:
    """The stance edges of all tasks."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def judged(self, claim_id: str) -> set[str]:
        """Return the fragments that already have an edge to the claim."""
        return {str(row[0]) for row in self._database.rows("SELECT fragment_id FROM edges WHERE claim_id = ?", (claim_id,))}

    def cached(self, claim: Claim, fragment_ids: Iterable[str], model: ModelInfo) -> dict[str, Stance]:
        """Return what this model said before about this claim text, in any task."""
        wanted = list(fragment_ids)
        rows = self._database.rows(
            "SELECT fragment_id, nli_label, nli_supports, nli_refutes, nli_neutral, nli_raw, decisive_start, decisive_end"
            f" FROM stance_cache WHERE fragment_id IN ({placeholders(len(wanted))})"
            " AND claim_text_hash = ? AND model_version = ?",
            (*wanted, text_hash(claim.text), cache_version(model)),
        )
        return {str(fragment_id): _stance(stored) for fragment_id, *stored in rows}

    def add(self, claim: Claim, stances: Mapping[str, Stance], model: ModelInfo, cause_id: str) -> int:
        """Add edges for a claim and remember the judgements; existing pairs are left as they are.

        One transaction; returns how many edges were new.
        """
        now = self._session.now()
        with self._session.transaction():
            self._database.run_many(
                "INSERT OR IGNORE INTO stance_cache VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        fragment_id,
                        text_hash(claim.text),
                        cache_version(model),
                        stance.label,
                        stance.supports,
                        stance.refutes,
                        stance.neutral,
                        stance.raw,
                        *(stance.decisive or (None, None)),
                    )
                    for fragment_id, stance in stances.items()
                ],
            )
            added = self._database.run_many(
                _INSERT.format(sighting=counted_sighting(self._database, "?")),
                [
                    (
                        self._session.new_id("edge"),
                        fragment_id,
                        claim.claim_id,
                        *_judgement(stance, model),
                        fragment_id,
                        claim.claim_id,
                        cause_id,
                        now,
                    )
                    for fragment_id, stance in stances.items()
                ],
            )
            if added:
                counts = {relation.value: sum(s.label is relation for s in stances.values()) for relation in Relation}
                model_name = f"{model.name}/{model.version}"
                self._session.remember(claim.claim_id, "judged", {"new_edges": added, "model": model_name, **counts}, cause_id)
        return added

    def claims_supported_by(self, task_id: str, cause_id: str) -> list[str]:
        """Return the claims of a task that got a supporting edge, from a page with a host, by what `cause_id` names."""
        rows = self._database.rows(
            "SELECT DISTINCT c.claim_id FROM claims c JOIN edges e ON e.claim_id = c.claim_id AND e.cause_id = ?"
            " JOIN extracted_from x ON x.fragment_id = e.fragment_id JOIN pages p ON p.page_id = x.page_id"
            " WHERE c.task_id = ? AND e.relation = 'supports' AND p.domain IS NOT NULL ORDER BY c.claim_id",
            (cause_id, task_id),
        )
        return [str(row[0]) for row in rows]

    def confidences(self, task_id: str) -> dict[str, Confidence]:
        """Return the confidence of every claim of a task, computed set-wise from the edges that count."""
        rows = self._database.rows(_CONFIDENCES.format(edges="edges", claims=""), (task_id,))
        found = {str(claim_id): _confidence(sums) for claim_id, *sums in rows}
        if anything_set_aside(self._database):
            # Only the claims that have such an edge are summed again, so that the others keep the speed of the index.
            rows = self._database.rows(_WITHOUT_LEFT_OUT, (task_id,))
            found.update({str(claim_id): _confidence(sums) for claim_id, *sums in rows})
        return found


def _confidence(sums: Sequence[Value]) -> Confidence:
    support, refute, supporting, refuting, neutral = sums
    return posterior(float(support or 0.0), float(refute or 0.0), int(supporting or 0), int(refuting or 0), int(neutral or 0))


def _judgement(stance: Stance, model: ModelInfo) -> tuple[Value, ...]:
    return (
        stance.label,
        stance.label,
        checked_confidence(stance.nli_confidence),
        checked_confidence(stance.raw),
        stance.supports,
        stance.refutes,
        stance.neutral,
        *(stance.decisive or (None, None)),
        model.name,
        model.version,
        model.calibration_version,
    )


def cache_version(model: ModelInfo) -> str:
    """Return what identifies a judgement's maker in the cache: model, version and calibration."""
    return f"{model.name}/{model.version}/{model.calibration_version or '-'}"


def _stance(row: Sequence[Value]) -> Stance:
    label, supports, refutes, neutral, raw, start, end = row
    return Stance(
        label=Relation(str(label)),
        supports=float(supports or 0.0),
        refutes=float(refutes or 0.0),
        neutral=float(neutral or 0.0),
        raw=float(raw or 0.0),
        decisive=None if start is None or end is None else (int(start), int(end)),
    )
