"""Finding fragments: full text (FTS5) and exact vector search over a library scope."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lyra.core.records import Candidate
from lyra.core.terms import match_query
from lyra.store.database import placeholders
from lyra.store.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lyra.store.vectors import VectorIndex

_PER_QUERY = 500


class Searching:
    """Search among the fragments that are currently in some library roots.

    `open_scope` chooses the roots; everything after it sees only the current text of their files.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def open_scope(self, roots: Sequence[str]) -> int:
        """Make the current fragments of `roots` the scope; returns how many there are."""
        self._database.run_script("CREATE TEMP TABLE IF NOT EXISTS search_scope (fragment_seq INTEGER PRIMARY KEY)")
        self._database.run("DELETE FROM search_scope")
        self._database.run(
            "INSERT OR IGNORE INTO search_scope SELECT f.fragment_seq FROM library_holdings l"
            " JOIN extracted_from x ON x.page_version_id = l.page_version_id"
            " JOIN fragments f ON f.fragment_id = x.fragment_id"
            f" WHERE l.status = 'read' AND l.root_path IN ({placeholders(len(roots))})",
            list(roots),
        )
        return self._database.count("SELECT count(*) FROM search_scope")

    def lexical(self, query: str, limit: int) -> dict[int, float]:
        """Return the BM25 score (larger is better) of the best fragments, by fragment number."""
        expression = match_query(query)
        if expression is None:
            return {}
        rows = self._database.rows(
            "SELECT rowid, -bm25(fragment_index) AS score FROM fragment_index"
            " WHERE fragment_index MATCH ? AND rowid IN (SELECT fragment_seq FROM search_scope)"
            " ORDER BY score DESC, rowid LIMIT ?",
            (expression, limit),
        )
        return {int(seq or 0): float(score or 0.0) for seq, score in rows}

    def without_vector(self, embedder_version: str, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` fragments of the scope that have no vector of this embedder yet."""
        rows = self._database.rows(
            "SELECT s.fragment_seq, f.fragment_text FROM search_scope s JOIN fragments f ON f.fragment_seq = s.fragment_seq"
            " WHERE NOT EXISTS (SELECT 1 FROM fragment_vectors v"
            " WHERE v.embedder_version = ? AND v.fragment_seq = s.fragment_seq) ORDER BY s.fragment_seq LIMIT ?",
            (embedder_version, limit),
        )
        return [(int(seq or 0), str(text)) for seq, text in rows]

    def count_without_vector(self, embedder_version: str) -> int:
        """Return how many fragments of the scope have no vector of this embedder yet."""
        return self._database.count(
            "SELECT count(*) FROM search_scope s WHERE NOT EXISTS (SELECT 1 FROM fragment_vectors v"
            " WHERE v.embedder_version = ? AND v.fragment_seq = s.fragment_seq)",
            (embedder_version,),
        )

    def add_vectors(self, embedder_version: str, seqs: Sequence[int], vectors: "NDArray[np.float32]") -> None:
        """Store unit vectors as int8 with a scale each; one transaction."""
        from lyra.store.vectors import pack  # noqa: PLC0415  numpy is slow to import, and most commands need no vectors

        with self._session.transaction():
            self._database.run_many(
                "INSERT OR IGNORE INTO fragment_vectors VALUES (?, ?, ?, ?)",
                [(seq, embedder_version, *packed) for seq, packed in zip(seqs, pack(vectors), strict=True)],
            )

    def load_vectors(self, embedder_version: str) -> "VectorIndex":
        """Return the vectors of the scope, ready to be searched."""
        from lyra.store.vectors import VectorIndex  # noqa: PLC0415  numpy is slow to import

        rows = self._database.rows(
            "SELECT v.fragment_seq, v.scale, v.vector FROM search_scope s"
            " JOIN fragment_vectors v ON v.embedder_version = ? AND v.fragment_seq = s.fragment_seq ORDER BY v.fragment_seq",
            (embedder_version,),
        )
        return VectorIndex(rows)

    def candidates(self, scores: dict[int, tuple[float, float]]) -> list[Candidate]:
        """Return candidates with their texts for fragments scored as (bm25, similarity).

        All of them stand in files a person chose, so none is weighed by the host its text came from.
        """
        wanted = list(scores)
        found: list[Candidate] = []
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT fragment_seq, fragment_id, fragment_text FROM fragments"
                f" WHERE fragment_seq IN ({placeholders(len(part))})",
                part,
            )
            found += [Candidate(str(identity), str(text), *scores[int(seq or 0)]) for seq, identity, text in rows]
        return found
