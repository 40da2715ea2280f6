-- Calibration: the calibrators that were fitted, which one is in force, and how well judgements agreed with right answers.

-- A calibrator never changes once it is written: what it made can always be made again.
CREATE TABLE calibrations (
    calibration_seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    calibration_version  TEXT NOT NULL UNIQUE,
    nli_model            TEXT NOT NULL,
    nli_model_version    TEXT NOT NULL,
    base_version         TEXT,
    calibration_kind     TEXT NOT NULL CHECK (calibration_kind IN ('temperature', 'isotonic')),
    parameters           TEXT NOT NULL,
    sample_count         INTEGER NOT NULL,
    report               TEXT NOT NULL,
    created_at           TEXT NOT NULL
) STRICT;

-- Append-only, in order of event_seq: the newest of a model says which version is in force; NULL means as the model came.
CREATE TABLE calibration_events (
    event_seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id             TEXT NOT NULL UNIQUE,
    nli_model            TEXT NOT NULL,
    nli_model_version    TEXT NOT NULL,
    event_type           TEXT NOT NULL CHECK (event_type IN ('applied', 'rolled_back')),
    calibration_version  TEXT REFERENCES calibrations (calibration_version),
    previous_version     TEXT REFERENCES calibrations (calibration_version),
    reason               TEXT,
    created_at           TEXT NOT NULL
) STRICT;
CREATE INDEX calibration_events_by_model ON calibration_events (nli_model, nli_model_version, event_seq);

CREATE TABLE calibration_evaluations (
    evaluation_seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    evaluation_id        TEXT NOT NULL UNIQUE,
    nli_model            TEXT NOT NULL,
    nli_model_version    TEXT NOT NULL,
    calibration_version  TEXT,
    sample_count         INTEGER NOT NULL,
    metrics              TEXT NOT NULL,
    evaluated_at         TEXT NOT NULL
) STRICT;
CREATE INDEX calibration_evaluations_by_model ON calibration_evaluations (nli_model, nli_model_version, evaluation_seq);
