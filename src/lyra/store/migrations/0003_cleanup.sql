-- Deleting a fragment or page looks up what refers to it; without these every look-up would read a whole table.

CREATE INDEX claims_by_origin_fragment ON claims (claim_origin_fragment) WHERE claim_origin_fragment IS NOT NULL;
CREATE INDEX claims_by_origin_page ON claims (claim_origin_page) WHERE claim_origin_page IS NOT NULL;
CREATE INDEX fragment_vectors_by_fragment ON fragment_vectors (fragment_seq);
