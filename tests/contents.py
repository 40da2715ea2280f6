"""What a store holds, by content instead of id, so that two stores can be compared."""

from dataclasses import dataclass

from lyra.store.database import Row
from lyra.store.evidence_store import EvidenceStore


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything a reader could tell two stores apart by; ids and times are left out."""

    pages: list[Row]
    fragments: list[Row]
    occurrences: list[Row]
    vectors: list[Row]
    cites: list[Row]
    claims: list[Row]
    edges: list[Row]
    ledger: list[Row]
    numbers: dict[tuple[str, str], tuple[float, ...]]

    def sizes(self) -> dict[str, int]:
        """How many of each there are."""
        names = ("pages", "fragments", "occurrences", "cites", "claims", "edges")
        return {name: len(getattr(self, name)) for name in names}


def contents(store: EvidenceStore) -> Contents:
    """Read the whole store. Writes nothing."""
    rows = store.database.rows
    return Contents(
        pages=rows("SELECT url, doi, title, domain, retracted_at IS NOT NULL FROM pages ORDER BY url"),
        fragments=rows("SELECT fragment_id, fragment_text, fragment_language FROM fragments ORDER BY fragment_id"),
        occurrences=rows(
            "SELECT p.url, v.content_hash, x.char_start, x.char_end, x.fragment_id, x.is_stale FROM extracted_from x"
            " JOIN pages p ON p.page_id = x.page_id JOIN page_versions v ON v.page_version_id = x.page_version_id"
            " ORDER BY 1, 2, 3, 4"
        ),
        vectors=rows(
            "SELECT f.fragment_id, v.embedder_version, v.scale, v.vector FROM fragment_vectors v"
            " JOIN fragments f ON f.fragment_seq = v.fragment_seq ORDER BY 1, 2"
        ),
        cites=rows(
            "SELECT a.url, b.url FROM cites c JOIN pages a ON a.page_id = c.citing_page_id"
            " JOIN pages b ON b.page_id = c.cited_page_id ORDER BY 1, 2"
        ),
        claims=rows(
            "SELECT t.question, c.claim_text, c.claim_position, c.claim_origin_fragment FROM claims c"
            " JOIN tasks t ON t.task_id = c.task_id ORDER BY 1, 2"
        ),
        edges=rows(
            "SELECT t.question, c.claim_text, e.fragment_id, e.relation, e.nli_confidence, e.nli_model FROM edges e"
            " JOIN claims c ON c.claim_id = e.claim_id JOIN tasks t ON t.task_id = c.task_id ORDER BY 1, 2, 3"
        ),
        ledger=rows("SELECT root_path, path, status, code FROM library_files ORDER BY 1, 2"),
        numbers=_numbers(store),
    )


def _numbers(store: EvidenceStore) -> dict[tuple[str, str], tuple[float, ...]]:
    found = {}
    for task in store.tasks.all():
        values = store.edges.confidences(task.task_id)
        for claim in store.tasks.claims(task.task_id):
            value = values[claim.claim_id]
            found[task.question, claim.text] = tuple(
                round(number, 9) for number in (value.alpha, value.beta, value.confidence, value.uncertainty, value.controversy)
            )
    return found


def sizes(store: EvidenceStore) -> dict[str, int]:
    """How many pages, fragments, occurrences, cites, claims and edges there are."""
    return contents(store).sizes()


def faults(store: EvidenceStore) -> list[Row]:
    """What SQLite's own checks find wrong: nothing, in a sound store."""
    integrity = [row for row in store.database.rows("PRAGMA integrity_check") if row != ("ok",)]
    return integrity + store.database.rows("PRAGMA foreign_key_check")
