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
