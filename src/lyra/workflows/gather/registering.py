"""Step 4: abstracts become pages, and everything met is ranked for the query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lyra.core.bm25 import bm25_scores
from lyra.core.fragments import cut_fragments
from lyra.core.identifiers import identifiers_in_address, scholarly
from lyra.core.identity import normalise_url
from lyra.core.paper_index import Entry
from lyra.core.ranking import rank
from lyra.core.records import Candidate, Document, Identifier, Section
from lyra.core.works import Item, Work
from lyra.store.gathered import FoundAs, Sought
from lyra.workflows.gather.ground import Ground, Target
from lyra.workflows.quarantine import inspect

REGISTER = "register"
_RESOLVER = "https://doi.org/"


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a round met, best first: papers by the key of their entry, and the addresses to fetch."""

    papers: tuple[str, ...]
    targets: tuple[Target, ...]


def register(ground: Ground, part: str, query: str, items: Sequence[Item], entries: Sequence[Entry]) -> Ranking:
    """Store every paper that has an abstract, and rank papers and pages together for the query."""
    known = ground.steps.outcome(REGISTER, part)
    targets = _targets(ground, items, entries)
    if not isinstance(known, dict):
        order = _ranked(ground, query, items, entries, targets)
        pages: dict[str, str] = {}
        with ground.steps.writing():
            for entry in entries:
                if entry.key not in ground.pages and (
                    page_id := keep_paper(ground, entry.work, "abstract", _versions(ground, entry))
                ):
                    pages[entry.key] = page_id
            known = {"pages": pages, "order": order}
            event = {"query": query, "papers": len(entries), "registered": len(pages), "to_fetch": len(targets)}
            ground.steps.record(REGISTER, part, known, event)
    ground.pages.update(_texts(known["pages"]))
    order = [str(key) for key in known["order"]]
    by_key = {target.url: target for target in targets}
    papers = {entry.key for entry in entries}
    return Ranking(
        tuple(key for key in order if key in papers and key in ground.pages),
        tuple(by_key[key] for key in order if key in by_key),
    )


def keep_paper(ground: Ground, work: Work, found_as: FoundAs, versions: Sequence[Identifier] = ()) -> str | None:
    """Store a paper by its abstract, in a transaction of the job; returns its page, None for one without abstract or name.

    `versions` are the names of its other versions: linked with it, and never the same page.
    """
    names = scholarly(work.identifiers)
    if not names or not work.abstract:
        return None
    document = replace(abstract_document(work, names), versions=tuple(versions))
    spans = cut_fragments(document.text, document.sections)
    host = "doi.org" if work.identifier("doi") else None
    if host is not None:
        ground.store.domains.note(host, ground.bench.gate.decide(host).category, ground.cause_id)
    sighting = ground.store.gathered.keep_abstract(Sought(ground.task_id, found_as, ground.cause_id), document, spans)
    inspect(ground.bench, document, sighting, ground.cause_id)
    return sighting.page_id


def abstract_document(work: Work, names: Sequence[Identifier]) -> Document:
    """Return a paper as a document of its abstract alone."""
    text = work.abstract or ""
    return Document(
        text=text,
        sections=(Section(0, len(text)),),
        title=work.title,
        authors=work.authors,
        published_on=work.published_on,
        venue=work.venue,
        identifiers=tuple(names),
        retracted=work.retracted,
        extractor=f"abstract/{work.source}",
    )


def _versions(ground: Ground, entry: Entry) -> list[Identifier]:
    return [name for other in ground.index.versions(entry) for name in other.identifiers]


def own_names(item: Item) -> list[Identifier]:
    """Return the works that an item's own address names; what its text mentions is something else."""
    if item.work is not None:
        return scholarly(item.work.identifiers)
    return scholarly(identifiers_in_address(item.url or ""))


def _targets(ground: Ground, items: Sequence[Item], entries: Sequence[Entry]) -> list[Target]:
    """Return what has to be fetched: pages of items, unless they are papers with an abstract, and papers without one."""
    found: dict[str, Target] = {}
    for item in items:
        names = own_names(item)
        entry = next((one for name in names if (one := ground.index.find(name))), None)
        if item.work is None and item.url and (entry is None or not entry.work.abstract):
            _put(found, Target(item.url, title=item.title))
    for entry in entries:
        work = entry.work
        doi = work.identifier("doi")
        address = work.full_text_url or (f"{_RESOLVER}{doi}" if doi else None)
        if not work.abstract and address:
            _put(found, Target(address, tuple(scholarly(work.identifiers)), work.title))
    return list(found.values())


def _put(found: dict[str, Target], target: Target) -> None:
    try:
        found.setdefault(normalise_url(target.url), target)
    except ValueError:
        return


def _ranked(ground: Ground, query: str, items: Sequence[Item], entries: Sequence[Entry], targets: Sequence[Target]) -> list[str]:
    """Return the keys of papers and the addresses of pages, best first."""
    snippets = {item.url: f"{item.title}\n{item.snippet}" for item in items if item.url}
    texts: dict[str, str] = {entry.key: f"{entry.work.title}\n{entry.work.abstract or ''}" for entry in entries}
    texts |= {target.url: snippets.get(target.url, target.title) for target in targets}
    if not texts:
        return []
    keys = list(texts)
    limit = ground.bench.limits.lexical_candidates
    lexical = dict(zip(keys, bm25_scores(query, list(texts.values())), strict=True))
    keys = sorted(keys, key=lambda key: -lexical[key])[:limit]
    vectors = ground.bench.embedder.embed([query, *(texts[key] for key in keys)])
    near = vectors[1:] @ vectors[0]
    weights = _weights(ground, entries, targets)
    candidates = [
        Candidate(key, texts[key], lexical[key], float(similarity), weights[key])
        for key, similarity in zip(keys, near, strict=True)
    ]
    reranked = None
    if ground.bench.reranker is not None:
        reranked = ground.bench.reranker.score(query, [one.text for one in candidates])
    return [one.fragment_id for one in rank(candidates, reranked)]


def _weights(ground: Ground, entries: Sequence[Entry], targets: Sequence[Target]) -> dict[str, float]:
    """Return the weight of each by where it stands; a paper that is only named has no host and weighs 1."""
    weights = {entry.key: 1.0 for entry in entries}
    return weights | {target.url: ground.decide(target.url).weight for target in targets}


def _texts(value: object) -> Mapping[str, str]:
    return {str(key): str(one) for key, one in value.items()} if isinstance(value, dict) else {}
