-- The evidence graph: tasks, claims, pages with versions, fragments with occurrences, edges, and their history.

CREATE TABLE tasks (
    task_id     TEXT PRIMARY KEY,
    question    TEXT NOT NULL,
    hypothesis  TEXT,
    status      TEXT NOT NULL CHECK (status IN ('active', 'stopped')),
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
) STRICT;

CREATE TABLE domains (
    domain           TEXT PRIMARY KEY,
    domain_category  TEXT NOT NULL CHECK (domain_category IN
        ('primary', 'government', 'academic', 'trusted', 'low', 'unverified', 'blocked')),
    first_seen_at    TEXT NOT NULL
) STRICT;

CREATE TABLE pages (
    page_id            TEXT PRIMARY KEY,
    url                TEXT NOT NULL UNIQUE,
    domain             TEXT REFERENCES domains (domain),
    title              TEXT,
    authors            TEXT NOT NULL DEFAULT '[]',
    published_on       TEXT,
    doi                TEXT,
    venue              TEXT,
    work_key           TEXT,
    retracted_at       TEXT,
    retraction_reason  TEXT,
    created_at         TEXT NOT NULL
) STRICT;
CREATE INDEX pages_by_domain ON pages (domain);
CREATE INDEX pages_retracted ON pages (page_id) WHERE retracted_at IS NOT NULL;

