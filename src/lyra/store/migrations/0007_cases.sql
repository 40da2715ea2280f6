-- Cases with every version that was saved, the labels people gave, and the last word on where they differ.

-- The newest content of a case; task_id is the task in which its claims were last checked.
CREATE TABLE cases (
    case_id     TEXT PRIMARY KEY CHECK (case_id <> ''),
    content     TEXT NOT NULL,
    task_id     TEXT REFERENCES tasks (task_id) ON DELETE SET NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
) STRICT;
CREATE INDEX cases_by_task ON cases (task_id);

-- Every content a case has had: who saved it, when, why, and what made it (validate, check, adjudicate, …).
CREATE TABLE case_revisions (
    revision_seq  INTEGER PRIMARY KEY,
    case_id       TEXT NOT NULL REFERENCES cases (case_id),
    content       TEXT NOT NULL,
    made_by       TEXT NOT NULL,
    saved_by      TEXT,
    reason        TEXT,
    created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX case_revisions_by_case ON case_revisions (case_id, revision_seq);

-- One person's label for one field of one unit (a case, a source or a claim of it). Labels are added, never changed:
-- the newest of a rater counts.
CREATE TABLE case_annotations (
    annotation_seq  INTEGER PRIMARY KEY,
    unit            TEXT NOT NULL,
    field           TEXT NOT NULL,
    rater           TEXT NOT NULL,
    value           TEXT,
    lead_time       REAL,
    reason          TEXT,
    created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX case_annotations_by_label ON case_annotations (unit, field, rater, annotation_seq);

-- A person's final word on a label, with the consensus that was proposed. Decisions are added, never changed: the newest counts.
CREATE TABLE case_adjudications (
    adjudication_seq  INTEGER PRIMARY KEY,
    unit              TEXT NOT NULL,
    field             TEXT NOT NULL,
    value             TEXT NOT NULL,
    decided_by        TEXT NOT NULL CHECK (decided_by <> ''),
    reason            TEXT NOT NULL CHECK (reason <> ''),
    proposed_value    TEXT,
    proposed_probability  REAL CHECK (proposed_probability BETWEEN 0.0 AND 1.0),
    created_at        TEXT NOT NULL
) STRICT;
CREATE INDEX case_adjudications_by_label ON case_adjudications (unit, field, adjudication_seq);
