"""Finding fragments: full text (FTS5) and exact vector search over a library scope."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lyra.core.passages import Passage
from lyra.core.records import Candidate, Locator, Ranked
from lyra.core.terms import match_query
from lyra.store.database import Row, optional_text, placeholders
from lyra.store.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lyra.store.vectors import VectorIndex

_PER_QUERY = 500
_PASSAGES = """
    SELECT f.fragment_id,
           coalesce(x.kept_quote, substr(v.extracted_text, x.char_start + 1, x.char_end - x.char_start)),
           v.page_version_id, v.content_hash, x.char_start, x.char_end, x.section, x.page_number, x.is_stale,
           coalesce((SELECT min(l.path) FROM library_files l WHERE l.page_version_id = v.page_version_id),
             (SELECT min(r.path) FROM library_records r WHERE r.page_version_id = v.page_version_id)),
           p.page_id, p.url, p.title, p.published_on, p.doi, p.retracted_at IS NOT NULL,
           (SELECT count(*) FROM edges e WHERE e.fragment_id = f.fragment_id)
    FROM fragments f
    JOIN extracted_from x ON x.occurrence_seq = (SELECT o.occurrence_seq FROM extracted_from o
        WHERE o.fragment_id = f.fragment_id ORDER BY o.is_stale, o.occurrence_seq LIMIT 1)
    JOIN page_versions v ON v.page_version_id = x.page_version_id
    JOIN pages p ON p.page_id = x.page_id
    WHERE f.fragment_id IN ({fragments})
"""
_OUTSIDE_LIBRARY = """
    AND NOT EXISTS (SELECT 1 FROM extracted_from o JOIN library_files l ON l.page_version_id = o.page_version_id
                    WHERE o.fragment_id = x.fragment_id AND l.status = 'read')
