-- Verified reports that were kept on purpose, and of their claims what later reports are compared with.

CREATE TABLE reports (
    report_id       TEXT PRIMARY KEY,
    ticker          TEXT NOT NULL,
    research_id     TEXT NOT NULL,
    overall_status  TEXT NOT NULL CHECK (overall_status IN ('pass', 'pass_with_corrections', 'fail')),
    content_hash    TEXT NOT NULL UNIQUE,
    report          TEXT NOT NULL,
    structured      TEXT NOT NULL CHECK (json_valid(structured)),
    results         TEXT NOT NULL CHECK (json_valid(results)),
    saved_seq       INTEGER NOT NULL UNIQUE,
    saved_at        TEXT NOT NULL
) STRICT;
CREATE INDEX reports_by_research ON reports (ticker, research_id, saved_seq);

CREATE TABLE report_claims (
    report_id           TEXT NOT NULL REFERENCES reports (report_id),
    claim_id            INTEGER NOT NULL,
    claim               TEXT NOT NULL,
    confidence          INTEGER NOT NULL CHECK (confidence BETWEEN 10 AND 90),
    pattern_matches     TEXT NOT NULL CHECK (json_valid(pattern_matches)),
    pattern_rejections  TEXT NOT NULL CHECK (json_valid(pattern_rejections)),
    PRIMARY KEY (report_id, claim_id)
) STRICT, WITHOUT ROWID;
