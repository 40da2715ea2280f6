"""Named views: questions about the graph that are asked often, each with its parameters and columns.

A view is one reading statement. `?1`, `?2`, … are its parameters in order, then comes the number of rows wanted; a parameter
that was not given is NULL or its default. `task` narrows a view to one task.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a view can be asked with. `kind` is `task`, `page`, `number` or `whole`; bounds are for the latter two."""

    name: str
    kind: str
    default: float | int | None = None
    low: float = 0
    high: float = 0
    required: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A named question. `columns` are those of its answer, in order.

    `near_duplicates` alone gets its rows from a computation: its statement reads the texts, and takes no number of rows.
    """

    name: str
    parameters: tuple[Parameter, ...]
    columns: tuple[str, ...]
    sql: str


_TASK = Parameter("task", "task")
_VALUES = "v.confidence, v.uncertainty, v.controversy, v.supporting_count, v.refuting_count"
_VALUE_COLUMNS = ("confidence", "uncertainty", "controversy", "supporting_count", "refuting_count")
# The page an edge counts with: the first current one its fragment was seen on.
_FIRST_PAGE = """
    (SELECT x.page_id FROM extracted_from x WHERE x.fragment_id = e.fragment_id ORDER BY x.is_stale, x.occurrence_seq LIMIT 1)
"""
_CLAIMS = "FROM claim_values v JOIN claims c ON c.claim_id = v.claim_id WHERE (?1 IS NULL OR v.task_id = ?1)"
_SPEAKING = f"""
    SELECT e.claim_id, e.relation, e.nli_confidence, c.claim_origin_page, {_FIRST_PAGE} AS page_id
    FROM counting_edges e JOIN claims c ON c.claim_id = e.claim_id
    WHERE e.relation <> 'neutral' AND (?1 IS NULL OR c.task_id = ?1)
