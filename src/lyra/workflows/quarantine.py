"""Quarantine: a page with a dangerous pattern is shown and counts for nothing until a person releases it."""

from collections.abc import Sequence

from lyra.core.claim_input import printable
from lyra.core.page_safety import Finding
from lyra.core.records import Document
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import EvidenceStore
from lyra.store.pages import Sighting
from lyra.workflows.bench import Bench
from lyra.workflows.blocking import reconsider
from lyra.workflows.reasons import check_reason

_MAX_FINDINGS = 20
_MAX_EXCERPT_CHARS = 300


def quarantine(store: EvidenceStore, rules: BlockRules, page: Sighting | str, findings: Sequence[Finding], cause_id: str) -> bool:
    """Put a page in quarantine at once; its domain is blocked when enough of its pages are. Returns whether that is new.

    A page id means the newest version of the page. A version that a person released is left alone. One transaction.
    Raises NotFound for an unknown page.
    """
    shown = [Finding(one.family, one.place, printable(one.excerpt)[:_MAX_EXCERPT_CHARS]) for one in findings[:_MAX_FINDINGS]]
    with store.transaction():
        page_id = page if isinstance(page, str) else page.page_id
        version = store.quarantines.current_version(page) if isinstance(page, str) else page.page_version_id
        if version is None or not store.quarantines.put(page_id, version, shown, cause_id):
            return False
        domain = store.quarantines.domain_of(page_id)
        reconsider(store, rules, [domain] if domain else [], cause_id)
    return True


def scan(bench: Bench, document: Document) -> Sequence[Finding]:
    """Return the dangerous patterns of a document; none where nobody looks for them."""
    return bench.scanner.scan(document) if bench.scanner is not None else ()


def inspect(bench: Bench, document: Document, sighting: Sighting, cause_id: str) -> bool:
    """Scan what was just read and quarantine it where something is found; returns whether it was. One transaction."""
    findings = scan(bench, document)
    return bool(findings) and quarantine(bench.store, bench.rules, sighting, findings, cause_id)


def release(store: EvidenceStore, rules: BlockRules, page_id: str, reason: str) -> str:
    """Let a quarantined page count again, for a reason; returns the id of the act. One transaction.

    Raises NotFound for an unknown page, InvalidInput for one that is not in quarantine or a reason that says nothing.
    """
    said = check_reason(reason)
    with store.transaction():
        cause_id = store.new_id("feedback")
        domain = store.quarantines.release(page_id, said, cause_id)
        reconsider(store, rules, [domain] if domain else [], cause_id)
    return cause_id
