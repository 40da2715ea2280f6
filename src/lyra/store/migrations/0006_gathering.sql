-- Gathering from the network: PubMed Central ids name pages too, and what was asked of each host is counted by day.

CREATE TABLE resource_index_with_pmcid (
    identifier_kind   TEXT NOT NULL CHECK (identifier_kind IN ('doi', 'pmid', 'pmcid', 'arxiv', 'url')),
    identifier_value  TEXT NOT NULL,
    page_id           TEXT NOT NULL REFERENCES pages (page_id),
    PRIMARY KEY (identifier_kind, identifier_value)
) STRICT, WITHOUT ROWID;
INSERT INTO resource_index_with_pmcid SELECT identifier_kind, identifier_value, page_id FROM resource_index;
DROP TABLE resource_index;
ALTER TABLE resource_index_with_pmcid RENAME TO resource_index;
CREATE INDEX resource_index_by_page ON resource_index (page_id);

CREATE TABLE domain_usage (
    host      TEXT NOT NULL,
    day       TEXT NOT NULL,
    requests  INTEGER NOT NULL,
    pages     INTEGER NOT NULL,
    PRIMARY KEY (host, day)
) STRICT, WITHOUT ROWID;

-- What a provider listed for a query of a task, once each, and whether it was taken.
CREATE TABLE serp_items (
    serp_item_id  TEXT PRIMARY KEY,
    task_id       TEXT NOT NULL REFERENCES tasks (task_id),
    query_hash    TEXT NOT NULL,
    provider      TEXT NOT NULL,
    item_key      TEXT NOT NULL,
    serp_rank     INTEGER NOT NULL,
    url           TEXT,
    title         TEXT NOT NULL,
    snippet       TEXT NOT NULL,
    identifiers   TEXT NOT NULL DEFAULT '[]',
    block_reason  TEXT,
    cause_id      TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    UNIQUE (task_id, query_hash, provider, item_key)
) STRICT;

-- The pages that were gathered for a task: with the library, what its claims are judged against.
CREATE TABLE task_pages (
    task_id   TEXT NOT NULL REFERENCES tasks (task_id),
    page_id   TEXT NOT NULL REFERENCES pages (page_id),
    found_as  TEXT NOT NULL CHECK (found_as IN ('abstract', 'citation', 'fetch', 'handed_in')),
    cause_id  TEXT NOT NULL,
    added_at  TEXT NOT NULL,
    PRIMARY KEY (task_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_pages_by_page ON task_pages (page_id);

-- Where a page version came from other than a file, with the body as it was sent (zlib), so that a quote can be shown in
-- place. Of one source the last reading is current; the versions of earlier ones become stale.
CREATE TABLE page_readings (
    page_version_id  TEXT NOT NULL REFERENCES page_versions (page_version_id),
    reading_source   TEXT NOT NULL CHECK (reading_source IN ('abstract', 'fetch')),
    page_id          TEXT NOT NULL REFERENCES pages (page_id),
    url              TEXT,
    media_type       TEXT,
    raw              BLOB,
    raw_bytes        INTEGER NOT NULL DEFAULT 0,
    read_at          TEXT NOT NULL,
    is_current       INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    PRIMARY KEY (page_version_id, reading_source)
) STRICT;
CREATE INDEX page_readings_by_page ON page_readings (page_id);

-- What each part of a job came to, committed together with its effects: a job that goes on repeats none of it.
CREATE TABLE job_steps (
    job_id         TEXT NOT NULL,
    step           TEXT NOT NULL,
    part           TEXT NOT NULL,
    outcome        TEXT NOT NULL,
    spent_seconds  REAL NOT NULL,
    done_at        TEXT NOT NULL,
    PRIMARY KEY (job_id, step, part)
) STRICT, WITHOUT ROWID;

-- How each provider answered in a run, and which paths were taken.
CREATE TABLE search_reports (
    job_id      TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES tasks (task_id),
    report      TEXT NOT NULL,
    created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX search_reports_by_task ON search_reports (task_id, created_at);

-- Pages that only a person gets past: a login, a proof that no robot is asking.
CREATE TABLE intervention_queue (
    intervention_id  TEXT PRIMARY KEY,
    task_id          TEXT NOT NULL REFERENCES tasks (task_id),
    url              TEXT NOT NULL,
    host             TEXT NOT NULL,
    wall             TEXT NOT NULL CHECK (wall IN ('login', 'captcha')),
    sign             TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'resolved', 'skipped')),
    cause_id         TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    resolved_at      TEXT,
    UNIQUE (task_id, url)
) STRICT;
CREATE INDEX intervention_queue_by_status ON intervention_queue (status, created_at);

-- What a claim was last judged against, and what a query last proposed claims from: where nothing has changed since, nothing
-- is done again, also when the order of sources by rank is another one now.
CREATE TABLE scope_marks (
    subject_id  TEXT PRIMARY KEY,
    mark        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
