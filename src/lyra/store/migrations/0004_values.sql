-- Whole batches of text are indexed at a time: gather more of it in memory (16 MB), and merge later.
INSERT INTO fragment_index (fragment_index, rank) VALUES ('hashsize', 16777216);
INSERT INTO fragment_index (fragment_index, rank) VALUES ('automerge', 16);

-- The values of all claims of a task in one pass, and orders that stay as they were while a reader pages through them.

-- The edges that count: everything that sums or counts evidence reads them here, so that what counts is said once.
CREATE VIEW counting_edges AS
SELECT claim_id, fragment_id, relation, nli_confidence FROM edges;

-- Sums over all edges of a claim. A copy: where is_fresh is 0 it is not used, and the edges are summed instead.
CREATE TABLE claim_sums (
    task_id     TEXT NOT NULL,
    claim_id    TEXT NOT NULL,
    support     REAL NOT NULL DEFAULT 0.0,
    refute      REAL NOT NULL DEFAULT 0.0,
    supporting  INTEGER NOT NULL DEFAULT 0,
    refuting    INTEGER NOT NULL DEFAULT 0,
    neutral     INTEGER NOT NULL DEFAULT 0,
    is_fresh    INTEGER NOT NULL DEFAULT 1 CHECK (is_fresh IN (0, 1)),
    PRIMARY KEY (task_id, claim_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_sums_stale ON claim_sums (task_id, claim_id) WHERE is_fresh = 0;

INSERT INTO claim_sums
SELECT c.task_id, c.claim_id,
       coalesce(sum(e.nli_confidence) FILTER (WHERE e.relation = 'supports'), 0.0),
       coalesce(sum(e.nli_confidence) FILTER (WHERE e.relation = 'refutes'), 0.0),
       count(*) FILTER (WHERE e.relation = 'supports'),
       count(*) FILTER (WHERE e.relation = 'refutes'),
       count(*) FILTER (WHERE e.relation = 'neutral'),
       1
FROM claims c LEFT JOIN edges e ON e.claim_id = c.claim_id
GROUP BY c.claim_id;

CREATE TRIGGER claim_sums_of_new_claim AFTER INSERT ON claims BEGIN
    INSERT INTO claim_sums (task_id, claim_id) VALUES (new.task_id, new.claim_id);
END;
CREATE TRIGGER claim_sums_of_deleted_claim AFTER DELETE ON claims BEGIN
    DELETE FROM claim_sums WHERE task_id = old.task_id AND claim_id = old.claim_id;
END;
-- Whoever changes an edge, by whatever way, makes the copy stale.
CREATE TRIGGER claim_sums_after_new_edge AFTER INSERT ON edges BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND claim_id = new.claim_id
        AND task_id = (SELECT task_id FROM claims WHERE claim_id = new.claim_id);
END;
CREATE TRIGGER claim_sums_after_changed_edge AFTER UPDATE OF claim_id, fragment_id, relation, nli_confidence ON edges BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND claim_id IN (old.claim_id, new.claim_id)
        AND task_id IN (SELECT task_id FROM claims WHERE claim_id IN (old.claim_id, new.claim_id));
END;
CREATE TRIGGER claim_sums_after_deleted_edge AFTER DELETE ON edges BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND claim_id = old.claim_id
        AND task_id = (SELECT task_id FROM claims WHERE claim_id = old.claim_id);
END;

-- The sums as they are now, from the copy or from the edges.
CREATE VIEW claim_sums_now AS
SELECT s.task_id, s.claim_id,
       CASE WHEN s.is_fresh THEN s.support ELSE (SELECT coalesce(sum(e.nli_confidence), 0.0) FROM counting_edges e
            WHERE e.claim_id = s.claim_id AND e.relation = 'supports') END AS support,
       CASE WHEN s.is_fresh THEN s.refute ELSE (SELECT coalesce(sum(e.nli_confidence), 0.0) FROM counting_edges e
            WHERE e.claim_id = s.claim_id AND e.relation = 'refutes') END AS refute,
       CASE WHEN s.is_fresh THEN s.supporting ELSE (SELECT count(*) FROM counting_edges e
            WHERE e.claim_id = s.claim_id AND e.relation = 'supports') END AS supporting,
       CASE WHEN s.is_fresh THEN s.refuting ELSE (SELECT count(*) FROM counting_edges e
            WHERE e.claim_id = s.claim_id AND e.relation = 'refutes') END AS refuting,
       CASE WHEN s.is_fresh THEN s.neutral ELSE (SELECT count(*) FROM counting_edges e
            WHERE e.claim_id = s.claim_id AND e.relation = 'neutral') END AS neutral
FROM claim_sums s;

-- What every claim has come to: the values of the Beta(1 + support, 1 + refute) distribution.
CREATE VIEW claim_values AS
SELECT task_id, claim_id,
       (1.0 + support) / ((1.0 + support) + (1.0 + refute)) AS confidence,
       sqrt((1.0 + support) * (1.0 + refute)
            / (((1.0 + support) + (1.0 + refute)) * ((1.0 + support) + (1.0 + refute))
               * (((1.0 + support) + (1.0 + refute)) + 1.0))) AS uncertainty,
       CASE WHEN support + refute > 0.0 THEN min(support, refute) / (support + refute) ELSE 0.0 END AS controversy,
       1.0 + support AS alpha,
       1.0 + refute AS beta,
       supporting + refuting + neutral AS evidence_count,
       supporting AS supporting_count,
       refuting AS refuting_count,
       neutral AS neutral_count
FROM claim_sums_now;

-- The order of a task's claims at one moment, for a reader who pages through them: claim positions, four bytes each,
-- and the newest position of that moment. Claims that came later follow in the order they came.
CREATE TABLE claim_orders (
    order_id         TEXT PRIMARY KEY,
    task_id          TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
    claim_order      TEXT NOT NULL,
    newest_position  INTEGER NOT NULL,
    positions        BLOB NOT NULL,
    created_at       TEXT NOT NULL
) STRICT;
CREATE INDEX claim_orders_by_task ON claim_orders (task_id, created_at);
