-- Files that hold many records, who observed a reference, and texts that were purged.

-- The ledger of a file's records. A reading of the file writes a generation of its own; when it is complete, the
-- generations before it go. So an interrupted reading takes nothing away, and what is no longer in the file is found.
CREATE TABLE library_records (
    root_path        TEXT NOT NULL,
    path             TEXT NOT NULL,
    generation       INTEGER NOT NULL,
    record_number    INTEGER NOT NULL,
    record_line      INTEGER NOT NULL,
    record_key       TEXT,
    status           TEXT NOT NULL CHECK (status IN ('read', 'skipped', 'failed')),
    code             TEXT,
    params           TEXT NOT NULL DEFAULT '{}',
    notes            TEXT NOT NULL DEFAULT '[]',
    page_id          TEXT REFERENCES pages (page_id),
    page_version_id  TEXT REFERENCES page_versions (page_version_id),
    PRIMARY KEY (root_path, path, generation, record_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX library_records_by_path ON library_records (path);
CREATE INDEX library_records_by_version ON library_records (page_version_id) WHERE page_version_id IS NOT NULL;
CREATE INDEX library_records_by_page ON library_records (page_id) WHERE page_id IS NOT NULL;

-- Every place in the library that holds a page, be it a file or a record of one.
CREATE VIEW library_holdings AS
    SELECT root_path, path, status, code, page_id, page_version_id FROM library_files WHERE page_id IS NOT NULL
    UNION ALL
    SELECT root_path, path, status, code, page_id, page_version_id FROM library_records WHERE page_id IS NOT NULL;

ALTER TABLE page_references ADD COLUMN citation_source TEXT NOT NULL DEFAULT 'extraction';

-- A purged text is empty; the quotes that results need stay with their occurrences.
ALTER TABLE page_versions ADD COLUMN purged_at TEXT;
ALTER TABLE extracted_from ADD COLUMN kept_quote TEXT;
CREATE INDEX page_versions_by_page ON page_versions (page_id);