"""

_CONTRADICTIONS = View(
    "contradictions",
    (_TASK, Parameter("least", "number", 0.5, 0.0, 1.0)),
    ("claim_id", "task_id", *_VALUE_COLUMNS, "strongest_support", "strongest_refutation", "claim_text"),
    f"""
    SELECT c.claim_id, c.task_id, {_VALUES},
           (SELECT max(nli_confidence) FROM counting_edges WHERE claim_id = c.claim_id AND relation = 'supports') AS pro,
           (SELECT max(nli_confidence) FROM counting_edges WHERE claim_id = c.claim_id AND relation = 'refutes') AS contra,
           c.claim_text
    {_CLAIMS} AND v.supporting_count > 0 AND v.refuting_count > 0 AND pro >= ?2 AND contra >= ?2
    ORDER BY v.controversy DESC, min(v.alpha, v.beta) DESC, c.claim_id LIMIT ?3
    """,
)
_BEST_SUPPORTED = View(
    "best_supported",
    (_TASK, Parameter("least_sources", "whole", 2, 1, 1_000)),
    ("claim_id", "task_id", *_VALUE_COLUMNS, "independent_sources", "claim_text"),
    f"""
    WITH sources AS (
        SELECT claim_id, count(DISTINCT nullif(page_id, claim_origin_page)) AS pages FROM ({_SPEAKING})
        WHERE relation = 'supports' GROUP BY claim_id)
    SELECT c.claim_id, c.task_id, {_VALUES},
           s.pages, c.claim_text
    FROM sources s JOIN claims c ON c.claim_id = s.claim_id
    JOIN claim_values v ON v.claim_id = c.claim_id AND v.task_id = c.task_id
    WHERE s.pages >= ?2
    ORDER BY v.confidence DESC, s.pages DESC, c.claim_id LIMIT ?3
    """,
)
_MOST_UNCERTAIN = View(
    "most_uncertain",
    (_TASK, Parameter("least_evidence", "whole", 0, 0, 1_000_000)),
    ("claim_id", "task_id", *_VALUE_COLUMNS, "neutral_count", "claim_text"),
    f"""
    SELECT c.claim_id, c.task_id, {_VALUES}, v.neutral_count, c.claim_text
    {_CLAIMS} AND v.supporting_count + v.refuting_count >= ?2
    ORDER BY v.uncertainty DESC, c.task_id, c.claim_position LIMIT ?3
    """,
)
_FRESHNESS = View(
    "freshness",
    (_TASK, Parameter("before", "whole", None, 1, 9_999)),
    ("claim_id", "task_id", "oldest_year", "newest_year", "dated_sources", "undated_sources", "confidence", "claim_text"),
    f"""
    WITH years AS (
        SELECT DISTINCT s.claim_id, s.page_id, CAST(substr(p.published_on, 1, 4) AS INTEGER) AS year
        FROM ({_SPEAKING}) s JOIN pages p ON p.page_id = s.page_id)
    SELECT c.claim_id, c.task_id, min(y.year) AS oldest, max(y.year) AS newest, count(y.year),
           count(*) - count(y.year), v.confidence, c.claim_text
    FROM years y JOIN claims c ON c.claim_id = y.claim_id
    JOIN claim_values v ON v.claim_id = c.claim_id AND v.task_id = c.task_id
    GROUP BY c.claim_id HAVING ?2 IS NULL OR newest < ?2
    ORDER BY newest IS NOT NULL, newest, oldest, c.claim_id LIMIT ?3
    """,
)
_SOURCE_IMPACT = View(
    "source_impact",
    (_TASK,),
    (
        "page_id",
        "claims",
        "supporting_weight",
        "refuting_weight",
        "sole_source_of",
        "retracted",
        "published_on",
        "domain",
        "url",
        "title",
    ),
    f"""
    WITH speaking AS MATERIALIZED ({_SPEAKING}),
         alone AS (
            SELECT page_id, count(*) AS claims FROM (
                SELECT min(page_id) AS page_id FROM speaking GROUP BY claim_id HAVING min(page_id) = max(page_id))
            GROUP BY page_id),
         impact AS (
            SELECT page_id, count(DISTINCT claim_id) AS claims,
                   coalesce(sum(nli_confidence) FILTER (WHERE relation = 'supports'), 0.0) AS pro,
                   coalesce(sum(nli_confidence) FILTER (WHERE relation = 'refutes'), 0.0) AS contra
            FROM speaking GROUP BY page_id)
    SELECT i.page_id, i.claims, i.pro, i.contra, coalesce(a.claims, 0),
           p.retracted_at IS NOT NULL, p.published_on, p.domain, p.url, p.title
    FROM impact i JOIN pages p ON p.page_id = i.page_id LEFT JOIN alone a ON a.page_id = i.page_id
    ORDER BY i.pro + i.contra DESC, i.claims DESC, i.page_id LIMIT ?2
    """,
)
_ORPHAN_SOURCES = View(
    "orphan_sources",
    (_TASK,),
    ("page_id", "fragments", "judged_pairs", "citations", "published_on", "url", "title"),
    # Of a task: pages among its documents. Judged and found silent is told apart from never looked at.
    """
    WITH speaking AS (
        SELECT DISTINCT x.page_id FROM counting_edges e JOIN claims c ON c.claim_id = e.claim_id
        JOIN extracted_from x ON x.fragment_id = e.fragment_id
        WHERE e.relation <> 'neutral' AND (?1 IS NULL OR c.task_id = ?1))
    SELECT p.page_id, (SELECT count(*) FROM extracted_from x WHERE x.page_id = p.page_id),
           (SELECT count(*) FROM extracted_from x JOIN edges e ON e.fragment_id = x.fragment_id
            JOIN claims c ON c.claim_id = e.claim_id WHERE x.page_id = p.page_id AND (?1 IS NULL OR c.task_id = ?1)),
           (SELECT count(*) FROM cites WHERE cited_page_id = p.page_id), p.published_on, p.url, p.title
    FROM pages p
    WHERE p.page_id NOT IN (SELECT page_id FROM speaking)
      AND (?1 IS NULL OR p.page_id IN (
        SELECT f.page_id FROM task_library t JOIN library_files f ON f.root_path = t.root_path WHERE t.task_id = ?1))
    ORDER BY p.created_at, p.page_id LIMIT ?2
    """,
)
_CITATION_NEIGHBOURS = View(
    "citation_neighbours",
    (Parameter("page", "page", required=True), Parameter("distance", "whole", 1, 1, 4)),
    ("page_id", "distance", "cites_it", "cited_by_it", "edges", "retracted", "published_on", "doi", "url", "title"),
    # UNION keeps a cycle from being walked twice.
    """
    WITH RECURSIVE reached (page_id, distance) AS (
            SELECT ?1, 0
            UNION SELECT c.cited_page_id, r.distance + 1 FROM reached r JOIN cites c ON c.citing_page_id = r.page_id
            WHERE r.distance < ?2
            UNION SELECT c.citing_page_id, r.distance + 1 FROM reached r JOIN cites c ON c.cited_page_id = r.page_id
            WHERE r.distance < ?2),
         nearest AS (SELECT page_id, min(distance) AS distance FROM reached GROUP BY page_id HAVING page_id <> ?1)
    SELECT n.page_id, n.distance,
           EXISTS (SELECT 1 FROM cites WHERE citing_page_id = n.page_id AND cited_page_id = ?1),
           EXISTS (SELECT 1 FROM cites WHERE citing_page_id = ?1 AND cited_page_id = n.page_id),
           (SELECT count(*) FROM extracted_from x JOIN counting_edges e ON e.fragment_id = x.fragment_id
            WHERE x.page_id = n.page_id AND e.relation <> 'neutral'),
           p.retracted_at IS NOT NULL, p.published_on, p.doi, p.url, p.title
    FROM nearest n JOIN pages p ON p.page_id = n.page_id
    ORDER BY n.distance, n.page_id LIMIT ?3
    """,
)
_RETRACTED_SUPPORT = View(
    "retracted_support",
    (_TASK,),
    ("claim_id", "task_id", "page_id", "supporting_weight", "confidence", "retracted_at", "url", "title", "claim_text"),
    f"""
    SELECT c.claim_id, c.task_id, p.page_id, sum(s.nli_confidence), v.confidence, p.retracted_at, p.url, p.title, c.claim_text
    FROM ({_SPEAKING}) s JOIN pages p ON p.page_id = s.page_id AND p.retracted_at IS NOT NULL
    JOIN claims c ON c.claim_id = s.claim_id JOIN claim_values v ON v.claim_id = c.claim_id AND v.task_id = c.task_id
    WHERE s.relation = 'supports' GROUP BY c.claim_id, p.page_id
    ORDER BY sum(s.nli_confidence) DESC, c.claim_id, p.page_id LIMIT ?2
    """,
)
_WITHOUT_EVIDENCE = View(
    "without_evidence",
    (_TASK,),
    ("claim_id", "task_id", "neutral_count", "claim_text"),
    f"""
    SELECT c.claim_id, c.task_id, v.neutral_count, c.claim_text
    {_CLAIMS} AND v.supporting_count + v.refuting_count = 0
    ORDER BY c.task_id, c.claim_position LIMIT ?2
    """,
)

# The texts that the groups are made of; the grouping itself is no matter of SQL.
_NEAR_DUPLICATES = View(
    "near_duplicates",
    (_TASK,),
    ("group_number", "group_size", "fragment_id", "page_id", "published_on", "url", "title", "fragment_text"),
    """
    SELECT f.fragment_id, x.page_id, p.published_on, p.url, p.title, f.fragment_text
    FROM fragments f
    JOIN extracted_from x ON x.occurrence_seq = (SELECT o.occurrence_seq FROM extracted_from o
        WHERE o.fragment_id = f.fragment_id ORDER BY o.is_stale, o.occurrence_seq LIMIT 1)
    JOIN pages p ON p.page_id = x.page_id
    WHERE ?1 IS NULL OR f.fragment_id IN (
        SELECT e.fragment_id FROM claims c JOIN edges e ON e.claim_id = c.claim_id WHERE c.task_id = ?1)
    ORDER BY f.fragment_seq
    """,
)

VIEWS = {
    view.name: view
    for view in (
        _CONTRADICTIONS,
        _BEST_SUPPORTED,
        _MOST_UNCERTAIN,
        _FRESHNESS,
        _SOURCE_IMPACT,
        _ORPHAN_SOURCES,
        _CITATION_NEIGHBOURS,
        _RETRACTED_SUPPORT,
        _WITHOUT_EVIDENCE,
        _NEAR_DUPLICATES,
    )
}
