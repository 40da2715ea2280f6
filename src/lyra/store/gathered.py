"""What was gathered for tasks: result items, pages with their raw bodies, citations that services observed, reports."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from lyra.core.errors import NotFound
from lyra.core.gathering import SUMMARY, PageSummary, RawPage, SearchReport
from lyra.core.identity import host_of, text_hash
from lyra.core.records import Document, Identifier, LedgerEntry, ProviderReport, ProviderStatus, Span
from lyra.store.database import optional_text
from lyra.store.pages import Pages, Sighting
from lyra.store.session import Session
from lyra.store.staleness import refresh_staleness

if TYPE_CHECKING:  # every command opens the store, and few have to do with pages of the web
    from lyra.core.pages import FetchedPage
    from lyra.core.works import Item

FoundAs = Literal["abstract", "citation", "fetch", "handed_in"]
_RESOLVERS = ("doi.org",)
# Who may have observed a citation; anybody else's word counts as found in a text.
_OBSERVERS = ("semantic_scholar", "openalex", "extraction")


@dataclass(frozen=True, slots=True)
class Sought:
    """For whom something was gathered: the task, how it was found, and what caused it."""

    task_id: str
    found_as: FoundAs
    cause_id: str


@dataclass(frozen=True, slots=True)
class Listed:
    """Where an item stood: in the answer to a query of a task, at a rank."""

    task_id: str
    query: str
    rank: int
    cause_id: str


class Gathered:
    """The tables of gathering."""

    def __init__(self, session: Session, pages: Pages) -> None:
        self._session = session
        self._database = session.database
        self._pages = pages

    def add_item(self, listed: Listed, item: "Item", block_reason: str | None) -> bool:
        """Keep an entry of a result list; returns whether it was new. In the transaction of the caller."""
        names = [f"{one.kind}:{one.value}" for one in item.identifiers]
        key = item.url or next(iter(names), item.title)
        added = self._database.run(
            "INSERT OR IGNORE INTO serp_items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._session.new_id("item"),
                listed.task_id,
                text_hash(listed.query),
                item.source,
                key,
                listed.rank,
                item.url,
                item.title,
                item.snippet,
                json.dumps(names, ensure_ascii=False),
                block_reason,
                listed.cause_id,
                self._session.now(),
            ),
        )
        return added > 0

    def keep_abstract(self, sought: Sought, document: Document, spans: list[Span]) -> Sighting:
        """Store a paper that a service described by its abstract, for a task. In the transaction of the caller."""
        name = document.identifiers[0]
        sighting = self._pages.register(document, f"{name.kind}:{name.value}", spans)
        self._read(sighting, "abstract", None, None, None)
        self._belongs(sought, sighting.page_id)
        return sighting

    def keep_fetched(self, sought: Sought, page: "FetchedPage", document: Document, spans: list[Span]) -> Sighting:
        """Store a page that was fetched, with its body, for a task. In the transaction of the caller.

        `document` is the page as it may be taken over. A version that was replaced by this one becomes stale.
        """
        sighting = self._pages.register(document, page.url, spans)
        self._read(sighting, "fetch", page.url, page.media_type, page.raw)
        host = host_of(page.url)
        if host is not None:  # a resolver only led there
            self._database.run(
                "UPDATE pages SET domain = ?1 WHERE page_id = ?2"
                " AND (domain IS NULL OR domain IN (SELECT value FROM json_each(?3)))"
                " AND EXISTS (SELECT 1 FROM domains WHERE domain = ?1)",
                (host, sighting.page_id, json.dumps(_RESOLVERS)),
            )
        self._belongs(sought, sighting.page_id)
        return sighting

    def _read(self, sighting: Sighting, source: str, url: str | None, media_type: str | None, raw: bytes | None) -> None:
        before = self._database.rows(
            "SELECT page_version_id FROM page_readings WHERE page_id = ? AND reading_source = ? AND is_current = 1"
            " AND page_version_id <> ?",
            (sighting.page_id, source, sighting.page_version_id),
        )
        self._database.run(
            "UPDATE page_readings SET is_current = 0 WHERE page_id = ? AND reading_source = ? AND page_version_id <> ?",
            (sighting.page_id, source, sighting.page_version_id),
        )
        self._database.run(
            "INSERT INTO page_readings VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)"
            " ON CONFLICT (page_version_id, reading_source) DO UPDATE SET is_current = 1, read_at = excluded.read_at",
            (
                sighting.page_version_id,
                source,
                sighting.page_id,
                url,
                media_type,
                None if raw is None else zlib.compress(raw, 6),
                len(raw or b""),
                self._session.now(),
            ),
        )
        for (version_id,) in [*before, (sighting.page_version_id,)]:
            refresh_staleness(self._database, str(version_id))

    def _belongs(self, sought: Sought, page_id: str) -> None:
        self._database.run(
            "INSERT OR IGNORE INTO task_pages VALUES (?, ?, ?, ?, ?)",
            (sought.task_id, page_id, sought.found_as, sought.cause_id, self._session.now()),
        )

    def raw(self, page_id: str, version_id: str | None = None) -> RawPage:
        """Return the body of a page as it was sent, of its last reading unless a version is named. Raises NotFound."""
        row = self._database.row(
            "SELECT page_version_id, url, media_type, raw FROM page_readings WHERE page_id = ? AND raw IS NOT NULL"
            " AND (? IS NULL OR page_version_id = ?) ORDER BY is_current DESC, read_at DESC LIMIT 1",
            (page_id, version_id, version_id),
        )
        if row is None:
            raise NotFound("no_raw_page", page_id=page_id)
        body = row[3]
        return RawPage(
            str(row[0]), optional_text(row[1]), optional_text(row[2]), zlib.decompress(body) if isinstance(body, bytes) else b""
        )

    def cite(self, citing_page_id: str, cited_page_id: str, source: str) -> bool:
        """Record that one page cites another, as a service observed it; the first to observe it is kept.

        Returns whether it was new. In the transaction of the caller.
        """
        if citing_page_id == cited_page_id:
            return False
        observer = source if source in _OBSERVERS else _OBSERVERS[-1]
        added = self._database.run(
            "INSERT OR IGNORE INTO cites SELECT ?1, ?2, ?3, ?4,"
            " (SELECT d.domain_category FROM pages p JOIN domains d ON d.domain = p.domain WHERE p.page_id = ?2),"
            " (SELECT d.domain_category FROM pages p JOIN domains d ON d.domain = p.domain WHERE p.page_id = ?3), ?5",
            (self._session.new_id("edge"), citing_page_id, cited_page_id, observer, self._session.now()),
        )
        return added > 0

    def page_of(self, names: Sequence[Identifier]) -> str | None:
        """Return the page of the work that these names are of, by its strongest name."""
        return self._pages.known(names)

    def has_pages(self, task_id: str) -> bool:
        """Return whether anything was gathered for a task."""
        return self._database.value("SELECT 1 FROM task_pages WHERE task_id = ? LIMIT 1", (task_id,)) is not None

    def counts(self, task_id: str) -> dict[str, int]:
        """Return how many pages were gathered for a task, by how they were found."""
        rows = self._database.rows(
            "SELECT found_as, count(*) FROM task_pages WHERE task_id = ? GROUP BY 1 ORDER BY 1", (task_id,)
        )
        return {str(name): int(count or 0) for name, count in rows}

    def keep_report(self, job_id: str, task_id: str, report: SearchReport) -> None:
        """Keep how the providers answered in a job. In the transaction of the caller."""
        value = {"providers": [asdict(one) for one in report.providers], "paths": dict(report.paths)}
        self._database.run(
            "INSERT OR REPLACE INTO search_reports VALUES (?, ?, ?, ?)",
            (job_id, task_id, json.dumps(value, ensure_ascii=False, default=str), self._session.now()),
        )

    def last_report(self, task_id: str) -> SearchReport | None:
        """Return how the providers answered in the last search of a task that asked any."""
        row = self._database.row(
            "SELECT report FROM search_reports WHERE task_id = ? ORDER BY created_at DESC, job_id DESC LIMIT 1", (task_id,)
        )
        if row is None:
            return None
        value = json.loads(str(row[0]))
        return SearchReport(tuple(map(_report, value["providers"])), value["paths"])

    def summaries(self, task_id: str) -> list[PageSummary]:
        """Return what a language model said of the pages of a task, the newest for each page; none of pages in quarantine."""
        rows = self._database.rows(
            "SELECT p.page_id, s.part, p.url, p.title, json_extract(s.outcome, '$.summary'), json_extract(s.outcome, '$.model')"
            " FROM job_steps s JOIN jobs j ON j.job_id = s.job_id JOIN page_versions v ON v.page_version_id = s.part"
            " JOIN pages p ON p.page_id = v.page_id"
            " WHERE s.step = ? AND j.task_id = ? AND p.quarantined_at IS NULL AND v.purged_at IS NULL"
            " ORDER BY s.done_at, s.part",
            (SUMMARY, task_id),
        )
        found: dict[str, PageSummary] = {}
        for page_id, version, url, title, summary, model in rows:
            told = PageSummary(str(page_id), str(version), str(url), optional_text(title), str(summary), str(model))
            found[told.page_id] = told
        return list(found.values())

    def note_step(self, task_id: str, event_type: str, payload: Mapping[str, object], cause_id: str) -> None:
        """Append to the event log. In the transaction of the caller."""
        self._session.log(event_type, task_id, payload, cause_id)


def _report(value: Mapping[str, object]) -> ProviderReport:
    counts, problems, hosts = value.get("counts"), value.get("problems"), value.get("hosts")
    return ProviderReport(
        name=str(value["name"]),
        status=ProviderStatus(str(value["status"])),
        detail=str(value["detail"]),
        endpoint=None if value["endpoint"] is None else str(value["endpoint"]),
        counts=dict(counts) if isinstance(counts, dict) else {},
        problems=tuple(_entry(one) for one in problems) if isinstance(problems, list) else (),
        hosts=tuple(hosts) if isinstance(hosts, list) else (),
    )


def _entry(value: Mapping[str, object]) -> LedgerEntry:
    params = value["params"]
    return LedgerEntry(
        path=str(value["path"]),
        status=str(value["status"]),
        code=None if value["code"] is None else str(value["code"]),
        params=dict(params) if isinstance(params, dict) else {},
        area=str(value["area"]),
    )
