"""When a version of a page is out of date: no file holds it any more, and no reading of the network brought it last."""

from lyra.store.database import Database
from lyra.store.library_records import HELD

_HELD = HELD.format(version="?1")


def refresh_staleness(database: Database, version_id: str) -> None:
    """Mark the sightings of a version as stale or current, in the transaction of the caller."""
    database.run(
        f"UPDATE extracted_from SET is_stale = NOT ({_HELD}) WHERE page_version_id = ?1 AND is_stale <> NOT ({_HELD})",
        (version_id,),
    )
