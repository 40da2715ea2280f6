"""Step 6: pages are fetched side by side and taken in one by one; what they lead to is the start of the next round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from lyra.core.fragments import cut_fragments
from lyra.core.identity import host_of, normalise_url
from lyra.core.page_safety import Finding
from lyra.core.pages import FetchedPage, FetchFailure, FetchOutcome, NeedsPerson
from lyra.core.records import Identifier, LedgerEntry, ProviderStatus
from lyra.core.works_json import names_json, read_names
from lyra.store.gathered import Sought
from lyra.workflows.gather.ground import Ground, Met, Target
from lyra.workflows.gather.summarising import summarise
from lyra.workflows.gather.taking_over import TakenOver, take_over
from lyra.workflows.gather.understanding import Understanding
from lyra.workflows.quarantine import quarantine, scan

FETCH: Literal["fetch"] = "fetch"
FETCHED, FAILED, BLOCKED, PERSON = "fetched", "failed", "blocked", "needs_person"


@dataclass(frozen=True, slots=True)
class _Asked:
    target: Target
    key: str


@dataclass(frozen=True, slots=True)
class _Page:
    fetched: FetchedPage
    taken: TakenOver
    findings: Sequence[Finding]


def fetch_all(ground: Ground, targets: Sequence[Target], allowance: int, understanding: Understanding) -> Met:
    """Fetch pages, at most `allowance` of them, and take them in; returns what they lead to.

    Every page is one transaction. A page that cannot be had, a wall and a blocked host are outcomes, too.
    """
    wanted = _wanted(ground, targets, allowance)
    fresh = [one for one in wanted if ground.steps.outcome(FETCH, one.key) is None]
    allowed = [one for one in fresh if ground.decide(one.target.url).allowed]
    calls = [partial(_fetch, ground, one.target.url) for one in allowed]
    results = ground.crew.results(calls)
    outcomes: list[Mapping[str, object]] = []
    with ground.bench.progress.track("progress.fetching", len(wanted)) as step:
        for one in wanted:
            known = ground.steps.outcome(FETCH, one.key)
            if not isinstance(known, dict):
                fetched = next(results) if one in allowed else _blocked(ground, one.target.url)
                known = _take_in(ground, one, fetched, understanding)
            _count(ground, known)
            outcomes.append(known)
            step.advance()
    results.close()
    summarise(ground, outcomes, understanding)
    return _led_to(outcomes)


def _wanted(ground: Ground, targets: Sequence[Target], allowance: int) -> list[_Asked]:
    """Return what to fetch: each address once in a search, none that a person said to leave alone."""
    found: dict[str, _Asked] = {}
    skipped = ground.store.interventions.skipped(ground.task_id, [target.url for target in targets])
    for target in targets:
        try:
            key = normalise_url(target.url)
        except ValueError:
            continue
        if key not in ground.asked_urls and target.url not in skipped and len(found) < allowance:
            found.setdefault(key, _Asked(target, key))
    ground.asked_urls.update(found)
    ground.fetched += len(found)
    return list(found.values())


def _fetch(ground: Ground, url: str) -> FetchOutcome:
    """Fetch one page; called by the crew, so nothing here touches the store."""
    if ground.reach.clock.is_over:
        return FetchFailure(url, "out_of_time", ProviderStatus.THROTTLED)
    return ground.reach.fetcher.fetch(url)


def _blocked(ground: Ground, url: str) -> FetchFailure:
    decision = ground.decide(url)
    params = {"host": decision.host, "reason": decision.block_reason}
    return FetchFailure(url, "blocked_domain", ProviderStatus.REFUSED, params)


def _take_in(ground: Ground, asked: _Asked, fetched: FetchOutcome, understanding: Understanding) -> Mapping[str, object]:
    if isinstance(fetched, FetchedPage) and not ground.decide(fetched.url).allowed:
        fetched = _blocked(ground, fetched.url)
    page: _Page | None = None
    if isinstance(fetched, FetchedPage):
        page = _understood(ground, asked, fetched, understanding)
    with ground.steps.writing():
        if page is not None:
            outcome = _store(ground, page)
        elif isinstance(fetched, NeedsPerson):
            ground.store.interventions.add(ground.task_id, fetched, ground.cause_id)
            outcome = {"outcome": PERSON, "url": fetched.asked, "wall": fetched.wall.value, "sign": fetched.sign}
        else:
            outcome = _failure_json(fetched)
        ground.steps.record(
            FETCH, asked.key, outcome, {name: outcome[name] for name in ("url", "outcome", "code") if name in outcome}
        )
    return outcome


def _understood(ground: Ground, asked: _Asked, fetched: FetchedPage, understanding: Understanding) -> _Page:
    """Return what of a page is taken over. A page that tries to steer a model is shown to none, and leads nowhere."""
    findings = scan(ground.bench, fetched.document)
    # What a pointer leans on stands in its list of references; the links in its text lead to other pointers.
    leads = not findings and not ground.decide(fetched.url).is_pointer
    citations = understanding.citations(fetched.links[: ground.rules.links_per_page * 3], fetched.url) if leads else []
    return _Page(fetched, take_over(fetched, asked.target, citations, ground.rules.links_per_page), findings)


def _store(ground: Ground, found: _Page) -> dict[str, object]:
    """Store a page with its fragments, in a transaction of the job."""
    page, taken = found.fetched, found.taken
    document, store, host = taken.document, ground.store, host_of(page.url)
    decision = ground.bench.gate.decide(host)
    if host is not None:
        store.domains.note(host, decision.category, ground.cause_id)
    spans = cut_fragments(document.text, document.sections)
    sighting = store.gathered.keep_fetched(Sought(ground.task_id, FETCH, ground.cause_id), page, document, spans)
    if host is not None:
        store.domains.note_pointers(host, is_pointer=decision.is_pointer)
    if found.findings:
        quarantine(store, ground.bench.rules, sighting, found.findings, ground.cause_id)
    quarantined = store.quarantines.holds(sighting.page_id)
    led_to: tuple[tuple[Identifier, ...], tuple[str, ...]] = (taken.works, taken.pages)
    if quarantined:  # a page that tries to steer a model leads nowhere
        led_to = ((), ())
    return {
        "outcome": FETCHED,
        "url": page.url,
        "page_id": sighting.page_id,
        "page_version_id": sighting.page_version_id,
        "new_fragments": sighting.new_fragments,
        "is_pointer": decision.is_pointer,
        "quarantined": quarantined,
        "rendered": page.rendered,
        "works": names_json(led_to[0]),
        "pages": list(led_to[1]),
    }


def _failure_json(failure: FetchOutcome) -> dict[str, object]:
    if not isinstance(failure, FetchFailure):
        raise TypeError(failure)
    params = {key: value if isinstance(value, (int, float, str)) else str(value) for key, value in failure.params.items()}
    blocked = failure.code == "blocked_domain"
    return {
        "outcome": BLOCKED if blocked else FAILED,
        "url": failure.asked,
        "code": failure.code,
        "area": failure.area,
        "status": failure.status.value,
        "params": params,
    }


def _count(ground: Ground, outcome: Mapping[str, object]) -> None:
    kind, url = str(outcome["outcome"]), str(outcome["url"])
    params = outcome.get("params")
    problem = None
    if kind in (FAILED, BLOCKED):
        filled = {**(params if isinstance(params, dict) else {}), "status": outcome["status"]}
        problem = LedgerEntry(url, "failed", str(outcome["code"]), filled, area=str(outcome["area"]))
    elif kind == PERSON:
        filled = {"url": url, "sign": outcome["sign"], "status": ProviderStatus.REFUSED.value}
        problem = LedgerEntry(url, "failed", f"wall_{outcome['wall']}", filled, area="web")
    ground.tally.note_page(kind, host_of(url) if kind != BLOCKED else None, problem)


def _led_to(outcomes: Sequence[Mapping[str, object]]) -> Met:
    """Return the works and pages that pages refer to: those of pointers first, since a pointer is nothing by itself."""
    names: dict[Identifier, None] = {}
    targets: dict[str, Target] = {}
    for outcome in sorted(outcomes, key=lambda one: not one.get("is_pointer", False)):
        for name in read_names(outcome.get("works")):
            names.setdefault(name)
        pages = outcome.get("pages")
        for url in pages if isinstance(pages, list) else []:
            targets.setdefault(str(url), Target(str(url)))
    return Met((), tuple(names), tuple(targets.values()))
