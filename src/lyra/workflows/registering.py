"""Taking a document in: the one way from what was read to a page with its fragments, whoever read it."""

from lyra.core.fragments import cut_fragments
from lyra.core.identity import host_of
from lyra.core.records import Document
from lyra.store.pages import Sighting
from lyra.workflows.bench import Bench
from lyra.workflows.quarantine import inspect


def take_in(bench: Bench, document: Document, address: str, cause_id: str) -> Sighting:
    """Register a document as a page and quarantine it where a dangerous pattern is found. In the caller's transaction.

    The categories of the hosts that it names as its own are noted before anything refers to them.
    """
    for host in {host_of(name.value) for name in document.identifiers if name.kind == "url"} - {None}:
        bench.store.domains.note(str(host), bench.gate.decide(host).category, cause_id)
    sighting = bench.store.pages.register(document, address, cut_fragments(document.text, document.sections))
    if sighting.page_version_id is not None:
        inspect(bench, document, sighting, cause_id)
    return sighting
