"""Steps 1 to 3: what providers list for a query, and what indexes of works know by identifier."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from lyra.core.academic_query import is_academic_query
from lyra.core.identifiers import scholarly
from lyra.core.ports import SearchProvider
from lyra.core.records import Identifier, ProviderStatus
from lyra.core.works import Answer, Item, Work
from lyra.core.works_json import item_json, read_item, read_work, work_json
from lyra.store.gathered import Listed
from lyra.workflows.gather.ground import Ground

WEB_SEARCH, ACADEMIC_SEARCH, COMPLETION = "web_search", "academic_search", "completion"


def list_results(ground: Ground, query: str) -> list[Item]:
    """Return the items for a query: always from the web providers, from indexes of works where the search starts there.

    Without a web provider there is nowhere else to start, whatever the query. What stands on a blocked domain is kept
    with the reason and not taken.
    """
    items = _ask_all(ground, WEB_SEARCH, query, ground.web)
    if is_academic_query(query) or not ground.web:
        items += _ask_all(ground, ACADEMIC_SEARCH, query, ground.academic)
    return items


def _ask_all(ground: Ground, step: str, query: str, providers: Sequence[SearchProvider]) -> list[Item]:
    if not providers:
        return []
    known = ground.steps.outcome(step, query)
    if known is None:
        calls = [partial(one.search, query, ground.rules.results) for one in providers]
        answers = list(ground.crew.results(calls)) if not ground.reach.clock.is_over else [_late() for _ in calls]
        known = _write_down(ground, step, query, providers, answers)
    return _read_back(ground, known)


def _write_down(
    ground: Ground, step: str, query: str, providers: Sequence[SearchProvider], answers: Sequence[Answer[Item]]
) -> object:
    outcome: list[object] = []
    with ground.steps.writing():
        for provider, answer in zip(providers, answers, strict=True):
            taken = []
            for rank, item in enumerate(answer.found, start=1):
                decision = ground.decide(item.url)
                reason = None if decision.allowed else decision.block_reason or "unknown"
                ground.store.gathered.add_item(Listed(ground.task_id, query, rank, ground.cause_id), item, reason)
                if decision.allowed:
                    taken.append(item_json(item))
            blocked = len(answer.found) - len(taken)
            outcome.append({**_answer_json(provider.info.name, answer), "items": taken, "blocked": blocked})
        ground.steps.record(step, query, outcome, {"query": query, "answers": _summary(outcome)})
    return outcome


def _read_back(ground: Ground, outcome: object) -> list[Item]:
    items: list[Item] = []
    for one in _objects(outcome):
        listed = [read_item(value) for value in _objects(one["items"])]
        found = len(listed) + _number(one["blocked"])
        _tally(ground, one, "found", found)
        items += listed
    return items


def complete(ground: Ground, part: str, names: Sequence[Identifier]) -> None:
    """Ask the indexes of works for everything that is named and not known yet, in batches, and put it into the index.

    A service is asked for an identifier once in a search, and not for works that it has described already.
    """
    known = ground.steps.outcome(COMPLETION, part)
    if known is None:
        known = _complete_now(ground, part, scholarly(names))
    for one in _objects(known):
        works = [read_work(value) for value in _objects(one["works"])]
        _tally(ground, one, "completed", len(works))
        ground.index.add_all(works)
    ground.asked_names.update((provider.info.name, name) for provider in ground.academic for name in names)


def _complete_now(ground: Ground, part: str, names: Sequence[Identifier]) -> object:
    calls: list[Callable[[], Answer[Work]]] = []
    asked: list[tuple[str, int]] = []
    for provider in ground.academic:
        wanted = [name for name in names if _is_unknown(ground, provider.info.name, name)]
        if wanted:
            asked.append((provider.info.name, len(wanted)))
            calls.append(partial(provider.complete, wanted))
    answers = list(ground.crew.results(calls)) if not ground.reach.clock.is_over else [_late() for _ in calls]
    outcome = [
        {**_answer_json(name, answer), "asked": count, "works": [work_json(work) for work in answer.found]}
        for (name, count), answer in zip(asked, answers, strict=True)
    ]
    with ground.steps.writing():
        ground.steps.record(COMPLETION, part, outcome, {"identifiers": len(names), "answers": _summary(outcome)})
    return outcome


def _is_unknown(ground: Ground, provider: str, name: Identifier) -> bool:
    entry = ground.index.find(name)
    return (provider, name) not in ground.asked_names and (entry is None or provider not in entry.told)


def _late() -> Answer[Any]:
    return Answer((), ProviderStatus.THROTTLED, "out_of_time")


def _answer_json(name: str, answer: Answer[object]) -> dict[str, object]:
    params = {key: value if isinstance(value, (int, float, str)) else str(value) for key, value in answer.params.items()}
    return {"provider": name, "status": answer.status.value, "code": answer.code, "params": params}


def _summary(outcome: Sequence[object]) -> list[dict[str, object]]:
    return [
        {
            "provider": one["provider"],
            "status": one["status"],
            "code": one["code"],
            "found": len(_objects(one.get("items", one.get("works")))),
            **({"blocked": one["blocked"]} if "blocked" in one else {}),
        }
        for one in _objects(outcome)
    ]


def _tally(ground: Ground, answer: Mapping[str, object], counted: str, found: int) -> None:
    status = ProviderStatus(str(answer["status"]))
    ground.tally.note(str(answer["provider"]), counted, found, status, problem=(_code(answer), _params(answer)))


def _objects(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _code(value: Mapping[str, object]) -> str | None:
    return None if value["code"] is None else str(value["code"])


def _params(value: Mapping[str, object]) -> Mapping[str, object]:
    params = value["params"]
    return params if isinstance(params, dict) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
