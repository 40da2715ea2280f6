"""Reading citations back: which pages of a set cite one another."""

from collections.abc import Collection

from lyra.core.records import Citation
from lyra.store.database import placeholders
from lyra.store.session import Session

_CITATIONS = """
    SELECT edge_id, citing_page_id, cited_page_id, citation_source FROM cites
    WHERE citing_page_id IN ({pages}) ORDER BY citing_page_id, cited_page_id
"""
_PAGES_PER_QUERY = 500


class Citations:
    """Read-only view of the citations between pages."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def among(self, page_ids: Collection[str]) -> list[Citation]:
        """Return the citations whose both ends are in the set, ordered by the citing and then the cited page."""
        wanted = sorted(set(page_ids))
        inside = frozenset(wanted)
        found: list[Citation] = []
        for start in range(0, len(wanted), _PAGES_PER_QUERY):
            part = wanted[start : start + _PAGES_PER_QUERY]
            for edge_id, citing, cited, source in self._database.rows(_CITATIONS.format(pages=placeholders(len(part))), part):
                if cited in inside:
                    found.append(Citation(str(edge_id), str(citing), str(cited), str(source)))
        return found
