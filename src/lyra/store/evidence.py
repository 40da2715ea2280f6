"""Reading evidence back: every edge of a task with its quote, place and source."""

import json
import re
from collections.abc import Sequence

from lyra.core.identity import normalise_text
from lyra.core.records import Evidence, Locator, Relation
from lyra.core.sentences import split_sentences
from lyra.store.database import Row, optional_text, placeholders
from lyra.store.session import Session
from lyra.store.set_aside import counted_sighting

# Each edge is shown at the sighting that its fragment counts with; what else carries the text is told as of now, too,
# but for pages in quarantine. A page with a DOI, PubMed or arXiv id is a work of its own: a trial that
# cites an earlier one does not retell it.
_EVIDENCE = """
    WITH shown AS (
        SELECT e.*, f.fragment_text,
               ({sighting}) AS occurrence_seq
        FROM edges e JOIN fragments f ON f.fragment_id = e.fragment_id
        WHERE e.claim_id IN ({claims})
    )
    SELECT s.edge_id, s.claim_id, s.relation, s.nli_label, s.nli_confidence, s.nli_confidence_raw,
           s.nli_supports, s.nli_refutes, s.nli_neutral, s.nli_model, s.nli_model_version, s.calibration_version,
           s.nli_decisive_start, s.nli_decisive_end, s.fragment_text, s.fragment_id,
           s.source_domain_category, s.target_domain_category, s.edge_human_corrected,
           coalesce(x.kept_quote, substr(v.extracted_text, x.char_start + 1, x.char_end - x.char_start)),
           v.page_version_id, v.content_hash, x.char_start, x.char_end, x.section, x.page_number, x.is_stale,
           p.page_id, p.url, p.title, p.published_on, p.doi, p.venue,
           (SELECT group_concat(work_key, char(10)) FROM (SELECT DISTINCT w.work_key FROM extracted_from o
             JOIN pages w ON w.page_id = o.page_id
             WHERE o.fragment_id = s.fragment_id AND o.is_stale <= x.is_stale AND w.work_key IS NOT NULL
             AND (w.quarantined_at IS NULL OR p.quarantined_at IS NOT NULL)
             ORDER BY w.work_key)), p.retracted_at IS NOT NULL,
           coalesce((SELECT min(l.path) FROM library_files l WHERE l.page_version_id = v.page_version_id),
             (SELECT min(r.path) FROM library_records r WHERE r.page_version_id = v.page_version_id)),
           (SELECT group_concat(page_id, ' ') FROM (SELECT DISTINCT o.page_id FROM extracted_from o
             JOIN pages w ON w.page_id = o.page_id
             WHERE o.fragment_id = s.fragment_id AND o.is_stale <= x.is_stale AND o.page_id <> p.page_id
             AND (w.quarantined_at IS NULL OR p.quarantined_at IS NOT NULL) ORDER BY o.page_id)),
           (SELECT CASE count(*) WHEN 1 THEN min(c.cited_page_id) END FROM cites c WHERE c.citing_page_id = p.page_id
             AND NOT EXISTS (SELECT 1 FROM resource_index i WHERE i.page_id = p.page_id AND i.identifier_kind <> 'url')),
           p.authors, p.is_pointer, p.quarantined_at IS NOT NULL, s.edge_correction_reason, s.edge_corrected_at,
           s.claim_language, s.fragment_language
    FROM shown s
    JOIN extracted_from x ON x.occurrence_seq = s.occurrence_seq
    JOIN page_versions v ON v.page_version_id = x.page_version_id
    JOIN pages p ON p.page_id = x.page_id
    ORDER BY s.claim_id, s.relation = 'neutral', s.nli_confidence DESC, s.edge_id
"""
_CLAIMS_PER_QUERY = 500
# Why an edge is shown and does not count.
QUARANTINED = "quarantined"
_WORD = re.compile(r"\S+")


