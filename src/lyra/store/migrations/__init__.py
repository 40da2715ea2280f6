"""Schema changes: named, ordered, each committed together with its own record."""

from importlib import resources

from lyra.core.errors import StoreError
from lyra.store.database import Database


def known_migrations() -> list[tuple[int, str, str]]:
    """Return (version, name, SQL) of every migration this program has, in order."""
    found = []
    for entry in resources.files("lyra.store.migrations").iterdir():
        stem, _, suffix = entry.name.partition(".")
        if suffix == "sql":
            number, _, name = stem.partition("_")
            found.append((int(number), name, entry.read_text(encoding="utf-8")))
    return sorted(found)


def schema_version(database: Database) -> int:
    """Return the newest migration recorded in the database; 0 for an empty one."""
    if not database.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"):
        return 0
    return database.count("SELECT max(version) FROM schema_migrations")


def migrate(database: Database, applied_at: str) -> int:
    """Bring the schema up to date and return its version.

    Safe when several processes start at once: each migration is checked and applied under the write lock.
    Refuses, unchanged, a database written by a newer program or one that holds something else.
    """
    migrations = known_migrations()
    newest = migrations[-1][0]
    if schema_version(database) == newest:
        return newest
    for number, name, sql in migrations:
        with database.transaction():
            version = schema_version(database)
            if version > newest:
                raise StoreError("database_from_future", path=database.path, found=version, known=newest)
            if version == 0 and database.count("SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"):
                raise StoreError("database_foreign", path=database.path)
            if version < number:
                _apply(database, number, name, sql, applied_at)
    return newest


def _apply(database: Database, number: int, name: str, sql: str, applied_at: str) -> None:
    database.run_script(
        "CREATE TABLE IF NOT EXISTS schema_migrations"
        " (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT"
    )
    database.run_script(sql)
    database.run("INSERT INTO schema_migrations VALUES (?, ?, ?)", (number, name, applied_at))
