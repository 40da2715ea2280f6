-- What does not count: pointers, and text that was only seen on pages in quarantine. Said once, for every sum and view.

CREATE VIEW left_out_fragments AS
SELECT c.fragment_id FROM (
    SELECT DISTINCT o.fragment_id FROM pages p JOIN extracted_from o ON o.page_id = p.page_id
    WHERE p.quarantined_at IS NOT NULL OR p.is_pointer = 1
) c
JOIN extracted_from s ON s.occurrence_seq = (
    SELECT x.occurrence_seq FROM extracted_from x JOIN pages xp ON xp.page_id = x.page_id
    LEFT JOIN domains xd ON xd.domain = xp.domain WHERE x.fragment_id = c.fragment_id
    ORDER BY xp.quarantined_at IS NOT NULL, x.is_stale, xd.domain_category IS 'blocked', x.occurrence_seq LIMIT 1)
JOIN pages p ON p.page_id = s.page_id
WHERE p.quarantined_at IS NOT NULL OR p.is_pointer = 1;

DROP VIEW counting_edges;
CREATE VIEW counting_edges AS
SELECT claim_id, fragment_id, relation, nli_confidence FROM edges
WHERE fragment_id NOT IN (SELECT fragment_id FROM left_out_fragments);

-- The fragment is looked at for every edge that is summed, so it stands in the index, too.
DROP INDEX edges_for_confidence;
CREATE INDEX edges_for_confidence ON edges (claim_id, relation, nli_confidence, fragment_id);

-- Whatever may change what counts makes the copied sums stale.
CREATE TRIGGER claim_sums_after_page_set_aside AFTER UPDATE OF quarantined_at, is_pointer ON pages
WHEN (old.quarantined_at IS NULL) <> (new.quarantined_at IS NULL) OR old.is_pointer <> new.is_pointer
BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND (task_id, claim_id) IN (
        SELECT c.task_id, c.claim_id FROM extracted_from x JOIN edges e ON e.fragment_id = x.fragment_id
        JOIN claims c ON c.claim_id = e.claim_id WHERE x.page_id = new.page_id);
END;
CREATE TRIGGER claim_sums_after_domain_blocked AFTER UPDATE OF domain_category ON domains
WHEN (old.domain_category = 'blocked') <> (new.domain_category = 'blocked')
BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND (task_id, claim_id) IN (
        SELECT c.task_id, c.claim_id FROM pages p JOIN extracted_from x ON x.page_id = p.page_id
        JOIN edges e ON e.fragment_id = x.fragment_id JOIN claims c ON c.claim_id = e.claim_id WHERE p.domain = new.domain);
END;
CREATE TRIGGER claim_sums_after_new_sighting AFTER INSERT ON extracted_from
WHEN EXISTS (SELECT 1 FROM edges e WHERE e.fragment_id = new.fragment_id) -- not so for a new fragment: asked first, it ends there
 AND EXISTS (SELECT 1 FROM extracted_from o JOIN pages p ON p.page_id = o.page_id
             WHERE o.fragment_id = new.fragment_id AND (p.quarantined_at IS NOT NULL OR p.is_pointer = 1))
BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND (task_id, claim_id) IN (
        SELECT c.task_id, c.claim_id FROM edges e JOIN claims c ON c.claim_id = e.claim_id WHERE e.fragment_id = new.fragment_id);
END;
CREATE TRIGGER claim_sums_after_changed_sighting AFTER UPDATE OF is_stale ON extracted_from
WHEN old.is_stale <> new.is_stale
     AND EXISTS (SELECT 1 FROM extracted_from o JOIN pages p ON p.page_id = o.page_id
                 WHERE o.fragment_id = new.fragment_id AND (p.quarantined_at IS NOT NULL OR p.is_pointer = 1))
BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND (task_id, claim_id) IN (
        SELECT c.task_id, c.claim_id FROM edges e JOIN claims c ON c.claim_id = e.claim_id WHERE e.fragment_id = new.fragment_id);
END;
CREATE TRIGGER claim_sums_after_lost_sighting AFTER DELETE ON extracted_from
WHEN EXISTS (SELECT 1 FROM extracted_from o JOIN pages p ON p.page_id = o.page_id
             WHERE o.fragment_id = old.fragment_id AND (p.quarantined_at IS NOT NULL OR p.is_pointer = 1))
BEGIN
    UPDATE claim_sums SET is_fresh = 0 WHERE is_fresh = 1 AND (task_id, claim_id) IN (
        SELECT c.task_id, c.claim_id FROM edges e JOIN claims c ON c.claim_id = e.claim_id WHERE e.fragment_id = old.fragment_id);
END;
UPDATE claim_sums SET is_fresh = 0 WHERE claim_id IN (
    SELECT e.claim_id FROM left_out_fragments l JOIN edges e ON e.fragment_id = l.fragment_id);
