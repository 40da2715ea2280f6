"""Retractions: a retracted page that supports a claim gives one refuting edge, visible like any other."""

from lyra.core.dependence import RETRACTION
from lyra.core.records import Claim, Document, Identifier, ModelInfo, Relation, Section, Span, Stance
from lyra.store.database import optional_text
from lyra.store.edges import Edges
from lyra.store.pages import Pages, Sighting
from lyra.store.session import Session
from lyra.store.tasks import Tasks

RETRACTION_MODEL = ModelInfo(kind="rule", name=RETRACTION, version="1")


class Retractions:
    """Turns retraction flags into edges, so that all confidence goes through edges."""

    def __init__(self, session: Session, pages: Pages, edges: Edges, tasks: Tasks) -> None:
        self._session = session
        self._database = session.database
        self._pages = pages
        self._edges = edges
        self._tasks = tasks

    def apply(self, cause_id: str) -> int:
        """Add what is missing: for each claim a retracted page supports, the notice's refuting edge.

        The edge weighs as much as the page's strongest support, also when a stronger one is found later (unless a
        person has corrected it). Returns how many edges were new; repeating adds none. One transaction.
        """
        added = 0
        with self._session.transaction():
            rows = self._database.rows(
                "SELECT p.page_id, p.url, p.doi, p.title, p.retraction_reason, e.claim_id, max(e.nli_confidence)"
                " FROM pages p JOIN extracted_from x ON x.page_id = p.page_id"
                " JOIN edges e ON e.fragment_id = x.fragment_id AND e.relation = 'supports'"
                " WHERE p.retracted_at IS NOT NULL GROUP BY p.page_id, e.claim_id ORDER BY p.page_id, e.claim_id"
            )
            for page_id, url, doi, title, reason, claim_id, strongest in rows:
                claim, weight = self._tasks.claim(str(claim_id)), float(strongest or 0.0)
                edge_id = self._edge_of(_address(str(url)), claim.claim_id)
                if edge_id is not None:
                    self._strengthen(edge_id, weight)
                    continue
                notice = self._notice(str(url), optional_text(doi), optional_text(title), optional_text(reason))
                added += self._refute(claim, notice, weight, str(page_id), cause_id)
        return added

    def _edge_of(self, address: str, claim_id: str) -> str | None:
        found = self._database.value(
            "SELECT e.edge_id FROM resource_index r JOIN extracted_from x ON x.page_id = r.page_id"
            " JOIN edges e ON e.fragment_id = x.fragment_id AND e.claim_id = ?"
            " WHERE r.identifier_kind = 'url' AND r.identifier_value = ? LIMIT 1",
            (claim_id, address),
        )
        return optional_text(found)

    def _strengthen(self, edge_id: str, weight: float) -> None:
        self._database.run(
            "UPDATE edges SET nli_confidence = ?1, nli_confidence_raw = ?1, nli_refutes = ?1, nli_neutral = 1.0 - ?1"
            " WHERE edge_id = ?2 AND nli_confidence < ?1 AND edge_human_corrected = 0",
            (weight, edge_id),
        )

    def _refute(self, claim: Claim, notice: Sighting, weight: float, page_id: str, cause_id: str) -> int:
        fragment_id = self._database.value(
            "SELECT fragment_id FROM extracted_from WHERE page_version_id = ? ORDER BY occurrence_seq LIMIT 1",
            (notice.page_version_id,),
        )
        stance = Stance(label=Relation.REFUTES, supports=0.0, refutes=weight, neutral=1.0 - weight, raw=weight)
        added = self._edges.add(claim, {str(fragment_id): stance}, RETRACTION_MODEL, cause_id)
        self._session.remember(claim.claim_id, "retraction_seen", {"page_id": page_id}, cause_id)
        return added

    def _notice(self, url: str, doi: str | None, title: str | None, reason: str | None) -> Sighting:
        name = f"https://doi.org/{doi}" if doi else url
        sentence = f"Retraction notice: {title or 'the work'} ({name}) has been retracted."
        text = f"{sentence} {reason}" if reason else sentence
        address = _address(url)
        document = Document(
            text=text,
            sections=(Section(0, len(text)),),
            title=f"Retraction notice: {title or name}",
            identifiers=(Identifier("url", address),),
            extractor="retraction/1",
        )
        return self._pages.register(document, address, [Span(0, len(text))])


def _address(url: str) -> str:
    """Return where the notice of the page at `url` is kept: the page's own address, which never changes, and a mark."""
    return f"{url}#retraction"
