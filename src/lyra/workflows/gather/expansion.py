"""Step 5: references and citations of the best papers, budgeted: three stages, and one line in the log for each paper."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lyra.core.citation_filter import stage0, stage1, stage2
from lyra.core.identifiers import scholarly
from lyra.core.paper_index import Entry, PaperIndex
from lyra.core.records import ProviderStatus
from lyra.core.works import Answer, Work
from lyra.core.works_json import read_work, work_json
from lyra.workflows.gather.ground import Ground
from lyra.workflows.gather.registering import keep_paper
from lyra.workflows.gather.understanding import Understanding

EXPANSION = "citation_expansion"
REFERENCES, CITATIONS, BOTH = "references", "citations", "both"


@dataclass(slots=True)
class _Linked:
    """A work on the other end of citations: which way they go, and who observed each of them first."""

    entry: Entry
    directions: dict[str, str]


def expand(ground: Ground, part: str, query: str, keys: Sequence[str], understanding: Understanding) -> list[str]:
    """Follow the citations of papers, as many as the rules allow; returns the keys of the papers that were taken in.

    Each paper is done in one transaction: its pages, the citations between them, and its line in the log.
    """
    taken: list[str] = []
    sources = list(keys)[: ground.rules.top_n_papers]
    for _ in range(ground.rules.depth):
        found: list[str] = []
        for key in sources:
            found += _expand_one(ground, f"{part}:{key}", query, key, understanding)
        taken += found
        sources = [key for key in dict.fromkeys(found) if key not in keys][: ground.rules.top_n_papers]
    return taken


def _expand_one(ground: Ground, part: str, query: str, key: str, understanding: Understanding) -> list[str]:
    entry = next(one for one in ground.index.entries if one.key == key)
    known = ground.steps.outcome(EXPANSION, part)
    if not isinstance(known, dict):
        known = _follow(ground, part, query, entry, understanding)
    for one in known["answers"]:
        status, problem = ProviderStatus(one["status"]), (one["code"], one["params"])
        ground.tally.note(one["provider"], "citations", one["found"], status, problem=problem)
    keys = []
    for value in known["works"]:
        work = read_work(value["work"])
        found = ground.index.add(work)
        ground.pages[found.key] = str(value["page_id"])
        keys.append(found.key)
    return keys


def _follow(ground: Ground, part: str, query: str, source: Entry, understanding: Understanding) -> dict[str, Any]:
    rules, work = ground.rules.citation_filter, source.work
    answers = _ask(ground, source)
    linked = _merged(answers)
    others = [one for one in linked if not set(one.entry.identifiers) & set(source.identifiers)]
    works = [one.entry.work for one in others]
    kept = stage0(works, rules)
    near = _similarities(ground, work.abstract or work.title, kept)
    first = stage1(kept, near, rules)
    before = understanding.calls
    relevances = understanding.relevances(query, work.abstract or work.title, [one.work.abstract or "" for one in first])
    final = stage2(first, relevances, rules)
    counts = {
        "source_paper": source.key,
        "candidates_total": len(works),
        "after_stage0": len(kept),
        "after_stage1": len(first),
        "final_count": len(final),
        "llm_calls": understanding.calls - before,
    }
    chosen = [one.work for one in final]
    with ground.steps.writing():
        pages = [keep_paper(ground, one, "citation") for one in chosen]
        edges = _cite(ground, source, others)
        outcome = {
            "works": [
                {"work": work_json(one), "page_id": page_id} for one, page_id in zip(chosen, pages, strict=True) if page_id
            ],
            "answers": [
                {
                    "provider": name,
                    "status": answer.status.value,
                    "code": answer.code,
                    "params": {key: str(value) for key, value in answer.params.items()},
                    "found": len(answer.found),
                }
                for name, _, answer in answers
            ],
        }
        ground.steps.record(EXPANSION, part, outcome, {"query": query, "source_paper": source.key, "cites": edges})
        ground.steps.note(EXPANSION, counts)
    return outcome


def _ask(ground: Ground, source: Entry) -> list[tuple[str, str, Answer[Work]]]:
    """Ask every index of works for both directions at once, in the order in which their word counts."""
    directions = (REFERENCES, CITATIONS) if ground.rules.direction == BOTH else (ground.rules.direction,)
    calls: list[Callable[[], Answer[Work]]] = []
    labels: list[tuple[str, str]] = []
    for provider in ground.academic:
        name = provider.info.name
        told = source.told.get(name, source.work)
        for direction in directions:
            ask = provider.references if direction == REFERENCES else provider.citations
            calls.append(partial(ask, told, ground.rules.candidates))
            labels.append((name, direction))
    if ground.reach.clock.is_over:
        late: Answer[Work] = Answer((), ProviderStatus.THROTTLED, "out_of_time")
        return [(name, direction, late) for name, direction in labels]
    return [(*label, answer) for label, answer in zip(labels, ground.crew.results(calls), strict=True)]


def _merged(answers: Iterable[tuple[str, str, Answer[Work]]]) -> list[_Linked]:
    """Bring what the services say together; of a citation that several observed, the first one is kept as its source."""
    index = PaperIndex()
    found: dict[int, _Linked] = {}
    for name, direction, answer in sorted(answers, key=lambda one: one[0] != "semantic_scholar"):
        for work in answer.found:
            entry = index.add(work)
            linked = found.setdefault(id(entry), _Linked(entry, {}))
            linked.directions.setdefault(direction, name)
    return list(found.values())


def _similarities(ground: Ground, source: str, works: Sequence[Work]) -> list[float]:
    if not works:
        return []
    vectors = ground.bench.embedder.embed([source, *(work.abstract or "" for work in works)])
    return [min(1.0, max(0.0, float(value))) for value in vectors[1:] @ vectors[0]]


def _cite(ground: Ground, source: Entry, linked: Sequence[_Linked]) -> int:
    """Record the observed citations between pages that are known, those just stored and older ones; returns how many are new."""
    store, added = ground.store.gathered, 0
    own = ground.pages[source.key]
    for one in linked:
        other = store.page_of(scholarly(one.entry.identifiers))
        if other is None:
            continue
        for direction, observer in one.directions.items():
            citing, cited = (own, other) if direction == REFERENCES else (other, own)
            added += store.cite(citing, cited, observer)
    return added
