-- Governance: what people decide about domains, blocks, quarantined pages, corrections, and the history of all of it.

-- The override rules in force; domain_override_events says how they came about.
CREATE TABLE domain_override_rules (
    rule_id         TEXT PRIMARY KEY,
    domain_pattern  TEXT NOT NULL,
    decision        TEXT NOT NULL CHECK (decision IN ('block', 'unblock')),
    reason          TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    updated_seq     INTEGER NOT NULL,
    is_active       INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX domain_override_rules_in_force ON domain_override_rules (domain_pattern) WHERE is_active = 1;

-- Append-only, in order of event_seq.
CREATE TABLE domain_override_events (
    event_seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    rule_id         TEXT NOT NULL,
    action          TEXT NOT NULL CHECK (action IN ('domain_block', 'domain_unblock', 'domain_clear_override')),
    domain_pattern  TEXT NOT NULL,
    decision        TEXT NOT NULL CHECK (decision IN ('block', 'unblock', 'clear')),
    reason          TEXT NOT NULL,
    cause_id        TEXT NOT NULL,
    created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX domain_override_events_by_pattern ON domain_override_events (domain_pattern, event_seq);

-- Blocks that the program found. Those of people are override rules, those of the policy stand in its file.
CREATE TABLE domain_blocks (
    domain                    TEXT NOT NULL,
    domain_block_reason       TEXT NOT NULL,
    block_rule                TEXT NOT NULL,
    original_domain_category  TEXT NOT NULL,
    payload                   TEXT NOT NULL DEFAULT '{}',
    cause_id                  TEXT,
    blocked_at                TEXT NOT NULL,
    PRIMARY KEY (domain, domain_block_reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE domain_promotions (
    domain       TEXT PRIMARY KEY,
    claim_id     TEXT NOT NULL,
    cause_id     TEXT,
    promoted_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every claim that was extracted from a page of a domain, and whether it was rejected. Outlives its task: a domain does
-- not become better or worse because somebody cleaned up.
CREATE TABLE domain_claims (
    domain             TEXT NOT NULL,
    claim_id           TEXT NOT NULL,
    security_rejected  INTEGER NOT NULL DEFAULT 0 CHECK (security_rejected IN (0, 1)),
    manual_rejected    INTEGER NOT NULL DEFAULT 0 CHECK (manual_rejected IN (0, 1)),
    PRIMARY KEY (domain, claim_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX domain_claims_by_claim ON domain_claims (claim_id);
INSERT INTO domain_claims (domain, claim_id)
    SELECT p.domain, c.claim_id FROM claims c JOIN pages p ON p.page_id = c.claim_origin_page WHERE p.domain IS NOT NULL;

-- Append-only, in order of event_seq: what happened to a domain or to a page of it.
CREATE TABLE domain_events (
    event_seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    domain      TEXT,
    page_id     TEXT,
    event_type  TEXT NOT NULL CHECK (event_type IN
        ('blocked', 'block_lifted', 'promoted', 'category_changed', 'page_quarantined', 'page_released')),
    payload     TEXT NOT NULL DEFAULT '{}',
    cause_id    TEXT,
    created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX domain_events_by_domain ON domain_events (domain, event_seq);
CREATE INDEX domain_events_by_page ON domain_events (page_id, event_seq);

-- A page whose text was found dangerous. Ids and address are plain values: the record outlives the page.
CREATE TABLE page_quarantines (
    quarantine_id    TEXT PRIMARY KEY,
    page_id          TEXT NOT NULL,
    page_version_id  TEXT NOT NULL,
    url              TEXT NOT NULL,
    domain           TEXT,
    findings         TEXT NOT NULL,
    cause_id         TEXT NOT NULL,
    quarantined_at   TEXT NOT NULL,
    released_at      TEXT,
    release_reason   TEXT,
    UNIQUE (page_id, page_version_id)
) STRICT;
CREATE INDEX page_quarantines_by_domain ON page_quarantines (domain) WHERE released_at IS NULL;

ALTER TABLE pages ADD COLUMN quarantined_at TEXT;
ALTER TABLE pages ADD COLUMN is_pointer INTEGER NOT NULL DEFAULT 0 CHECK (is_pointer IN (0, 1));
CREATE INDEX pages_left_out ON pages (page_id) WHERE quarantined_at IS NOT NULL OR is_pointer = 1;

-- Right answers that people gave. Texts are snapshots and ids plain values: a sample outlives what it was about.
CREATE TABLE nli_corrections (
    correction_seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    correction_id         TEXT NOT NULL UNIQUE,
    edge_id               TEXT NOT NULL,
    claim_id              TEXT NOT NULL,
    task_id               TEXT NOT NULL,
    premise               TEXT NOT NULL,
    hypothesis            TEXT NOT NULL,
    predicted_label       TEXT NOT NULL CHECK (predicted_label IN ('supports', 'refutes', 'neutral')),
    predicted_confidence  REAL NOT NULL,
    predicted_raw         REAL NOT NULL,
    nli_supports          REAL NOT NULL,
    nli_refutes           REAL NOT NULL,
    nli_neutral           REAL NOT NULL,
    nli_model             TEXT NOT NULL,
    nli_model_version     TEXT NOT NULL,
    calibration_version   TEXT,
    correct_label         TEXT NOT NULL CHECK (correct_label IN ('supports', 'refutes', 'neutral')),
    reason                TEXT,
    corrected_at          TEXT NOT NULL
) STRICT;
CREATE INDEX nli_corrections_by_edge ON nli_corrections (edge_id, correction_seq);

-- The correction that an edge has its relation from. Nothing but another correction changes such an edge.
ALTER TABLE edges ADD COLUMN edge_correction_id TEXT;
CREATE TRIGGER edges_corrected_stay BEFORE UPDATE OF relation, nli_label, nli_confidence, edge_human_corrected ON edges
WHEN old.edge_human_corrected = 1 AND new.edge_correction_id IS old.edge_correction_id
BEGIN
    SELECT RAISE(IGNORE);
END;

-- Policy files that were in force; the newest is the last good one.
CREATE TABLE domain_policies (
    policy_seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    content     TEXT NOT NULL,
    seen_at     TEXT NOT NULL
) STRICT;