class EvidenceReader:
    """Read-only view of stance edges."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def of_claims(self, claim_ids: Sequence[str]) -> dict[str, list[Evidence]]:
        """Return the evidence of each claim: strongest first, neutral last."""
        found: dict[str, list[Evidence]] = {claim_id: [] for claim_id in claim_ids}
        sighting = counted_sighting(self._database, "e.fragment_id")
        for start in range(0, len(claim_ids), _CLAIMS_PER_QUERY):
            part = claim_ids[start : start + _CLAIMS_PER_QUERY]
            sql = _EVIDENCE.format(claims=placeholders(len(part)), sighting=sighting)
            for row in self._database.rows(sql, part):
                evidence = _evidence(row)
                found[evidence.claim_id].append(evidence)
        return found


def _evidence(row: Row) -> Evidence:
    quote, start, end = str(row[19]), row[12], row[13]
    decisive = None
    if isinstance(start, int) and isinstance(end, int):
        decisive = locate(quote, str(row[14]), start, end)
    return Evidence(
        edge_id=str(row[0]),
        claim_id=str(row[1]),
        relation=Relation(str(row[2])),
        nli_label=Relation(str(row[3])),
        nli_confidence=_number(row[4]),
        nli_confidence_raw=_number(row[5]),
        probabilities=(_number(row[6]), _number(row[7]), _number(row[8])),
        model=str(row[9]),
        model_version=str(row[10]),
        calibration_version=optional_text(row[11]),
        quote=quote,
        decisive=decisive,
        locator=_locator(row),
        fragment_id=str(row[15]),
        page_id=str(row[27]),
        url=str(row[28]),
        title=optional_text(row[29]),
        published_on=optional_text(row[30]),
        doi=optional_text(row[31]),
        venue=optional_text(row[32]),
        source_domain_category=optional_text(row[16]),
        target_domain_category=optional_text(row[17]),
        retracted=bool(row[34]),
        edge_human_corrected=bool(row[18]),
        other_page_ids=tuple(str(row[36]).split()) if row[36] else (),
        work_keys=tuple(str(row[33]).split("\n")) if row[33] else (),
        is_pointer=bool(row[39]),
        excluded_reason=QUARANTINED if row[40] else None,
        sole_citation=optional_text(row[37]),
        edge_correction_reason=optional_text(row[41]),
        edge_corrected_at=optional_text(row[42]),
        authors=tuple(map(str, json.loads(str(row[38])))),
        claim_language=optional_text(row[43]),
        fragment_language=optional_text(row[44]),
    )


def _locator(row: Row) -> Locator:
    version_id, digest, start, end, section, page_number, stale = row[20:27]
    return Locator(
        page_version_id=str(version_id),
        content_hash=str(digest),
        start=int(start or 0),
        end=int(end or 0),
        section=optional_text(section),
        page_number=None if page_number is None else int(page_number),
        path=optional_text(row[35]),
        stale=bool(stale),
    )


def locate(quote: str, normalised: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the decisive sentence of the normalised text, from `start` to `end`, stands in the quote as written."""
    if stands_as_written(quote, normalised):
        return start, end
    if " ".join(quote.split()) == normalised:
        return _words_at(quote, normalised, start, end)
    wanted = normalise_text(normalised[start:end])
    for low, high in split_sentences(quote):
        if normalise_text(quote[low:high]) == wanted:
            return low, high
    return None


def stands_as_written(quote: str, normalised: str) -> bool:
    """Return whether all stands in the quote where it stands in the normalised text: at most one white space for another."""
    return quote == normalised or (len(quote) == len(normalised) and " ".join(quote.split()) == normalised)


def _words_at(quote: str, folded: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where words of the folded text stand in a quote that differs from it in white space alone."""
    words = [match.span() for match in _WORD.finditer(quote)]
    first = folded.count(" ", 0, start)
    last = folded.count(" ", 0, end - 1)
    inside = start - (folded.rfind(" ", 0, start) + 1)
    after = end - (folded.rfind(" ", 0, end - 1) + 1)
    return (words[first][0] + inside, words[last][0] + after) if start < end else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
