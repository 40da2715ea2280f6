"""Taking documents in: the one way from what was read to pages with their fragments, whoever read it."""

from collections.abc import Sequence

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
    return take_in_all(bench, [(document, address)], cause_id)[0]


def take_in_all(bench: Bench, documents: Sequence[tuple[Document, str]], cause_id: str) -> list[Sighting]:
    """Take in documents, each with its address, as `take_in` does, set-wise where that can be. In the caller's transaction."""
    named = {host_of(name.value) for document, _ in documents for name in document.identifiers if name.kind == "url"}
    for host in sorted(host for host in named if host is not None):
        bench.store.domains.note(host, bench.gate.decide(host).category, cause_id)
    cut = [(document, address, cut_fragments(document.text, document.sections)) for document, address in documents]
    sightings = bench.store.page_batches.register(cut)
    for (document, _), sighting in zip(documents, sightings, strict=True):
        if sighting.page_version_id is not None:
            inspect(bench, document, sighting, cause_id)
    return sightings