-- Every name a page is known by. The first page to carry a name keeps it.
CREATE TABLE resource_index (
    identifier_kind   TEXT NOT NULL CHECK (identifier_kind IN ('doi', 'pmid', 'arxiv', 'url')),
    identifier_value  TEXT NOT NULL,
    page_id           TEXT NOT NULL REFERENCES pages (page_id),
    PRIMARY KEY (identifier_kind, identifier_value)
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_index_by_page ON resource_index (page_id);

-- The text of a page as it was read; locators are code-point offsets into extracted_text.
CREATE TABLE page_versions (
    page_version_id  TEXT PRIMARY KEY,
    page_id          TEXT NOT NULL REFERENCES pages (page_id),
    content_hash     TEXT NOT NULL,
    extracted_text   TEXT NOT NULL,
    extractor        TEXT NOT NULL,
    first_read_at    TEXT NOT NULL,
    UNIQUE (page_id, content_hash)
) STRICT;

-- fragment_seq ties a fragment to its rows in the text index.
CREATE TABLE fragments (
    fragment_seq        INTEGER PRIMARY KEY,
    fragment_id         TEXT NOT NULL UNIQUE,
    text_hash           TEXT NOT NULL UNIQUE,
    fragment_text       TEXT NOT NULL,
    fragment_language   TEXT NOT NULL,
    fragmenter_version  TEXT NOT NULL,
    created_at          TEXT NOT NULL
) STRICT;

-- extracted_from: where a fragment was seen. occurrence_seq orders the sightings.
CREATE TABLE extracted_from (
    occurrence_seq   INTEGER PRIMARY KEY,
    fragment_id      TEXT NOT NULL REFERENCES fragments (fragment_id),
    page_id          TEXT NOT NULL REFERENCES pages (page_id),
    page_version_id  TEXT NOT NULL REFERENCES page_versions (page_version_id),
    char_start       INTEGER NOT NULL CHECK (char_start >= 0),
    char_end         INTEGER NOT NULL CHECK (char_end > char_start),
    section          TEXT,
    page_number      INTEGER,
    is_stale         INTEGER NOT NULL DEFAULT 0 CHECK (is_stale IN (0, 1)),
    UNIQUE (page_version_id, char_start, char_end)
) STRICT;
CREATE INDEX extracted_from_by_fragment ON extracted_from (fragment_id, is_stale, occurrence_seq);
CREATE INDEX extracted_from_by_page ON extracted_from (page_id);

-- Works that a page names or links to, known to us or not yet; cites holds those that are.
CREATE TABLE page_references (
    page_id           TEXT NOT NULL REFERENCES pages (page_id),
    identifier_kind   TEXT NOT NULL,
    identifier_value  TEXT NOT NULL,
    PRIMARY KEY (page_id, identifier_kind, identifier_value)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_references_by_target ON page_references (identifier_kind, identifier_value);

CREATE TABLE cites (
    edge_id                 TEXT PRIMARY KEY,
    citing_page_id          TEXT NOT NULL REFERENCES pages (page_id),
    cited_page_id           TEXT NOT NULL REFERENCES pages (page_id),
    citation_source         TEXT NOT NULL CHECK (citation_source IN ('semantic_scholar', 'openalex', 'extraction')),
    source_domain_category  TEXT,
    target_domain_category  TEXT,
    created_at              TEXT NOT NULL,
    UNIQUE (citing_page_id, cited_page_id),
    CHECK (citing_page_id <> cited_page_id)
) STRICT;
CREATE INDEX cites_by_cited ON cites (cited_page_id);

CREATE TABLE claims (
    claim_id                TEXT PRIMARY KEY,
    task_id                 TEXT NOT NULL REFERENCES tasks (task_id),
    claim_position          INTEGER NOT NULL,
    claim_text              TEXT NOT NULL,
    claim_text_hash         TEXT NOT NULL,
    claim_language          TEXT NOT NULL,
    claim_adoption_status   TEXT NOT NULL DEFAULT 'adopted' CHECK (claim_adoption_status IN ('adopted', 'not_adopted')),
    claim_rejection_reason  TEXT,
    claim_rejected_at       TEXT,
    claim_origin_fragment   TEXT REFERENCES fragments (fragment_id),
    claim_origin_page       TEXT REFERENCES pages (page_id),
    created_at              TEXT NOT NULL,
    UNIQUE (task_id, claim_text_hash),
    UNIQUE (task_id, claim_position)
) STRICT;

-- Stance edges: one per (fragment, claim), whatever the relation.
CREATE TABLE edges (
    edge_id                 TEXT PRIMARY KEY,
    fragment_id             TEXT NOT NULL REFERENCES fragments (fragment_id),
    claim_id                TEXT NOT NULL REFERENCES claims (claim_id),
    relation                TEXT NOT NULL CHECK (relation IN ('supports', 'refutes', 'neutral')),
    nli_label               TEXT NOT NULL CHECK (nli_label IN ('supports', 'refutes', 'neutral')),
    nli_confidence          REAL NOT NULL CHECK (nli_confidence BETWEEN 0.0 AND 1.0),
    nli_confidence_raw      REAL NOT NULL CHECK (nli_confidence_raw BETWEEN 0.0 AND 1.0),
    nli_supports            REAL NOT NULL,
    nli_refutes             REAL NOT NULL,
    nli_neutral             REAL NOT NULL,
    nli_decisive_start      INTEGER,
    nli_decisive_end        INTEGER,
    nli_model               TEXT NOT NULL,
    nli_model_version       TEXT NOT NULL,
    calibration_version     TEXT,
    source_domain_category  TEXT,
    target_domain_category  TEXT,
    cause_id                TEXT,
    edge_human_corrected    INTEGER NOT NULL DEFAULT 0 CHECK (edge_human_corrected IN (0, 1)),
    edge_correction_reason  TEXT,
    edge_corrected_at       TEXT,
    created_at              TEXT NOT NULL,
    UNIQUE (claim_id, fragment_id)
) STRICT;
-- Covers the confidence of all claims in one pass.
CREATE INDEX edges_for_confidence ON edges (claim_id, relation, nli_confidence);
CREATE INDEX edges_by_fragment ON edges (fragment_id);

-- Append-only: what happened to a claim, in order of event_seq.
CREATE TABLE claim_timeline (
    event_seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    claim_id    TEXT NOT NULL,
    event_type  TEXT NOT NULL CHECK (event_type IN
        ('found', 'judged', 'corrected', 'rejected', 'restored', 'retraction_seen')),
    payload     TEXT NOT NULL DEFAULT '{}',
    cause_id    TEXT,
    created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX claim_timeline_by_claim ON claim_timeline (claim_id, event_seq);

-- Append-only: what happened in the store, in order of event_seq.
CREATE TABLE event_log (
    event_seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id     TEXT,
    event_type  TEXT NOT NULL,
    payload     TEXT NOT NULL DEFAULT '{}',
    cause_id    TEXT,
    created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX event_log_by_task ON event_log (task_id, event_seq);

CREATE TABLE queries (
    query_id    TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES tasks (task_id),
    query_text  TEXT NOT NULL,
    query_hash  TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    UNIQUE (task_id, query_hash)
) STRICT;

-- Long work under a lease. fencing_token grows with every take-over; a holder of an old token cannot write.
CREATE TABLE jobs (
    job_id            TEXT PRIMARY KEY,
    task_id           TEXT REFERENCES tasks (task_id),
    job_kind          TEXT NOT NULL CHECK (job_kind IN ('check', 'search')),
    payload           TEXT NOT NULL DEFAULT '{}',
    status            TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'stopped')),
    fencing_token     INTEGER NOT NULL DEFAULT 0,
    attempts          INTEGER NOT NULL DEFAULT 0,
    lease_owner       TEXT,
    lease_expires_at  TEXT,
    progress_done     INTEGER NOT NULL DEFAULT 0,
    progress_total    INTEGER NOT NULL DEFAULT 0,
    error             TEXT,
    created_at        TEXT NOT NULL,
    updated_at        TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_status ON jobs (status, created_at);
CREATE INDEX jobs_by_task ON jobs (task_id);
