"""Which sighting a fragment counts with. The view `left_out_fragments` says by the same rule which do not count."""

from lyra.store.database import Database

# The first current sighting. While every page may be used, the index gives it directly.
_FIRST = """
    SELECT x.occurrence_seq FROM extracted_from x WHERE x.fragment_id = {fragment}
    ORDER BY x.is_stale, x.occurrence_seq LIMIT 1
"""
# A page in quarantine comes last: its copy of a text takes nothing from others. Of current ones, a blocked domain comes last.
_FIRST_USABLE = """
    SELECT x.occurrence_seq FROM extracted_from x JOIN pages xp ON xp.page_id = x.page_id
    LEFT JOIN domains xd ON xd.domain = xp.domain WHERE x.fragment_id = {fragment}
    ORDER BY xp.quarantined_at IS NOT NULL, x.is_stale, xd.domain_category IS 'blocked', x.occurrence_seq LIMIT 1
"""
_ANY_SET_ASIDE = """
    SELECT EXISTS (SELECT 1 FROM pages WHERE quarantined_at IS NOT NULL OR is_pointer = 1)
        OR EXISTS (SELECT 1 FROM domains WHERE domain_category = 'blocked')
"""


def anything_set_aside(database: Database) -> bool:
    """Return whether any page is in quarantine, a mere pointer, or of a blocked domain."""
    return bool(database.value(_ANY_SET_ASIDE))


def counted_sighting(database: Database, fragment: str) -> str:
    """Return the SQL of the sighting (occurrence_seq) that a fragment counts with; `fragment` is SQL for its id."""
    return (_FIRST_USABLE if anything_set_aside(database) else _FIRST).format(fragment=fragment)
