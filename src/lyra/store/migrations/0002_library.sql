-- The local library: its roots, the ledger of files, which roots a task reads, and the search index.

CREATE TABLE library_roots (
    root_path   TEXT PRIMARY KEY,
    added_at    TEXT NOT NULL
) STRICT;

CREATE TABLE library_files (
    root_path        TEXT NOT NULL REFERENCES library_roots (root_path),
    path             TEXT NOT NULL,
    file_size        INTEGER NOT NULL,
    mtime_ns         INTEGER NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('read', 'skipped', 'failed', 'removed')),
    code             TEXT,
    params           TEXT NOT NULL DEFAULT '{}',
    notes            TEXT NOT NULL DEFAULT '[]',
    page_id          TEXT REFERENCES pages (page_id),
    page_version_id  TEXT REFERENCES page_versions (page_version_id),
    read_at          TEXT NOT NULL,
    PRIMARY KEY (root_path, path)
) STRICT;
CREATE INDEX library_files_by_path ON library_files (path);
CREATE INDEX library_files_by_version ON library_files (page_version_id);
CREATE INDEX library_files_by_page ON library_files (page_id);

CREATE TABLE task_library (
    task_id    TEXT NOT NULL REFERENCES tasks (task_id),
    root_path  TEXT NOT NULL,
    PRIMARY KEY (task_id, root_path)
) STRICT, WITHOUT ROWID;

-- rowid = fragments.fragment_seq. CJK text is indexed as character bigrams made before it gets here.
CREATE VIRTUAL TABLE fragment_index USING fts5 (
    terms, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
);

-- A unit vector as int8 with one scale per vector.
CREATE TABLE fragment_vectors (
    fragment_seq      INTEGER NOT NULL REFERENCES fragments (fragment_seq),
    embedder_version  TEXT NOT NULL,
    scale             REAL NOT NULL,
    vector            BLOB NOT NULL,
    PRIMARY KEY (embedder_version, fragment_seq)
) STRICT, WITHOUT ROWID;

-- What a model said about a (fragment, claim text) pair; shared by all tasks.
CREATE TABLE stance_cache (
    fragment_id      TEXT NOT NULL,
    claim_text_hash  TEXT NOT NULL,
    model_version    TEXT NOT NULL,
    nli_label        TEXT NOT NULL,
    nli_supports     REAL NOT NULL,
    nli_refutes      REAL NOT NULL,
    nli_neutral      REAL NOT NULL,
    nli_raw          REAL NOT NULL,
    decisive_start   INTEGER,
    decisive_end     INTEGER,
    PRIMARY KEY (fragment_id, claim_text_hash, model_version)
) STRICT, WITHOUT ROWID;
