-- Which languages a pair was judged in, and judging again with another model.

ALTER TABLE edges ADD COLUMN claim_language TEXT;
ALTER TABLE edges ADD COLUMN fragment_language TEXT;
UPDATE edges SET
    claim_language = (SELECT c.claim_language FROM claims c WHERE c.claim_id = edges.claim_id),
    fragment_language = (SELECT f.fragment_language FROM fragments f WHERE f.fragment_id = edges.fragment_id);

-- A claim's timeline knows one more thing that can happen; the numbers given so far are not given again.
CREATE TABLE claim_timeline_wider (
    event_seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    claim_id    TEXT NOT NULL,
    event_type  TEXT NOT NULL CHECK (event_type IN
        ('found', 'judged', 'corrected', 'rejected', 'restored', 'retraction_seen', 'rejudged')),
    payload     TEXT NOT NULL DEFAULT '{}',
    cause_id    TEXT,
    created_at  TEXT NOT NULL
) STRICT;
INSERT INTO claim_timeline_wider SELECT event_seq, claim_id, event_type, payload, cause_id, created_at FROM claim_timeline;
DELETE FROM sqlite_sequence WHERE name = 'claim_timeline_wider';
INSERT INTO sqlite_sequence (name, seq) SELECT 'claim_timeline_wider', seq FROM sqlite_sequence WHERE name = 'claim_timeline';
DROP TABLE claim_timeline;
ALTER TABLE claim_timeline_wider RENAME TO claim_timeline;
CREATE INDEX claim_timeline_by_claim ON claim_timeline (claim_id, event_seq);

CREATE TABLE jobs_wider (
    job_id            TEXT PRIMARY KEY,
    task_id           TEXT REFERENCES tasks (task_id),
    job_kind          TEXT NOT NULL CHECK (job_kind IN ('check', 'search', 'rejudge')),
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
INSERT INTO jobs_wider SELECT job_id, task_id, job_kind, payload, status, fencing_token, attempts, lease_owner,
    lease_expires_at, progress_done, progress_total, error, created_at, updated_at FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_wider RENAME TO jobs;
CREATE INDEX jobs_by_status ON jobs (status, created_at);
CREATE INDEX jobs_by_task ON jobs (task_id);
