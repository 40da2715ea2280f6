"""Stance edges: what was judged, once per (fragment, claim); and the numbers that follow from them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lyra.core.confidence import Confidence, checked_confidence
from lyra.core.identity import text_hash
from lyra.core.records import Claim, ModelInfo, Relation, Stance
from lyra.store.database import Row, Value, placeholders
from lyra.store.session import Session
from lyra.store.set_aside import counted_sighting

_INSERT = """
    INSERT OR IGNORE INTO edges (
        edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,
        nli_supports, nli_refutes, nli_neutral, nli_decisive_start, nli_decisive_end,
        nli_model, nli_model_version, calibration_version, claim_language, fragment_language,
        source_domain_category, target_domain_category, cause_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        (SELECT fragment_language FROM fragments WHERE fragment_id = ?),
        (SELECT d.domain_category FROM extracted_from o JOIN pages p ON p.page_id = o.page_id
         JOIN domains d ON d.domain = p.domain WHERE o.occurrence_seq = ({sighting})),
        (SELECT d.domain_category FROM claims c JOIN pages p ON p.page_id = c.claim_origin_page
         JOIN domains d ON d.domain = p.domain WHERE c.claim_id = ?),
        ?, ?)
"""
# The arithmetic of lyra.core.confidence.posterior, for a whole task at once.
_TOTAL = "((1.0 + support) + (1.0 + refute))"
_COLUMNS = f"""
    SELECT claim_id, (1.0 + support) / {_TOTAL},
           sqrt((1.0 + support) * (1.0 + refute) / ({_TOTAL} * {_TOTAL} * ({_TOTAL} + 1.0))),
           CASE WHEN support + refute > 0.0 THEN min(support, refute) / (support + refute) ELSE 0.0 END,
           1.0 + support, 1.0 + refute, supporting + refuting + neutral, supporting, refuting, neutral
    FROM {{sums}}
"""
_VALUES, _VALUES_NOW = _COLUMNS.format(sums="claim_sums"), _COLUMNS.format(sums="claim_sums_now")
_SUM_UP = """
    UPDATE claim_sums SET (support, refute, supporting, refuting, neutral, is_fresh) = (
        SELECT coalesce(sum(nli_confidence) FILTER (WHERE relation = 'supports'), 0.0),
               coalesce(sum(nli_confidence) FILTER (WHERE relation = 'refutes'), 0.0),
               count(*) FILTER (WHERE relation = 'supports'), count(*) FILTER (WHERE relation = 'refutes'),
               count(*) FILTER (WHERE relation = 'neutral'), 1
        FROM counting_edges e WHERE e.claim_id = claim_sums.claim_id)
    WHERE task_id = ? AND is_fresh = 0
"""
_STALE = """(
    SELECT s.claim_id,
           coalesce(sum(e.nli_confidence) FILTER (WHERE e.relation = 'supports'), 0.0) AS support,
           coalesce(sum(e.nli_confidence) FILTER (WHERE e.relation = 'refutes'), 0.0) AS refute,
           count(*) FILTER (WHERE e.relation = 'supports') AS supporting,
           count(*) FILTER (WHERE e.relation = 'refutes') AS refuting,
           count(*) FILTER (WHERE e.relation = 'neutral') AS neutral
    FROM claim_sums s LEFT JOIN counting_edges e ON e.claim_id = s.claim_id
    WHERE s.task_id = ? AND s.is_fresh = 0 GROUP BY s.claim_id)
"""
_PER_QUERY = 500


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
            self.keep(claim, stances, model)
            added = self._database.run_many(
                _INSERT.format(sighting=counted_sighting(self._database, "?")),
                [
                    (
                        self._session.new_id("edge"),
                        fragment_id,
                        claim.claim_id,
                        *judgement(stance, model),
                        claim.language,
                        fragment_id,
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
                self.sum_up(claim.task_id)
        return added

    def keep(self, claim: Claim, stances: Mapping[str, Stance], model: ModelInfo) -> None:
        """Remember what a model said about a claim text, for every task; in the caller's transaction."""
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

    def confidences(self, task_id: str, claim_ids: Sequence[str] | None = None) -> dict[str, Confidence]:
        """Return the confidence of every claim of a task, or of some, computed set-wise from its edges."""
        make = Confidence._make
        return {str(row[0]): make(row[1:]) for row in self._values(task_id, claim_ids)}

    def _values(self, task_id: str, claim_ids: Sequence[str] | None) -> Iterator[Row]:
        if claim_ids is None:
            with self._database.reading():
                yield from self._database.stream(_VALUES + " WHERE task_id = ? AND is_fresh = 1", (task_id,))
                yield from self._database.stream(_COLUMNS.format(sums=_STALE), (task_id,))
            return
        for start in range(0, len(claim_ids), _PER_QUERY):
            part = claim_ids[start : start + _PER_QUERY]
            where = f" WHERE task_id = ? AND claim_id IN ({placeholders(len(part))})"
            yield from self._database.rows(_VALUES_NOW + where, (task_id, *part))

    def sum_up(self, task_id: str) -> int:
        """Bring the stored sums of a task up to date with its edges; returns how many were not.

        Nothing depends on it but speed: sums that are out of date are never used. One transaction.
        """
        with self._session.transaction():
            return self._database.run(_SUM_UP, (task_id,))

    def claims_supported_by(self, task_id: str, cause_id: str) -> list[str]:
        """Return the claims of a task that got a supporting edge, from a page with a host, by what `cause_id` names."""
        rows = self._database.rows(
            "SELECT DISTINCT c.claim_id FROM claims c JOIN edges e ON e.claim_id = c.claim_id AND e.cause_id = ?"
            " JOIN extracted_from x ON x.fragment_id = e.fragment_id JOIN pages p ON p.page_id = x.page_id"
            " WHERE c.task_id = ? AND e.relation = 'supports' AND p.domain IS NOT NULL ORDER BY c.claim_id",
            (cause_id, task_id),
        )
        return [str(row[0]) for row in rows]


def judgement(stance: Stance, model: ModelInfo) -> tuple[Value, ...]:
    """Return what an edge keeps of a judgement: relation, label, numbers, decisive sentence, and who judged."""
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
