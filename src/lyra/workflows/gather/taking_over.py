"""What of a fetched page is taken over: its text, the names it may bear, and the works it refers to.

A page says what it likes of itself. A name of a work counts as its own only where a resolver led to it or an index of works
gave its address; what it merely claims is a reference like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lyra.core.identifiers import identifiers_in_address, identifiers_in_text, scholarly
from lyra.core.identity import host_of, normalise_url
from lyra.core.pages import FetchedPage, Link
from lyra.core.records import Document, Identifier
from lyra.workflows.gather.ground import Target

_RESOLVERS = frozenset(
    {
        "doi.org",
        "dx.doi.org",
        "www.doi.org",
        "arxiv.org",
        "export.arxiv.org",
        "pubmed.ncbi.nlm.nih.gov",
        "pmc.ncbi.nlm.nih.gov",
        "www.ncbi.nlm.nih.gov",
    }
)


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A document as it is stored, and what it leads to: works by identifier, and other pages, in the order of mention."""

    document: Document
    works: tuple[Identifier, ...]
    pages: tuple[str, ...]


def take_over(page: FetchedPage, target: Target, citations: Sequence[Link], limit: int) -> TakenOver:
    """Return what of a page is taken over. `citations` are the links of its text that refer to sources."""
    document = page.document
    vouched = set(target.names) | set(vouched_names(target.url))
    addresses = [name for name in document.identifiers if name.kind == "url" and _host(name.value) == _host(page.url)]
    own = [*sorted(vouched, key=lambda name: (name.kind, name.value)), *addresses]
    if not addresses:
        own.append(Identifier("url", normalise_url(page.url)))
    cited = [*(link.target for link in citations), *(link.target for link in page.cited)]
    mentioned = [*cited, *identifiers_in_text(document.text), *scholarly(document.identifiers)]
    references = [name for name in dict.fromkeys(mentioned) if name not in own]
    works = scholarly(references)
    led_to = dict.fromkeys(link.url for link in (*citations, *page.cited) if link.target.kind == "url" and link.url)
    return TakenOver(
        replace(document, identifiers=tuple(own), references=tuple(references)),
        tuple(works[:limit]),
        tuple(led_to)[:limit],
    )


def vouched_names(url: str) -> list[Identifier]:
    """Return the works that an address names, if it is that of a resolver."""
    return scholarly(identifiers_in_address(url)) if _host(url) in _RESOLVERS else []


def _host(url: str) -> str | None:
    try:
        return host_of(url)
    except ValueError:
        return None