"""


class Searching:
    """Search among the fragments of a scope.

    `open_scope` chooses library roots, and everything after it sees only the current text of their files.
    `open_task_scope` adds what the task was judged against, `open_whole_scope` takes every fragment there is.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database
        self._scope = "search_scope"

    def open_scope(self, roots: Sequence[str]) -> int:
        """Make the current fragments of `roots` the scope; returns how many there are."""
        self._scope = "search_scope"
        self._database.run_script("CREATE TEMP TABLE IF NOT EXISTS search_scope (fragment_seq INTEGER PRIMARY KEY)")
        self._database.run("DELETE FROM search_scope")
        self._database.run(
            "INSERT OR IGNORE INTO search_scope SELECT f.fragment_seq FROM library_holdings l"
            " JOIN extracted_from x ON x.page_version_id = l.page_version_id"
            " JOIN fragments f ON f.fragment_id = x.fragment_id"
            f" WHERE l.status = 'read' AND l.root_path IN ({placeholders(len(roots))})",
            list(roots),
        )
        return self._size()

    def add_gathered(self, task_id: str) -> int:
        """Add the current fragments of the pages that were gathered for a task to the scope; returns how many there are now."""
        self._database.run(
            "INSERT OR IGNORE INTO search_scope SELECT f.fragment_seq FROM task_pages t"
            " JOIN extracted_from x ON x.page_id = t.page_id AND x.is_stale = 0"
            " JOIN fragments f ON f.fragment_id = x.fragment_id WHERE t.task_id = ?",
            (task_id,),
        )
        return self._size()

    def open_task_scope(self, task_id: str, roots: Sequence[str]) -> int:
        """Make the current fragments of `roots`, and those with an edge to a claim of the task, the scope; returns how many."""
        self.open_scope(roots)
        self._database.run(
            "INSERT OR IGNORE INTO search_scope SELECT f.fragment_seq FROM claims c JOIN edges e ON e.claim_id = c.claim_id"
            " JOIN fragments f ON f.fragment_id = e.fragment_id WHERE c.task_id = ?",
            (task_id,),
        )
        return self._size()

    def open_whole_scope(self) -> int:
        """Make all fragments the scope; returns how many there are."""
        self._scope = "fragments"
        return self._size()

    def _size(self) -> int:
        return self._database.count(f"SELECT count(*) FROM {self._scope}")

    def close_off(self, domains: Sequence[str]) -> int:
        """Take fragments out of the scope that stand on no page that may be used; returns how many went.

        A page may not be used while it is in quarantine or its host is one of `domains`.
        """
        self._database.run_script("CREATE TEMP TABLE IF NOT EXISTS closed_domains (domain TEXT PRIMARY KEY)")
        self._database.run("DELETE FROM closed_domains")
        self._database.run_many("INSERT INTO closed_domains VALUES (?)", [(domain,) for domain in domains])
        return self._database.run(
            "DELETE FROM search_scope WHERE fragment_seq IN (SELECT f.fragment_seq FROM pages p"
            " JOIN extracted_from x ON x.page_id = p.page_id JOIN fragments f ON f.fragment_id = x.fragment_id"
            " WHERE (p.quarantined_at IS NOT NULL OR p.domain IN (SELECT domain FROM closed_domains))"
            " AND NOT EXISTS (SELECT 1 FROM extracted_from o JOIN pages q ON q.page_id = o.page_id"
            " WHERE o.fragment_id = x.fragment_id AND o.is_stale = 0 AND q.quarantined_at IS NULL"
            " AND (q.domain IS NULL OR q.domain NOT IN (SELECT domain FROM closed_domains))))"
        )

    def mark(self) -> str:
        """Return a value that differs once other fragments are in the scope."""
        row = self._database.row(f"SELECT count(*), max(fragment_seq), sum(fragment_seq) FROM {self._scope}")
        return " ".join(map(str, row or ()))

    def marked(self, subject_id: str) -> str | None:
        """Return the mark that was left for a claim or a query."""
        return optional_text(self._database.value("SELECT mark FROM scope_marks WHERE subject_id = ?", (subject_id,)))

    def leave_mark(self, subject_id: str, mark: str) -> None:
        """Leave a mark for a claim or a query. In the transaction of the caller."""
        self._database.run("INSERT OR REPLACE INTO scope_marks VALUES (?, ?)", (subject_id, mark))

    def hosts(self, fragment_ids: Sequence[str], *, outside_library: bool = False) -> dict[str, set[str | None]]:
        """Return the hosts of the pages, current and not in quarantine, that each fragment stands on.

        With `outside_library` fragments that stand in a file of the library are not among them.
        """
        found: dict[str, set[str | None]] = {}
        for start in range(0, len(fragment_ids), _PER_QUERY):
            part = fragment_ids[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT x.fragment_id, p.domain FROM extracted_from x JOIN pages p ON p.page_id = x.page_id"
                f" WHERE x.fragment_id IN ({placeholders(len(part))}) AND x.is_stale = 0 AND p.quarantined_at IS NULL"
                + (_OUTSIDE_LIBRARY if outside_library else ""),
                list(part),
            )
            for fragment_id, domain in rows:
                found.setdefault(str(fragment_id), set()).add(optional_text(domain))
        return found

    def open_versions(self, version_ids: Sequence[str]) -> int:
        """Make the fragments of some page versions the scope; returns how many there are."""
        self._database.run_script("CREATE TEMP TABLE IF NOT EXISTS search_scope (fragment_seq INTEGER PRIMARY KEY)")
        self._database.run("DELETE FROM search_scope")
        self._database.run(
            "INSERT OR IGNORE INTO search_scope SELECT f.fragment_seq FROM extracted_from x"
            " JOIN fragments f ON f.fragment_id = x.fragment_id"
            f" WHERE x.page_version_id IN ({placeholders(len(version_ids))})",
            list(version_ids),
        )
        return self._database.count("SELECT count(*) FROM search_scope")

    def lexical(self, query: str, limit: int) -> dict[int, float]:
        """Return the BM25 score (larger is better) of the best fragments, by fragment number."""
        expression = match_query(query)
        if expression is None:
            return {}
        rows = self._database.rows(
            "SELECT rowid, -bm25(fragment_index) AS score FROM fragment_index"
            f" WHERE fragment_index MATCH ?{self._inside()} ORDER BY score DESC, rowid LIMIT ?",
            (expression, limit),
        )
        return {int(seq or 0): float(score or 0.0) for seq, score in rows}

    def _inside(self) -> str:
        return "" if self._scope == "fragments" else f" AND rowid IN (SELECT fragment_seq FROM {self._scope})"

    def without_vector(self, embedder_version: str, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` fragments of the scope that have no vector of this embedder yet."""
        rows = self._database.rows(
            f"SELECT s.fragment_seq, f.fragment_text FROM {self._scope} s JOIN fragments f ON f.fragment_seq = s.fragment_seq"
            " WHERE NOT EXISTS (SELECT 1 FROM fragment_vectors v"
            " WHERE v.embedder_version = ? AND v.fragment_seq = s.fragment_seq) ORDER BY s.fragment_seq LIMIT ?",
            (embedder_version, limit),
        )
        return [(int(seq or 0), str(text)) for seq, text in rows]

    def count_without_vector(self, embedder_version: str) -> int:
        """Return how many fragments of the scope have no vector of this embedder yet."""
        return self._database.count(
            f"SELECT count(*) FROM {self._scope} s WHERE NOT EXISTS (SELECT 1 FROM fragment_vectors v"
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

        found = f"FROM {self._scope} s JOIN fragment_vectors v ON v.embedder_version = ? AND v.fragment_seq = s.fragment_seq"
        with self._database.reading():
            count = self._database.count(f"SELECT count(*) {found}", (embedder_version,))
            rows = self._database.stream(
                f"SELECT v.fragment_seq, v.scale, v.vector {found} ORDER BY v.fragment_seq", (embedder_version,)
            )
            return VectorIndex(rows, count)

    def candidates(self, scores: dict[int, tuple[float, float]]) -> list[Candidate]:
        """Return candidates with their texts for fragments scored as (bm25, similarity)."""
        wanted = list(scores)
        found: list[Candidate] = []
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT fragment_seq, fragment_id, fragment_text, fragment_language FROM fragments"
                f" WHERE fragment_seq IN ({placeholders(len(part))})",
                part,
            )
            found += [
                Candidate(str(identity), str(text), *scores[int(seq or 0)], language=str(language))
                for seq, identity, text, language in rows
            ]
        return found

    def passages(self, ranked: Sequence[Ranked]) -> list[Passage]:
        """Return where ranked fragments stand, in their order: each at its first current sighting."""
        scores = {item.fragment_id: item.score for item in ranked}
        found: dict[str, Passage] = {}
        wanted = list(scores)
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            for row in self._database.rows(_PASSAGES.format(fragments=placeholders(len(part))), part):
                found[str(row[0])] = _passage(row, scores[str(row[0])])
        return [found[fragment_id] for fragment_id in wanted if fragment_id in found]


def _passage(row: Row, score: float) -> Passage:
    locator = Locator(
        page_version_id=str(row[2]),
        content_hash=str(row[3]),
        start=int(row[4] or 0),
        end=int(row[5] or 0),
        section=optional_text(row[6]),
        page_number=None if row[7] is None else int(row[7]),
        path=optional_text(row[9]),
        stale=bool(row[8]),
    )
    return Passage(
        fragment_id=str(row[0]),
        score=score,
        quote=str(row[1]),
        locator=locator,
        page_id=str(row[10]),
        url=str(row[11]),
        title=optional_text(row[12]),
        published_on=optional_text(row[13]),
        doi=optional_text(row[14]),
        retracted=bool(row[15]),
        judged_pairs=int(row[16] or 0),
    )
