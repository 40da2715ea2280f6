"""Tasks and their claims."""

from collections.abc import Iterable, Sequence

from lyra.core.errors import NotFound
from lyra.core.gathering import Budget
from lyra.core.identity import normalise_text, text_hash
from lyra.core.language import detect_language
from lyra.core.records import Claim, Task, TaskStatus
from lyra.core.times import from_text
from lyra.store.database import Row, optional_text, placeholders
from lyra.store.session import Session

_TASK = """
    SELECT task_id, question, hypothesis, status, created_at, updated_at,
           (SELECT count(*) FROM claims c WHERE c.task_id = t.task_id),
           (SELECT count(*) FROM claims c JOIN edges e ON e.claim_id = c.claim_id WHERE c.task_id = t.task_id)
    FROM tasks t
"""
_CLAIM = """
    SELECT claim_id, task_id, claim_text, claim_language, claim_adoption_status,
           claim_origin_fragment, claim_origin_page, claim_rejection_reason, claim_rejected_at, domain, quarantined_at
    FROM claims LEFT JOIN pages ON page_id = claim_origin_page
"""

_PER_QUERY = 500
NO_BUDGET = Budget()


class Tasks:
    """Tasks, their claims, queries and library scope."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def create(self, question: str, hypothesis: str | None, roots: Sequence[str], budget: Budget = NO_BUDGET) -> Task:
        """Add an active task that reads the given library roots; its searches cost no more than `budget`."""
        task_id, now = self._session.new_id("task"), self._session.now()
        with self._session.transaction():
            self._database.run(
                "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?)",
                (task_id, question, hypothesis, TaskStatus.ACTIVE, now, now),
            )
            self.add_roots(task_id, roots)
            if budget != NO_BUDGET:
                self._database.run("INSERT INTO task_budgets VALUES (?, ?, ?)", (task_id, budget.pages, budget.seconds))
            self._session.log("task_created", task_id, {"question": question})
        return self.get(task_id)

    def budget(self, task_id: str) -> Budget:
        """Return what the searches of a task may cost."""
        row = self._database.row("SELECT pages, seconds FROM task_budgets WHERE task_id = ?", (task_id,))
        if row is None:
            return NO_BUDGET
        pages, seconds = row
        return Budget(None if pages is None else int(pages), None if seconds is None else float(seconds))

    def get(self, task_id: str) -> Task:
        """Return the task, or raise NotFound."""
        row = self._database.row(_TASK + " WHERE task_id = ?", (task_id,))
        if row is None:
            raise NotFound("unknown_task", task_id=task_id)
        return _task(row)

    def all(self) -> list[Task]:
        """Return every task, newest first."""
        return [_task(row) for row in self._database.rows(_TASK + " ORDER BY created_at DESC, task_id DESC")]

    def newest(self, limit: int) -> list[Task]:
        """Return at most `limit` tasks, newest first."""
        rows = self._database.rows(_TASK + " ORDER BY created_at DESC, task_id DESC LIMIT ?", (limit,))
        return [_task(row) for row in rows]

    def stop(self, task_id: str) -> Task:
        """Mark a task stopped and its unfinished jobs with it; deletes nothing; repeating changes nothing."""
        with self._session.transaction():
            task = self.get(task_id)
            if task.status is not TaskStatus.STOPPED:
                now = self._session.now()
                self._database.run("UPDATE tasks SET status = 'stopped', updated_at = ? WHERE task_id = ?", (now, task_id))
                self._database.run(
                    "UPDATE jobs SET status = 'stopped', updated_at = ? WHERE task_id = ? AND status IN ('queued', 'running')",
                    (now, task_id),
                )
                self._session.log("task_stopped", task_id, {})
        return self.get(task_id)

    def add_roots(self, task_id: str, roots: Iterable[str]) -> None:
        """Let a task read further library roots."""
        with self._session.transaction():
            self._database.run_many("INSERT OR IGNORE INTO task_library VALUES (?, ?)", [(task_id, root) for root in roots])

    def roots(self, task_id: str) -> list[str]:
        """Return the library roots a task reads; one that the library has forgotten is none of them."""
        rows = self._database.rows(
            "SELECT t.root_path FROM task_library t JOIN library_roots r ON r.root_path = t.root_path"
            " WHERE t.task_id = ? ORDER BY t.root_path",
            (task_id,),
        )
        return [str(row[0]) for row in rows]

    def add_query(self, task_id: str, query: str) -> bool:
        """Remember a query of a task; returns whether it was new."""
        with self._session.transaction():
            added = self._database.run(
                "INSERT OR IGNORE INTO queries VALUES (?, ?, ?, ?, ?)",
                (self._session.new_id("query"), task_id, query, text_hash(query), self._session.now()),
            )
        return added > 0

    def add_claims(
        self, task_id: str, texts: Iterable[str], origins: Iterable[tuple[str | None, str | None]] | None = None
    ) -> list[Claim]:
        """Add claims and return them in order; a text the task already has (normalised) is that claim.

        `origins` gives, per text, the fragment and page it was extracted from; claims of people have none.
        """
        given = list(texts)
        sources = list(origins) if origins is not None else [(None, None)] * len(given)
        with self._session.transaction():
            position = self._database.count("SELECT max(claim_position) FROM claims WHERE task_id = ?", (task_id,))
            ids = []
            for text, (fragment_id, page_id) in zip(given, sources, strict=True):
                known = self._database.value(
                    "SELECT claim_id FROM claims WHERE task_id = ? AND claim_text_hash = ?", (task_id, text_hash(text))
                )
                if known is None:
                    position += 1
                    known = self._insert_claim(task_id, position, text, fragment_id, page_id)
                ids.append(str(known))
        return [self.claim(claim_id) for claim_id in dict.fromkeys(ids)]

    def _insert_claim(self, task_id: str, position: int, text: str, fragment_id: str | None, page_id: str | None) -> str:
        claim_id, shown = self._session.new_id("claim"), " ".join(text.split())
        self._database.run(
            "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language,"
            " claim_origin_fragment, claim_origin_page, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                claim_id,
                task_id,
                position,
                shown,
                text_hash(text),
                detect_language(normalise_text(text)),
                fragment_id,
                page_id,
                self._session.now(),
            ),
        )
        self._database.run(
            "INSERT INTO domain_claims (domain, claim_id, security_rejected)"
            " SELECT domain, ?, quarantined_at IS NOT NULL FROM pages WHERE page_id = ? AND domain IS NOT NULL",
            (claim_id, page_id),
        )
        self._session.remember(claim_id, "found", {"origin_fragment": fragment_id, "origin_page": page_id})
        return claim_id

    def claim(self, claim_id: str) -> Claim:
        """Return the claim, or raise NotFound."""
        row = self._database.row(_CLAIM + " WHERE claim_id = ?", (claim_id,))
        if row is None:
            raise NotFound("unknown_claim", claim_id=claim_id)
        return _claim(row)

    def claims(self, task_id: str, claim_ids: Sequence[str] | None = None) -> list[Claim]:
        """Return the claims of a task, or the named ones among them, in the order they were added."""
        where, params = " WHERE task_id = ?", [task_id]
        if claim_ids is not None and len(claim_ids) <= _PER_QUERY:
            where, params = f"{where} AND claim_id IN ({placeholders(len(claim_ids))})", [task_id, *claim_ids]
        found = [_claim(row) for row in self._database.rows(f"{_CLAIM}{where} ORDER BY claim_position", params)]
        wanted = None if claim_ids is None else set(claim_ids)
        return [claim for claim in found if wanted is None or claim.claim_id in wanted]

    def claims_by_id(self, claim_ids: Sequence[str]) -> list[Claim]:
        """Return the claims with these ids, in the order given; one that is no longer there is left out."""
        found: dict[str, Claim] = {}
        for start in range(0, len(claim_ids), _PER_QUERY):
            part = claim_ids[start : start + _PER_QUERY]
            rows = self._database.rows(_CLAIM + f" WHERE claim_id IN ({placeholders(len(part))})", part)
            found |= {claim.claim_id: claim for claim in map(_claim, rows)}
        return [found[claim_id] for claim_id in claim_ids if claim_id in found]


def _task(row: Row) -> Task:
    task_id, question, hypothesis, status, created_at, updated_at, claims, edges = row
    return Task(
        task_id=str(task_id),
        question=str(question),
        hypothesis=optional_text(hypothesis),
        status=TaskStatus(str(status)),
        created_at=from_text(str(created_at)),
        updated_at=from_text(str(updated_at)),
        claim_count=int(claims or 0),
        edge_count=int(edges or 0),
    )


def _claim(row: Row) -> Claim:
    claim_id, task_id, text, language, adoption, fragment_id, page_id, reason, rejected_at, domain, quarantined_at = row
    return Claim(
        claim_id=str(claim_id),
        task_id=str(task_id),
        text=str(text),
        language=str(language),
        claim_adoption_status=str(adoption),
        origin_fragment_id=optional_text(fragment_id),
        origin_page_id=optional_text(page_id),
        claim_rejection_reason=optional_text(reason),
        claim_rejected_at=optional_text(rejected_at),
        origin_domain=optional_text(domain),
        origin_quarantined_at=optional_text(quarantined_at),
    )
